import { Table2 } from "lucide-react";
import { Component, lazy, memo, type ReactNode, Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useMediaQuery, useWide } from "@/components/hooks/use-media-query";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { PaletteKey } from "@/components/palette/palette-key";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { Count, Kbd } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/status";
import { TabList, TabPanel } from "@/components/ui/tabs";
import { loadAllAgents } from "@/lib/agents/policies";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { isServed } from "@/lib/queries/client/client";
import { ReplayHead, ReplayPanel } from "./panel/replay-panel";
import { ReadingSplit } from "./reading-split";
import { TabSkeleton } from "./session-skeleton";
import { useReplay, useSession, useView, useViewActions } from "./shared/state/stores";
import { hasPanel, SESSION_TABS, type TabId, tabKey } from "./shared/state/tabs";
import { useTimelineKeys } from "./shared/timeline/use-timeline-keys";
import { DockedCard } from "./timeline/hover-card";
import { LineLegend } from "./timeline/legend";
import { Timeline } from "./timeline/timeline";
import { FirstVisit } from "./tour/first-visit";
import { Transcript } from "./transcript/transcript";
import { useItemKeys } from "./transcript/transcript-head";

// Few people open these tabs first, so their code is loaded on opening: the timeline appears sooner.
const Composition = lazy(async () => ({ default: (await import("./composition/composition")).Composition }));
const Boundaries = lazy(async () => ({ default: (await import("./boundaries/boundaries")).Boundaries }));
const Contributors = lazy(async () => ({ default: (await import("./contributors/contributors")).Contributors }));
const Compare = lazy(async () => {
  // Any policy may be compared, so the profiles of all agents are loaded too.
  const [{ Compare: compare }] = await Promise.all([import("./compare/compare"), loadAllAgents()]);
  return { default: compare };
});
const Accuracy = lazy(async () => ({ default: (await import("./accuracy/accuracy")).Accuracy }));
const Cost = lazy(async () => ({ default: (await import("./cost/cost")).Cost }));
const Verdict = lazy(async () => ({ default: (await import("./timeline/beside-chart")).Verdict }));
const HeaderCost = lazy(async () => ({ default: (await import("./timeline/beside-chart")).HeaderCost }));
const OpeningSweep = lazy(async () => ({ default: (await import("./timeline/beside-chart")).OpeningSweep }));
// Only narrow screens have these two.
const ReplayBar = lazy(async () => ({ default: (await import("./panel/replay-bar")).ReplayBar }));
const PointBreakdown = lazy(async () => ({ default: (await import("./timeline/point-breakdown")).PointBreakdown }));
const Sweep = lazy(async () => ({ default: (await import("./sweep/sweep")).Sweep }));

/** The content of every tab; `table` says whether a tab with a data table shows it. */
const CONTENTS: Readonly<Record<TabId, { readonly shown: (table: boolean) => ReactNode }>> = {
  timeline: { shown: (table) => <TimelineTab table={table} /> },
  composition: { shown: () => later(<Composition />) },
  contributors: { shown: () => later(<Contributors />) },
  boundaries: { shown: () => later(<Boundaries />) },
  compare: { shown: (table) => <ReplayLayout complete>{later(<Compare table={table} />)}</ReplayLayout> },
  sweep: { shown: () => <ReplayLayout complete>{later(<Sweep />)}</ReplayLayout> },
  accuracy: { shown: () => later(<Accuracy />) },
  cost: { shown: (table) => <ReplayLayout complete>{later(<Cost table={table} />)}</ReplayLayout> },
};

/** Renders content once its code is loaded, and a placeholder until then. */
function later(content: ReactNode, meanwhile: ReactNode = <TabSkeleton />): ReactNode {
  return (
    <Guarded>
      <Suspense fallback={meanwhile}>{content}</Suspense>
    </Guarded>
  );
}

interface GuardedProps {
  readonly children: ReactNode;
}

/** Replaces a failed part by a sentence, for example if its code cannot be loaded: the rest of the page stays. */
class Guarded extends Component<GuardedProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PartFailed /> : this.props.children;
  }
}

