import { axisTop, niceStep } from "@/components/charts/scale";

/** A window of one or more of the compared runs. */
export interface WindowLevel {
  /** Its size, in tokens. */
  readonly tokens: number;
  /** Positions of the runs that have it, in order. */
  readonly runs: readonly number[];
}

/** The windows of the runs, each once, in run order: the recording's is the first. */
export function windowLevels(windows: readonly number[]): readonly WindowLevel[] {
  return [...new Set(windows)].map((tokens) => ({
    tokens,
    runs: windows.flatMap((window, run) => (window === tokens ? [run] : [])),
  }));
}

/** A context below this share of the window would look like a line on the axis at the window's scale. */
const SMALL = 0.1;
/** The axis reaches up to another window only if that makes it at most this many times as high: a higher axis would press the lines to its foot. */
const FURTHER = 2;

/**
 * Top of the token axis: it includes the lines, the recording's window, and those of the other windows that leave the lines
 * enough room.
 * @param peak the highest point of all lines
 * @param windows windows of the runs, the recording's first
 */
export function overlayTop(peak: number, windows: readonly number[]): number {
  const [recorded = 0, ...others] = windows;
  const seen = peak < recorded * SMALL ? peak : Math.max(peak, recorded);
  const highest = others.reduce((top, window) => (window <= seen * FURTHER ? Math.max(top, window) : top), seen);
  // Nothing crosses the line of a window, so one on a whole step needs no air above it.
  return highest > peak && highest % niceStep(highest, 8) === 0 ? highest : axisTop(highest);
}
