import { RotateCcw } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Term } from "@/components/glossary/term";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/status";
import { profileOf } from "@/lib/agents/policies";
import { isUncachedByReads } from "@/lib/core/compaction/policies/recorded-uncached";
import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { resumeOf } from "@/lib/core/context/resume";
import { type BoundaryEntry, boundaryEntries, changeShare, chosenEntry, sizeAfter } from "../shared/boundaries/entries";
import { Fidelity } from "../shared/boundaries/fidelity";
import { foldedRuns } from "../shared/boundaries/runs";
import { useReplay, useSession, useView, useViewActions } from "../shared/state/stores";
import { KeyButton } from "../shared/timeline/caption";
import { useTimelineKeys } from "../shared/timeline/use-timeline-keys";
import { BoundaryFacts, BoundaryHeading } from "./boundary-heading";
import { DroppedItems } from "./items/dropped-items";
import { FateStrip } from "./items/fate-strip";
import { useBoundaryParts } from "./items/fates";
import { ItemTable } from "./items/item-table";
import { SumTable } from "./items/sum-table";
import { NoBoundaryLine, useNoBoundaryWords } from "./no-boundary-line";
import { RecordedClearings } from "./recorded-clearings";
import { Refetched } from "./refetched";
import { BoundaryTexts, CompactionReport } from "./texts/boundary-texts";
import { RealSummary } from "./texts/real-summary";
import { isLongSummary, RecordedSummary } from "./texts/recorded-summary";
import { BoundaryCostSentence, BoundaryCostsProvider } from "./tree/boundary-cost";
import { BoundaryTree } from "./tree/boundary-tree";

/** Boundaries tab: every recorded and simulated boundary, and details of the selected one. */
export function Boundaries() {
  const t = useTranslations("session.boundary");
  const words = usePolicyWords();
  const { choice } = useReplay("choice");
  const { points } = useSession("points");
  const { pin } = useView("pin");
  const actions = useViewActions();
  const [asked, setAsked] = useState<string | null>(null);
  const { entries, sections } = useBoundaries();
  const choose = useCallback(
    (entry: BoundaryEntry) => {
      setAsked(entry.key);
      actions.pin(entry.compaction.request);
    },
    [actions],
  );
  const chosen = chosenEntry(entries, asked, pin, points - 1);
  if (chosen === undefined) return <NoBoundaries />;
  const policy = words.policy(choice.policy);
  return (
    <BoundaryCostsProvider>
      <div className="flex min-h-full flex-col lg:grid lg:h-full lg:grid-cols-[296px_1fr] lg:grid-rows-[minmax(0,1fr)]">
        <BandDefs />
        <nav aria-label={t("list")} className="flex min-h-0 flex-col border-line lg:border-r">
          <ListHead />
          <BoundaryTree sections={sections} chosen={chosen} policy={policy} onChoose={choose} />
          <NoBoundaryLine />
          <RecordedClearings />
          <ResumeLine />
        </nav>
        <BoundaryDetails entry={chosen} policy={policy} />
      </div>
    </BoundaryCostsProvider>
  );
}

/** Numbers of listed boundaries, and buttons for the keys that walk through them. */
function ListHead() {
  const t = useTranslations("session");
  const keys = useTimelineKeys();
  return (
    <div className="flex h-9 shrink-0 items-center justify-between border-b border-line pr-3 pl-4 touch:h-11 touch:pr-1">
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="font-semibold">{t("boundary.list")}</span>
        <CompactingTime />
      </span>
      <span className="flex items-center gap-1 touch:gap-0">
        <KeyButton hint="[" label={t("timeline.previousBoundary")} act={keys.previousBoundary} />
        <KeyButton hint="]" label={t("timeline.nextBoundary")} act={keys.nextBoundary} />
      </span>
    </div>
  );
}

/** Recorded time of all compactions; nothing if no duration is recorded. */
function CompactingTime() {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { summary } = useSession("summary");
  const durations = summary.compactions.flatMap(({ durationMs }) => durationMs ?? []);
  if (durations.length === 0) return null;
  const time = format.duration(durations.reduce((sum, one) => sum + one, 0));
  const count = summary.compactions.length;
  return (
    <span className="truncate text-sm text-t2" data-testid="compacting-time">
      {durations.length === count
        ? t("compacting", { time })
        : t("compactingPart", { time, known: durations.length, count })}
    </span>
  );
}

/** Shown without any boundary: the reason, the distance to the nearest one, and a way to change it. */
function NoBoundaries() {
  const t = useTranslations("session.boundary");
  const reason = useNoBoundaryWords();
  const { setTab } = useViewActions();
  return (
    <>
      <RecordedClearings />
      <ResumeLine />
      <Notice
        title={t("noneTitle")}
        body={
          <>
            <p>{t("noneBody")}</p>
            {reason !== undefined && (
              <p className="mt-1" data-testid="no-boundary">
                {reason}
              </p>
            )}
            <p className="mt-1">{t("noneHint")}</p>
          </>
        }
      >
        <Button onClick={() => setTab("timeline")}>{t("toTimeline")}</Button>
      </Notice>
    </>
  );
}

/** The boundaries of the recording and of the current simulation, and their list rows. */
function useBoundaries() {
  const { recorded } = useSession("recorded");
  const { simulated, choice } = useReplay("simulated", "choice");
  const { policy } = choice;
  return useMemo(() => {
    const entries = boundaryEntries(
      recorded.compactions,
      policy.id === "recorded" ? [] : simulated.compactions,
      policy,
    );
    const sections = (["recorded", "simulated"] as const).map((kind) => {
      const own = entries.filter((entry) => entry.kind === kind);
      return { kind, count: own.length, listed: foldedRuns(own) };
    });
    return { entries, sections: sections.filter(({ count }) => count > 0) };
  }, [recorded.compactions, simulated.compactions, policy]);
}

