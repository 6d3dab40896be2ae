import { useMemo } from "react";
import { zoomed } from "@/components/charts/zoom";
import { type BoundaryEntry, boundaryEntries } from "../boundaries/entries";
import { firstOf, foldedRuns } from "../boundaries/runs";
import { useStores } from "../state/stores";
import { pointedRequest } from "../state/view";

interface TimelineKeys {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly zoomAll: () => void;
  readonly previousBoundary: () => void;
  readonly nextBoundary: () => void;
}

/** Actions of the timeline's keys and of the buttons next to it. They read the stores when pressed, so no component renders for them. */
export function useTimelineKeys(): TimelineKeys {
  const { session, replay, view, viewActions } = useStores();
  return useMemo(() => {
    const pointed = (): number | null => view.get().hover ?? view.get().pin;
    const zoom = (by: number): void => {
      const { range } = view.get();
      viewActions.setRange(zoomed(range, session.get().points, pointed() ?? (range.from + range.to) / 2, by));
    };
    const go = (request: number | undefined): void => {
      if (request !== undefined) viewActions.reveal(request);
    };
    const boundaries = (): number[] => {
      const { simulated, choice } = replay.get();
      return boundaryStops(boundaryEntries(session.get().recorded.compactions, simulated.compactions, choice.policy));
    };
    return {
      zoomIn: () => zoom(0.5),
      zoomOut: () => zoom(2),
      zoomAll: () => viewActions.setRange({ from: 0, to: session.get().points }),
      previousBoundary: () => go(boundaries().findLast((request) => request < pointedRequest(view.get()))),
      nextBoundary: () => go(boundaries().find((request) => request > (pointed() ?? -1))),
    };
  }, [session, replay, view, viewActions]);
}

/** Requests that the keys jump to, ascending and without repeats: every compaction, and the first boundary of every run of others. */
export function boundaryStops(entries: readonly BoundaryEntry[]): number[] {
  const listed = (["recorded", "simulated"] as const).flatMap((kind) =>
    foldedRuns(entries.filter((entry) => entry.kind === kind)),
  );
  return [...new Set(listed.map((one) => firstOf(one).compaction.request))].sort((a, b) => a - b);
}
