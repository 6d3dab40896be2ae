import type { AxisMark } from "@/components/charts/axes";
import { type Frame, requestAt } from "@/components/charts/frame";

/** Room for a time of day. */
const APART_PX = 80;

/** Ticks at the starts of requests, far enough apart for their times, each once. */
export function timeMarks(frame: Frame, at: ArrayLike<number>, write: (ms: number) => string): readonly AxisMark[] {
  const marks: AxisMark[] = [];
  for (let px = frame.left; px < frame.right; px += APART_PX) {
    const request = requestAt(frame, px);
    const time = at[request] ?? Number.NaN;
    const place = frame.x.px(request);
    const last = marks.at(-1);
    const isApart = place >= frame.left && (last === undefined || place - last.px >= APART_PX * 0.9);
    if (isApart && !Number.isNaN(time)) marks.push({ px: place, label: write(time) });
  }
  return marks;
}
