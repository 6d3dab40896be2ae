import { axisTop, niceStep } from "@/components/charts/scale";

/** A window of one or more of the compared runs. */
export interface WindowLevel {
  /** Its size, in tokens. */
  readonly tokens: number;
  /** Places of the runs that have it, in order. */
  readonly runs: readonly number[];
}

/** The windows of the runs, each once, in the order of the runs: the recording's is the first. */
export function windowLevels(windows: readonly number[]): readonly WindowLevel[] {
  return [...new Set(windows)].map((tokens) => ({
    tokens,
    runs: windows.flatMap((window, run) => (window === tokens ? [run] : [])),
  }));
}

/** At a window's scale a context of less than this share of it would be a line on the axis. */
const SMALL = 0.1;
/** A further window is in sight up to so many times what has to be: the lines would be pressed to the axis under a larger one. */
const FURTHER = 2;

/**
 * Top of the axis of tokens: the lines, the recording's window, and those of the others as far as they leave the lines room.
 * @param peak the highest point of all lines
 * @param windows of the runs, that of the recording first
 */
export function overlayTop(peak: number, windows: readonly number[]): number {
  const [recorded = 0, ...others] = windows;
  const seen = peak < recorded * SMALL ? peak : Math.max(peak, recorded);
  const highest = others.reduce((top, window) => (window <= seen * FURTHER ? Math.max(top, window) : top), seen);
  // A window is a line that nothing crosses: no air is needed above one that is a whole step.
  return highest > peak && highest % niceStep(highest, 8) === 0 ? highest : axisTop(highest);
}
