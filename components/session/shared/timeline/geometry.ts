import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { axisTop } from "@/components/charts/scale";
import type { Size } from "@/components/charts/use-size";
import type { RequestRange } from "@/components/charts/zoom";
import { useFormat } from "@/components/format/use-format";
import type { Replay } from "@/lib/core/compaction/replay";
import { highestContext } from "@/lib/core/compaction/replay-totals";
import type { RecordingFacts } from "@/lib/core/context/recording";
import type { ReplayState } from "../state/replay";
import { drawnWindow, shownWindow } from "../state/replay-choice";
import { useReplay, useSession, useStores, useView } from "../state/stores";
import type { Axis, Height } from "../state/url-state";

/** Below this width the lanes have no space for labels: only the marks stay. */
const NARROW = 560;
const WIDE_MARGIN = { left: 66, right: 12, top: 44, bottom: 26 };
const NARROW_MARGIN = { left: 42, right: 10, top: 14, bottom: 26 };

/** Top edges of the two label lanes above the plot. */
export const LANES = { recorded: 6, simulated: 22 } as const;

/** Distance above the plot at which the ticks of boundaries without a line end. */
export const TICKS = { recorded: 5, simulated: 1 } as const;

export function isNarrow(frame: Frame): boolean {
  return frame.width < NARROW;
}

/** If the peak is below this share of the window, the axis fits the context by default: most of the chart would be empty. */
const SMALL = 0.4;

/** Time without a slider move before the axis grows for a line that exceeds it. */
const SETTLE_MS = 300;

/** Top of the token axis: it includes every recorded and simulated context, and the windows unless it fits the context. */
function topFor(replay: Simulation, recorded: Replay, facts: RecordingFacts, asked: Height | null): number {
  const { peak, window } = reachOf(replay, recorded, facts);
  return axisTop(heightFor(peak, window, asked) === "fit" ? peak : Math.max(window, peak));
}

type Simulation = Pick<ReplayState, "simulated" | "choice">;

/** The current height: the selected one, else the one that leaves little of the chart empty. */
function heightFor(peak: number, window: number, asked: Height | null): Height {
  return asked ?? (peak < window * SMALL ? "fit" : "window");
}

export function useHeight(): Height {
  const { summary, recorded } = useSession("summary", "recorded");
  const { height } = useView("height");
  const { peak, window } = reachOf(useReplay("simulated", "choice"), recorded, summary);
  return heightFor(peak, window, height);
}

/** The window that the timeline draws, and its name. */
export function useDrawnWindow(): { readonly tokens: number; readonly name: string } {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { summary } = useSession("summary");
  const chosen = useReplay((state) => state.chosen);
  const { tokens, isEffective } = drawnWindow(chosen, summary);
  return { tokens, name: t(isEffective ? "effectiveWindow" : "window", { tokens: format.count(tokens) }) };
}

/** The largest context, and the largest window. */
function reachOf({ simulated, choice }: Simulation, recorded: Replay, facts: RecordingFacts) {
  return {
    peak: Math.max(highestContext(recorded), highestContext(simulated)),
    window: Math.max(facts.contextWindow.tokens, shownWindow(choice, facts)),
  };
}

/** The timeline's frame of the visible requests. It changes only when a slider rests: `AxisWatch` then passes on the simulated peak. */
export function useTimelineFrame(size: Size, { from, to }: RequestRange) {
  const { summary, recorded } = useSession("summary", "recorded");
  const { replay } = useStores();
  const { axis, height } = useView("axis", "height");
  const [top, setTop] = useState(() => topFor(replay.get(), recorded, summary, height));
  const places = usePlacesInTime(axis)?.places;
  const margin = size.width < NARROW ? NARROW_MARGIN : WIDE_MARGIN;
  const frame = useMemo(
    () => chartFrame({ ...size, margin, from, to, top, places }),
    [size, margin, from, to, top, places],
  );
  return { frame, setTop };
}

/** Positions of the requests in time; `undefined` if the axis counts requests, or no times are known. */
export function usePlacesInTime(axis: Axis): TimePlaces | undefined {
  const { columns, points } = useSession("columns", "points");
  return useMemo(
    () => (axis === "time" ? timePlaces(columns.requests.at, points) : undefined),
    [axis, columns, points],
  );
}

interface AxisWatchProps {
  readonly frame: Frame;
  readonly onTop: (top: number) => void;
}

/** Renders nothing. Follows the simulated peak, and reports the axis top for it once the peak has settled. */
export function AxisWatch({ frame, onTop }: AxisWatchProps) {
  const { summary, recorded } = useSession("summary", "recorded");
  const { height } = useView("height");
  const wanted = topFor(useReplay("simulated", "choice"), recorded, summary, height);
  const top = frame.y.domain[1];
  const seen = useRef(height);
  useEffect(() => {
    const isAsked = seen.current !== height;
    seen.current = height;
    if (wanted === top) return;
    const timer = setTimeout(() => onTop(wanted), isAsked ? 0 : SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wanted, top, height, onTop]);
  return null;
}

/** A pause between two requests that is drawn shorter than its duration. */
interface IdleGap {
  /** The request before it. */
  readonly request: number;
  readonly ms: number;
}

/** Positions of the requests on an axis of time. */
interface TimePlaces {
  /** Position of every request, then of the session's end, in milliseconds as drawn. */
  readonly places: Float64Array;
  readonly idle: readonly IdleGap[];
}

/** Longer pauses are idle: the usual TTL of a provider's cache. */
const IDLE_MS = 5 * 60_000;

/** Width of an idle gap as a share of all active time, so that a night does not compress the work to a line. */
const IDLE_SHARE = 0.05;

/** Maximum width of all idle gaps together, as a share of the rest. */
const IDLE_SHARES = 0.5;

/**
 * Places requests by their recorded time. A request without a time has the position of the one before it, as does one with an earlier time.
 * `undefined` if the recording holds fewer than two times.
 * @param at times in ms, NaN if absent
 */
export function timePlaces(at: ArrayLike<number>, requests: number): TimePlaces | undefined {
  const gaps = gapsOf(at, requests);
  if (gaps === undefined) return undefined;
  const active = gaps.filter((gap) => gap <= IDLE_MS).reduce((sum, gap) => sum + gap, 0);
  const idle = gaps.flatMap((ms, request) => (ms > IDLE_MS ? [{ request, ms }] : []));
  const width = Math.max(1, active) * Math.min(IDLE_SHARE, IDLE_SHARES / Math.max(1, idle.length));
  const places = new Float64Array(requests + 1);
  gaps.forEach((gap, request) => {
    places[request + 1] = (places[request] ?? 0) + (gap > IDLE_MS ? width : gap);
  });
  // The last request has no successor, so it gets the mean width of the others.
  const end = places[requests - 1] ?? 0;
  places[requests] = end + Math.max(1, end / Math.max(1, requests - 1));
  return { places, idle };
}

/** The times from each request to the next, all but the last one's. */
function gapsOf(at: ArrayLike<number>, requests: number): readonly number[] | undefined {
  const gaps: number[] = [];
  let last = Number.NaN;
  let known = 0;
  for (let request = 0; request < requests; request++) {
    const time = at[request] ?? Number.NaN;
    if (request > 0) gaps.push(time > last ? time - last : 0);
    if (Number.isNaN(time)) continue;
    known += 1;
    if (!(time < last)) last = time;
  }
  return known < 2 ? undefined : gaps;
}