interface BoundaryDetailsProps {
  readonly entry: BoundaryEntry;
  readonly policy: string;
}

/** Details of one boundary: its effect on every block of the context, its texts, and every item. */
function BoundaryDetails({ entry, policy }: BoundaryDetailsProps) {
  const { compaction } = entry;
  const parts = useBoundaryParts(entry);
  const { items } = parts;
  const simulated = entry.kind === "simulated";
  const { columns } = useSession("columns");
  // A long summary goes next to the re-fetched items and the lists of replaced items.
  const isSideBySide = !simulated && isLongSummary(items, columns);
  const refetched = <Refetched key={`needs ${entry.key}`} entry={entry} />;
  return (
    <section aria-live="polite" className="min-w-0 px-4 py-4 lg:overflow-y-auto lg:px-8" data-testid="boundary-details">
      <BoundaryHeading entry={entry} policy={policy} />
      <BasisLine compaction={compaction} />
      <div className="gap-x-8 xl:grid xl:grid-cols-2">
        <SumTable entry={entry} parts={parts} />
        <div className="max-w-140 xl:pt-1">
          <Metrics entry={entry} />
          <BoundaryCostSentence entry={entry} />
        </div>
      </div>
      <FateStrip entry={entry} parts={parts} />
      {simulated && <BoundaryFacts entry={entry} />}
      <CompactionReport entry={entry} />
      <div className={cn(isSideBySide && "gap-x-8 xl:grid xl:grid-cols-2")}>
        {!simulated && <RecordedSummary items={items} />}
        <div className="min-w-0">
          {isSideBySide && refetched}
          <DroppedItems items={items} />
        </div>
      </div>
      {!isSideBySide && refetched}
      <RealSummary key={`summary ${entry.key}`} entry={entry} />
      {!simulated && <Fidelity entry={entry} />}
      <BoundaryTexts key={entry.key} entry={entry} />
      <ItemTable entry={entry} items={items} />
    </section>
  );
}

/** States the boundary's effect by one count, if the contexts before and after are counted differently. */
function BasisLine({ compaction }: { readonly compaction: SimulatedCompaction }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { columns } = useSession("columns");
  const before = comparableBefore(compaction);
  const after = sizeAfter(compaction, columns);
  const change = changeShare(before, after);
  if (before === compaction.tokensBefore || after === null || change === null) return null;
  return (
    <p className="mt-2 max-w-180 text-sm text-t2" data-testid="basis-change">
      {t("basisChange", {
        recorded: format.count(compaction.tokensBefore),
        before: format.count(before),
        after: format.count(after),
        change: format.change(change, 1),
      })}
    </p>
  );
}

/** Columns that span the strip below them, each as wide as its metric needs. */
const METRIC = "grow border-l border-line pr-6 pl-3 whitespace-nowrap first:border-l-0 first:pl-0";

/** The uncached tokens of the request after the boundary, and the size of its summary. */
function Metrics({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary");
  const { compaction, kind } = entry;
  const { columns } = useSession("columns");
  const isRead = kind === "recorded" && isUncachedByReads(columns);
  const isSent = sizeAfter(compaction, columns) !== null;
  return (
    <dl className="mt-4 flex max-w-140 flex-wrap gap-y-3">
      <TokenMetric
        id="rewritten"
        name={t("rewritten")}
        note={t(isRead ? "rewrittenReadNote" : "rewrittenNote")}
        tokens={isSent ? compaction.uncached : null}
      />
      <TokenMetric
        id="summary"
        name={t("summarySize")}
        tokens={compaction.summaryTokens > 0 ? compaction.summaryTokens : null}
      />
    </dl>
  );
}

interface TokenMetricProps {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  /** `null` if unknown. */
  readonly tokens: number | null;
}

function TokenMetric({ id, name, note, tokens }: TokenMetricProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  return (
    <div className={METRIC}>
      <dt className="text-sm text-t2" title={note}>
        {id === "rewritten" ? <Term id="rewritten">{name}</Term> : name}
      </dt>
      <dd data-metric={id}>
        <Value className="text-xl font-semibold">{tokens === null ? null : format.count(tokens)}</Value>{" "}
        {tokens !== null && <span className="ml-0.5 text-sm text-t2">{t("tokens")}</span>}
      </dd>
    </div>
  );
}

/** The context that resuming this file would load, and its differences from the last context. Empty if the agent cannot resume. */
function ResumeLine() {
  const t = useTranslations("session.resume");
  const format = useFormat();
  const { summary, recording, recorded } = useSession("summary", "recording", "recorded");
  const resume = useMemo(() => {
    const rule = profileOf(summary.agent)?.resume;
    const sent = { columns: recording.columns, tokens: recorded.sizes };
    return rule && resumeOf(sent, recorded, rule, summary.agentVersion);
  }, [summary, recording, recorded]);
  if (resume === undefined) return null;
  const { messages, missing, extra } = resume;
  return (
    <section data-testid="resume" className="flex gap-2 px-4 py-3 text-sm text-t2">
      <RotateCcw aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <div>
        <p className="text-t1">{t("loads", { count: messages, tokens: format.count(resume.tokens) })}</p>
        {missing.items > 0 && <p>{t("missing", { count: missing.items, tokens: format.count(missing.tokens) })}</p>}
        {extra.items > 0 && <p>{t("extra", { count: extra.items, tokens: format.count(extra.tokens) })}</p>}
        {missing.items + extra.items === 0 && <p>{t("same")}</p>}
      </div>
    </section>
  );
}
