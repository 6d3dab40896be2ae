import { SettingError } from "../compaction/policy/settings";

/** A varied setting: values from `from` to `to`, both included, `step` apart. */
export interface VaryRange {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** One point of a sweep: a value for every varied setting. */
export type SweepSet = Readonly<Record<string, number>>;

/** Maximum points in one sweep of one recording. */
export const MAX_POINTS = 10_000;

/** Maximum replays in one sweep, over all its points and recordings: some minutes on two cores. */
export const MAX_REPLAYS = 1_000_000;

/** Share of a step by which the last step may miss the end of the range: 0.1 + 0.2 is not 0.3. */
const SLACK = 1e-6;

/** The values of a range, free of floating-point noise. Throws `SettingError` if the range is invalid or has too many values. */
export function rangeValues({ key, from, to, step }: VaryRange): readonly number[] {
  if (![from, to, step].every(Number.isFinite)) throw new SettingError(`the range of ${key} must be three numbers`);
  if (step <= 0) throw new SettingError(`the step of ${key} must be above 0`);
  if (to < from) throw new SettingError(`the range of ${key} must not end before it starts`);
  const steps = Math.floor((to - from) / step + SLACK);
  if (steps >= MAX_POINTS) throw new SettingError(`the range of ${key} has more than ${MAX_POINTS} values`);
  const digits = Math.min(12, Math.max(decimals(from), decimals(step)));
  return Array.from({ length: steps + 1 }, (_, index) => Number((from + index * step).toFixed(digits)));
}

/** Number of decimals of a number as written: 0.05 has 2, 1e-7 has 7. */
function decimals(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (mantissa.split(".")[1] ?? "").length - Number(exponent));
}

/** The points of one or two ranges, the first range outermost. Throws `SettingError`. */
export function sweepPoints(ranges: readonly VaryRange[]): readonly SweepSet[] {
  const keys = new Set(ranges.map(({ key }) => key));
  if (keys.size !== ranges.length) throw new SettingError("a setting can be varied once only");
  let points: readonly SweepSet[] = [{}];
  for (const range of ranges) {
    const values = rangeValues(range);
    if (points.length * values.length > MAX_POINTS) {
      throw new SettingError(`the sweep has ${points.length * values.length} points; ${MAX_POINTS} are the most`);
    }
    points = points.flatMap((point) => values.map((value) => ({ ...point, [range.key]: value })));
  }
  return points;
}

/** The size of a sweep over some recordings. */
export interface SweepSize {
  readonly points: number;
  readonly recordings: number;
  readonly replays: number;
  /** True if it exceeds `MAX_REPLAYS`. */
  readonly isTooLarge: boolean;
}

/** The size of a sweep. Throws `SettingError` if the ranges are invalid. */
export function sweepSize(ranges: readonly VaryRange[], recordings: number): SweepSize {
  const points = sweepPoints(ranges).length;
  const replays = points * recordings;
  return { points, recordings, replays, isTooLarge: replays > MAX_REPLAYS };
}

/** The number of replays of a sweep. Throws `SettingError` if its ranges are invalid or it exceeds `MAX_REPLAYS`. */
export function sweepReplays(ranges: readonly VaryRange[], recordings: number): number {
  const { points, replays, isTooLarge } = sweepSize(ranges, recordings);
  if (!isTooLarge) return replays;
  const [replayCount, pointCount, recordingCount, limit] = [replays, points, recordings, MAX_REPLAYS].map((count) =>
    count.toLocaleString("en"),
  );
  throw new SettingError(
    `the sweep has ${replayCount} replays (${pointCount} points × ${recordingCount} recordings); ${limit} are the most: take fewer values, or fewer recordings`,
  );
}