function PartFailed() {
  const t = useTranslations("session.fileState");
  return (
    // Without a server the whole page is in memory: loading it again would only close the file.
    <Notice role="alert" title={t("tabFailed")} body={t(isServed() ? "tabFailedServed" : "tabFailedHere")}>
      {isServed() && <Button onClick={() => location.reload()}>{t("reload")}</Button>}
    </Notice>
  );
}

interface SessionViewProps {
  /** The header's element for the session's cost. */
  readonly costPlace: HTMLElement | null;
}

/** The session page below its header, after everything has loaded. Its stores notify its parts of changes. */
export const SessionView = memo(function SessionView({ costPlace }: SessionViewProps) {
  const { tab } = useView("tab");
  const [table, setTable] = useState(false);
  return (
    <>
      <SessionKeys />
      {later(<OpeningSweep />, null)}
      {costPlace !== null && createPortal(later(<HeaderCost />, null), costPlace)}
      <div className="flex min-h-0 grow flex-col">
        <SessionTabs table={table} onTable={setTable} />
        <TabPanel key={tab} id={tab} className={cn("min-h-0 grow", hasPanel(tab) ? "lg:flex" : "overflow-auto")}>
          {CONTENTS[tab].shown(table)}
        </TabPanel>
      </div>
    </>
  );
});

function TimelineTab({ table }: { readonly table: boolean }) {
  const narrow = !useMediaQuery("(min-width: 48rem)");
  const t = useTranslations("replay.verdict");
  const split = useWide();
  const { isReading } = useView("isReading");
  const { hasUsage } = useSession("hasUsage");
  // The chart is the most important part, so it is drawn first, and the rest right after it.
  const complete = useDeferredValue(true, false);
  const chart = isReading ? null : (
    <>
      <Timeline table={table}>
        {!hasUsage && <NoUsage />}
        {/* Two lines, or one if both fit. The chart must keep its height while a slider moves, with and without a setting to paste. */}
        <section
          aria-label={t("label")}
          data-testid="verdict"
          className="@container shrink-0 border-b border-line px-4 text-sm"
        >
          <div className="min-h-10.5 @min-[92rem]:flex @min-[92rem]:min-h-7 @min-[92rem]:flex-wrap @min-[92rem]:items-center @min-[92rem]:gap-x-6">
            {complete && later(<Verdict />, null)}
          </div>
        </section>
      </Timeline>
      {complete && !split && later(<PointBreakdown />, <div className="h-60" />)}
      {complete && <FirstVisit />}
    </>
  );
  const text = complete && <Transcript narrow={narrow} />;
  return (
    <ReplayLayout complete={complete} hidden={isReading} docked={<DockedCard />}>
      {split ? (
        <ReadingSplit chart={chart} text={text} />
      ) : (
        <>
          {chart}
          {text}
        </>
      )}
    </ReplayLayout>
  );
}

interface ReplayLayoutProps {
  /** True if the replay panel is drawn as well. */
  readonly complete: boolean;
  /** True if the panel makes way for the tab. */
  readonly hidden?: boolean;
  /** Content above it while something is pinned. */
  readonly docked?: ReactNode;
  readonly children: ReactNode;
}

/** A tab next to the replay panel. On narrow screens the panel is a bar at the bottom. */
function ReplayLayout({ complete, hidden = false, docked, children }: ReplayLayoutProps) {
  const t = useTranslations("replay.panel");
  const wide = useWide();
  return (
    <>
      <div className="flex min-h-0 min-w-0 grow flex-col lg:overflow-y-auto">
        {children}
        {complete && !wide && !hidden && later(<ReplayBar />, null)}
      </div>
      {wide && !hidden && (
        <aside
          aria-label={t("title")}
          data-tour="policy"
          data-replay-panel=""
          className="flex w-90 shrink-0 flex-col overflow-y-auto border-l border-line"
        >
          {complete && (
            <>
              {docked}
              <ReplayHead />
              <ReplayPanel />
            </>
          )}
        </aside>
      )}
    </>
  );
}

