"use client";

import { lazy, type ReactNode, Suspense, useDeferredValue, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { Tabs, TabsContent } from "@/components/ui/tabs";
import { Boundaries } from "./boundaries/boundaries";
import { Composition } from "./composition/composition";
import { LensSkeleton } from "./lens-skeleton";
import { LensTabs } from "./lens-tabs";
import { ReplayBar } from "./panel/replay-bar";
import { ReplayHead, ReplayPanel } from "./panel/replay-panel";
import { PointBreakdown } from "./point-breakdown";
import { SessionHeader } from "./session-header";
import { SessionKeys } from "./session-keys";
import { useRecorded } from "./state/recorded-data";
import { useSession } from "./state/session-data";
import { LENSES } from "./state/url-state";
import { useLens } from "./state/view";
import { Timeline } from "./timeline/timeline";
import { Transcript } from "./transcript/transcript";

// Lenses that few open first: their code is loaded when they are, so that the timeline is there sooner.
const Contributors = lazy(async () => ({ default: (await import("./contributors/contributors")).Contributors }));
const Compare = lazy(async () => ({ default: (await import("./compare/compare")).Compare }));
const Accuracy = lazy(async () => ({ default: (await import("./accuracy/accuracy")).Accuracy }));
const Sweep = lazy(async () => ({ default: (await import("./sweep/sweep")).Sweep }));

/** The session page once everything is there. */
export function SessionView() {
  const { answer, points } = useSession();
  const [lens, setLens] = useLens();
  const [table, setTable] = useState(false);
  return (
    <>
      <SessionKeys />
      <SessionHeader answer={answer} points={points} />
      <Tabs
        value={lens}
        onValueChange={(value) => {
          const known = LENSES.find((one) => one === value);
          if (known !== undefined) setLens(known);
        }}
        className="flex min-h-0 grow flex-col"
      >
        <LensTabs table={table} onTable={setTable} />
        <TabsContent value="timeline" className="min-h-0 grow lg:flex">
          <TimelineLens table={table} />
        </TabsContent>
        <TabsContent value="composition" className="min-h-0 grow overflow-auto">
          <Composition />
        </TabsContent>
        <TabsContent value="contributors" className="min-h-0 grow overflow-auto">
          <Suspense fallback={<LensSkeleton />}>
            <Contributors />
          </Suspense>
        </TabsContent>
        <TabsContent value="boundaries" className="min-h-0 grow overflow-auto">
          <Boundaries />
        </TabsContent>
        <TabsContent value="compare" className="min-h-0 grow lg:flex">
          <ReplayLayout complete>
            <Suspense fallback={<LensSkeleton />}>
              <Compare table={table} />
            </Suspense>
          </ReplayLayout>
        </TabsContent>
        <TabsContent value="sweep" className="min-h-0 grow lg:flex">
          <ReplayLayout complete>
            <Suspense fallback={<LensSkeleton />}>
              <Sweep />
            </Suspense>
          </ReplayLayout>
        </TabsContent>
        <TabsContent value="accuracy" className="min-h-0 grow overflow-auto">
          <Suspense fallback={<LensSkeleton />}>
            <Accuracy />
          </Suspense>
        </TabsContent>
      </Tabs>
    </>
  );
}

function TimelineLens({ table }: { readonly table: boolean }) {
  const narrow = !useMedia("(min-width: 48rem)");
  const { hasUsage } = useRecorded();
  // The chart is what a person waits for: it is drawn first, the rest right behind it.
  const complete = useDeferredValue(true, false);
  return (
    <ReplayLayout complete={complete}>
      {!hasUsage && <NoUsage />}
      <Timeline table={table} />
      {complete && (
        <>
          <PointBreakdown />
          <Transcript narrow={narrow} />
        </>
      )}
    </ReplayLayout>
  );
}

interface ReplayLayoutProps {
  /** Whether the panel is shown as well. */
  readonly complete: boolean;
  readonly children: ReactNode;
}

/** A lens beside the replay panel; on narrow screens the panel is a bar at the bottom. */
function ReplayLayout({ complete, children }: ReplayLayoutProps) {
  const t = useTranslations("replay.panel");
  const wide = useMedia("(min-width: 64rem)");
  return (
    <>
      <div className="flex min-h-0 min-w-0 grow flex-col lg:overflow-y-auto">
        {children}
        {complete && !wide && <ReplayBar />}
      </div>
      {wide && (
        <aside aria-label={t("title")} className="flex w-90 shrink-0 flex-col border-l border-line">
          {complete && (
            <>
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

/** Whether a media query holds; on the server it does. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
    () => true,
  );
}
