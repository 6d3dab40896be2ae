import { useEffect, useMemo, useState } from "react";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { axisTop } from "@/components/charts/scale";
import type { Size } from "@/components/charts/use-size";
import type { Replay } from "@/lib/core/compaction/replay";
import { useRecorded } from "../state/recorded-data";
import { type ReplayData, useReplay, useReplayActions } from "../state/replay-data";
import { useSession } from "../state/session-data";
import type { RequestRange } from "../state/zoom";

/** Below this width there is no room for labels in the lanes: the marks stay, their words go. */
const NARROW = 560;
const WIDE_MARGIN = { left: 52, right: 12, top: 44, bottom: 26 };
const NARROW_MARGIN = { left: 42, right: 10, top: 14, bottom: 26 };

/** Top edges of the two label lanes above the plot. */
export const LANES = { recorded: 6, simulated: 22 } as const;

/** How far above the plot the ticks of boundaries without a line end. */
export const TICKS = { recorded: 5, simulated: 1 } as const;

export function isNarrow(frame: Frame): boolean {
  return frame.width < NARROW;
}

/** If the peak is below this share of the window, the axis fits the context instead: at the window's scale nothing could be told apart. */
const SMALL = 0.1;

/** How long a slider has to rest before the axis makes room for a line that outgrew it. */
const SETTLE_MS = 300;

/** Top of the token axis: it includes the windows and everything that was sent or would have been. */
function topFor({ simulated, choice }: ReplayData, recorded: Replay, recordedWindow: number): number {
  const peak = Math.max(recorded.totals.peak, simulated.totals.peak);
  const window = Math.max(recordedWindow, choice.window.tokens);
  return axisTop(peak < window * SMALL ? peak : Math.max(window, peak));
}

/**
 * The timeline's frame. It stays the same while a slider moves, so that the stack is not redrawn; when the slider rests,
 * `AxisWatch` passes on the simulated peak.
 */
export function useTimelineFrame(size: Size, range: RequestRange): readonly [Frame, (top: number) => void] {
  const { summary } = useSession();
  const { recorded } = useRecorded();
  const { latest } = useReplayActions();
  const [top, setTop] = useState(() => topFor(latest(), recorded, summary.contextWindow.tokens));
  const frame = useMemo(
    () =>
      chartFrame({
        ...size,
        margin: size.width < NARROW ? NARROW_MARGIN : WIDE_MARGIN,
        from: range.from,
        to: range.to,
        top,
      }),
    [size, range, top],
  );
  return [frame, setTop];
}

interface AxisWatchProps {
  readonly frame: Frame;
  readonly onTop: (top: number) => void;
}

/** Draws nothing. It follows the simulated peak, and reports the axis top for it once that has settled. */
export function AxisWatch({ frame, onTop }: AxisWatchProps) {
  const { summary } = useSession();
  const { recorded } = useRecorded();
  const wanted = topFor(useReplay(), recorded, summary.contextWindow.tokens);
  const top = frame.y.domain[1];
  useEffect(() => {
    if (wanted === top) return;
    const timer = setTimeout(() => onTop(wanted), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wanted, top, onTop]);
  return null;
}