function NoUsage() {
  const t = useTranslations("session.noUsage");
  return (
    <p role="note" className="border-b border-line bg-panel px-4 py-2 text-sm text-t2">
      <strong className="font-semibold text-t1">{t("title")}</strong> {t("body")}
    </p>
  );
}

interface SessionTabsProps {
  readonly table: boolean;
  readonly onTable: (shown: boolean) => void;
}

/** The list of tabs. Next to it are the legend of the timeline's lines and the switch for its data table. */
function SessionTabs({ table, onTable }: SessionTabsProps) {
  const t = useTranslations("session");
  const words = usePolicyWords();
  const choice = useReplay(({ chosen }) => chosen);
  const { tab, isReading } = useView("tab", "isReading");
  const { setTab } = useViewActions();
  const list = useCurrentInSight(tab);
  return (
    <div className="flex flex-wrap items-stretch border-b border-line lg:flex-nowrap">
      <TabList
        ref={list}
        label={t("tab.label")}
        ids={SESSION_TABS}
        current={tab}
        onChange={setTab}
        shortcutOf={tabKey}
        data-tour="tabs"
        className="px-2 lg:shrink-0"
      >
        {(id) => (
          <>
            {t(`tab.${id}`)}
            {id === "boundaries" && <BoundaryCounts />}
            <Kbd aria-hidden className="max-2xl:hidden">
              {tabKey(id)}
            </Kbd>
          </>
        )}
      </TabList>
      {!isReading && (tab === "timeline" || tab === "compare" || tab === "cost") && (
        <div className="ml-auto flex min-w-0 items-center gap-x-4 px-4 max-md:w-full lg:max-xl:gap-x-2 lg:max-xl:px-2">
          {tab === "timeline" && <LineLegend policy={words.policy(choice.policy)} />}
          <Button
            variant="ghost"
            aria-pressed={table}
            onClick={() => onTable(!table)}
            className="shrink-0 max-md:ml-auto aria-pressed:bg-sunk aria-pressed:text-t1"
          >
            <Table2 aria-hidden />
            <span className="max-md:sr-only lg:max-xl:sr-only">{t("table.toggle")}</span>
          </Button>
        </div>
      )}
    </div>
  );
}

/** Keeps the current tab in view if the screen is too narrow for all tabs. */
function useCurrentInSight(tab: TabId) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tabs = list.current;
    const current = tabs?.querySelector(`[aria-keyshortcuts="${tabKey(tab)}"]`);
    if (tabs === null || !(current instanceof HTMLElement)) return;
    // Not scrollIntoView: the Tab key would then continue from the tab, past the page's header.
    tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
  }, [tab]);
  return list;
}

/** Counts of the recorded boundaries and of the simulated ones. One sum would contradict the number of compactions in the header. */
function BoundaryCounts() {
  const t = useTranslations("common.kind");
  const format = useFormat();
  const { recorded } = useSession("recorded");
  const { simulated, choice } = useReplay("simulated", "choice");
  return (
    <>
      <Count title={t("recorded")}>{format.count(recorded.compactions.length)}</Count>
      {!isRecordedPolicy(choice.policy) && (
        <Count title={t("simulated")} className="text-accent">
          {format.count(simulated.compactions.length)}
        </Count>
      )}
    </>
  );
}

const SessionPalette = lazy(async () => ({ default: (await import("./session-palette")).SessionPalette }));

function SessionKeys() {
  const { setTab, toggleReading } = useViewActions();
  const { pin } = useView("pin");
  const actions = useViewActions();
  const timeline = useTimelineKeys();
  const items = useItemKeys();
  useShortcuts({
    ...Object.fromEntries(SESSION_TABS.map((tab) => [tabKey(tab), () => setTab(tab)])),
    j: items.next,
    k: items.previous,
    o: items.toggle,
    r: toggleReading,
    "[": timeline.previousBoundary,
    "]": timeline.nextBoundary,
    "+": timeline.zoomIn,
    "=": timeline.zoomIn,
    "-": timeline.zoomOut,
    "−": timeline.zoomOut,
    "0": timeline.zoomAll,
    Escape: () => {
      if (pin === null) return false;
      actions.pin(null);
    },
  });
  return <PaletteKey palette={SessionPalette} />;
}
