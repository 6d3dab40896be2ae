"use client";

import { useMemo } from "react";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplayActions } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { useRange } from "../state/view";
import { revealing, zoomed } from "../state/zoom";

export interface TimelineKeys {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly zoomAll: () => void;
  readonly previousBoundary: () => void;
  readonly nextBoundary: () => void;
}

/** What the keys of the timeline do; the buttons beside it do the same. */
export function useTimelineKeys(): TimelineKeys {
  const { points } = useSession();
  const { recorded } = useRecorded();
  const { latest } = useReplayActions();
  const { at, hover, pin } = useCursor();
  const actions = useCursorActions();
  const [range, setRange] = useRange();
  return useMemo(() => {
    const pointed = hover ?? pin;
    const around = pointed ?? (range.from + range.to) / 2;
    const go = (request: number | undefined): void => {
      if (request === undefined) return;
      actions.pin(request);
      setRange(revealing(range, points, request));
    };
    const boundaries = (): number[] => boundaryRequests(recorded.compactions, latest().simulated.compactions);
    return {
      zoomIn: () => setRange(zoomed(range, points, around, 0.5)),
      zoomOut: () => setRange(zoomed(range, points, around, 2)),
      zoomAll: () => setRange({ from: 0, to: points }),
      previousBoundary: () => go(boundaries().findLast((request) => request < at)),
      nextBoundary: () => go(boundaries().find((request) => request > (pointed ?? -1))),
    };
  }, [points, recorded, latest, at, hover, pin, actions, range, setRange]);
}

interface AtRequest {
  readonly request: number;
}

/** Requests before which a boundary lies, recorded or simulated, ascending and once. */
export function boundaryRequests(recorded: readonly AtRequest[], simulated: readonly AtRequest[]): number[] {
  return [...new Set([...recorded, ...simulated].map(({ request }) => request))].sort((a, b) => a - b);
}
