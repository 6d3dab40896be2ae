"use client";

import { useEffect, useMemo, useState } from "react";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { axisTop } from "@/components/charts/scale";
import type { Size } from "@/components/charts/use-size";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import type { RequestRange } from "../state/zoom";

/** Below this width labels in lanes have no room: the marks stay, the words go. */
const NARROW = 560;
const WIDE_MARGIN = { left: 52, right: 12, top: 44, bottom: 26 };
const NARROW_MARGIN = { left: 42, right: 10, top: 14, bottom: 26 };

/** Top edges of the two label lanes above the plot. */
export const LANES = { recorded: 6, simulated: 22 } as const;

export function isNarrow(frame: Frame): boolean {
  return frame.width < NARROW;
}

/** Below this share of the window the axis fits the context: at the window's scale nothing could be told apart. */
const SMALL = 0.1;

/** How long the axis waits for a slider to rest before it makes room for a line that outgrew it. */
const SETTLE_MS = 300;

/**
 * The timeline's frame. While a slider moves it stays what it is, so that the stack is not redrawn: only when the slider
 * rests does the token axis follow the simulated peak.
 */
export function useTimelineFrame(size: Size, range: RequestRange): Frame {
  const { summary } = useSession();
  const { recorded } = useRecorded();
  const { simulated, choice } = useReplay();
  const peak = Math.max(recorded.totals.peak, simulated.totals.peak);
  const window = Math.max(summary.contextWindow.tokens, choice.window.tokens);
  const moving = axisTop(peak < window * SMALL ? peak : Math.max(window, peak));
  const top = useSettled(moving, SETTLE_MS);
  return useMemo(
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
}

/** A value that follows another once that has not changed for a while. */
function useSettled(value: number, ms: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (settled === value) return;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [settled, value, ms]);
  return settled;
}
