import { useCallback, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { useView } from "../state/view";
import { KeyButton } from "../timeline/caption";
import { useTimelineKeys } from "../timeline/use-timeline-keys";
import { BoundaryCostsProvider } from "./boundary-cost";
import { BoundaryDetails } from "./boundary-details";
import { type BoundaryEntry, boundaryEntries, chosenEntry } from "./entries";
import { NoBoundaryLine, useNoBoundaryWords } from "./no-boundary-line";
import { ResumeLine } from "./resume-line";
import { BoundaryTree } from "./tree/boundary-tree";
import { foldedRuns } from "./tree/runs";

/** Every boundary, recorded and simulated, and what happened at the selected one. */
export function Boundaries() {
  const t = useTranslations("session.boundary");
  const words = usePolicyWords();
  const { choice } = useReplay();
  const { points } = useSession();
  const { pin } = useCursor();
  const actions = useCursorActions();
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
          <ResumeLine />
        </nav>
        <BoundaryDetails entry={chosen} policy={policy} />
      </div>
    </BoundaryCostsProvider>
  );
}

/** What the list contains, and buttons for the keys that walk through it. */
function ListHead() {
  const t = useTranslations("session");
  const keys = useTimelineKeys();
  return (
    <div className="flex h-9 shrink-0 items-center justify-between border-b border-line pr-3 pl-4 touch:h-11 touch:pr-1">
      <span className="font-semibold">{t("boundary.list")}</span>
      <span className="flex items-center gap-1 touch:gap-0">
        <KeyButton hint="[" label={t("timeline.previousBoundary")} act={keys.previousBoundary} />
        <KeyButton hint="]" label={t("timeline.nextBoundary")} act={keys.nextBoundary} />
      </span>
    </div>
  );
}

/** Shown where there is no boundary, recorded or simulated: why, how near the context came to one, and where to change that. */
function NoBoundaries() {
  const t = useTranslations("session.boundary");
  const said = useNoBoundaryWords();
  const { setLens } = useView();
  return (
    <>
      <ResumeLine />
      <Notice
        title={t("noneTitle")}
        body={
          <>
            <p>{t("noneBody")}</p>
            {said !== undefined && (
              <p className="mt-1" data-testid="no-boundary">
                {said}
              </p>
            )}
            <p className="mt-1">{t("noneHint")}</p>
          </>
        }
      >
        <Button onClick={() => setLens("timeline")}>{t("toTimeline")}</Button>
      </Notice>
    </>
  );
}

/** The boundaries of the recording and of the simulation in force, and how they are listed. */
function useBoundaries() {
  const { recorded } = useRecorded();
  const { simulated, choice } = useReplay();
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
