"use client";

import { useCallback, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { usePolicyWords } from "@/components/replay/use-words";
import { Notice } from "@/components/ui/notice";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { BoundaryDetails } from "./boundary-details";
import { BoundaryTree } from "./boundary-tree";
import { type BoundaryEntry, boundaryEntries, chosenEntry } from "./entries";
import { ResumeLine } from "./resume-line";
import { foldedRuns } from "./runs";

/** Every boundary, recorded and simulated, and what happened at the chosen one. */
export function Boundaries() {
  const t = useTranslations("session.boundary");
  const words = usePolicyWords();
  const { choice } = useReplay();
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
  const chosen = chosenEntry(entries, asked, pin);
  if (chosen === undefined) {
    return (
      <>
        <ResumeLine />
        <Notice title={t("noneTitle")} body={t("noneBody")} />
      </>
    );
  }
  const policy = words.policy(choice.policy);
  return (
    <div className="flex min-h-full flex-col lg:grid lg:h-full lg:grid-cols-[296px_1fr] lg:grid-rows-[minmax(0,1fr)]">
      <BandDefs />
      <nav aria-label={t("list")} className="flex min-h-0 flex-col border-line lg:border-r">
        <BoundaryTree sections={sections} chosen={chosen} policy={policy} onChoose={choose} />
        <ResumeLine />
      </nav>
      <BoundaryDetails entry={chosen} policy={policy} />
    </div>
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
