import { useMemo } from "react";
import { revealing, zoomed } from "@/components/charts/zoom";
import { type BoundaryEntry, boundaryEntries } from "../boundaries/entries";
import { firstOf, foldedRuns } from "../boundaries/runs";
import { useLatestReplay, useSession, useView, useViewActions } from "../state/stores";
import { pointedRequest } from "../state/view";

interface TimelineKeys {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly zoomAll: () => void;
  readonly previousBoundary: () => void;
  readonly nextBoundary: () => void;
}

/** What the timeline's keys do; the buttons beside it do the same. */
export function useTimelineKeys(): TimelineKeys {
  const { points, recorded } = useSession("points", "recorded");
  const latest = useLatestReplay();
  const at = useView(pointedRequest);
  const { hover, pin, range } = useView("hover", "pin", "range");
  const actions = useViewActions();
  const { setRange } = useViewActions();
  return useMemo(() => {
    const pointed = hover ?? pin;
    const around = pointed ?? (range.from + range.to) / 2;
    const go = (request: number | undefined): void => {
      if (request === undefined) return;
      actions.pin(request);
      setRange(revealing(range, points, request));
    };
    const boundaries = (): number[] => {
      const { simulated, choice } = latest();
      return boundaryStops(boundaryEntries(recorded.compactions, simulated.compactions, choice.policy));
    };
    return {
      zoomIn: () => setRange(zoomed(range, points, around, 0.5)),
      zoomOut: () => setRange(zoomed(range, points, around, 2)),
      zoomAll: () => setRange({ from: 0, to: points }),
      previousBoundary: () => go(boundaries().findLast((request) => request < at)),
      nextBoundary: () => go(boundaries().find((request) => request > (pointed ?? -1))),
    };
  }, [points, recorded, latest, at, hover, pin, actions, range, setRange]);
}

/** Requests that the keys jump to, ascending and without repeats: every compaction, and the first boundary of every run of others. */
export function boundaryStops(entries: readonly BoundaryEntry[]): number[] {
  const listed = (["recorded", "simulated"] as const).flatMap((kind) =>
    foldedRuns(entries.filter((entry) => entry.kind === kind)),
  );
  return [...new Set(listed.map((one) => firstOf(one).compaction.request))].sort((a, b) => a - b);
}
