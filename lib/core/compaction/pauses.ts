import type { Milliseconds, RequestIndex } from "../base/units";
import { FLAG, type SessionColumns } from "../columns/columns";
import { NEVER } from "../columns/membership";
import { pointCount } from "../columns/points";
import { type Trajectory, trajectoryOf } from "./simulation/trajectory";

/** Pauses of a recording: the times in which its agent waits for the next prompt. */
export interface Pauses {
  /**
   * By request point, the minutes since the previous request if a typed message starts a turn in between and no call waits for its result; otherwise,
   * or if a time is missing, 0. One more entry for the time after the last request: infinite if the agent then waits for a prompt.
   */
  readonly minutes: Float64Array;
  /** By request point with a pause, the number of trajectory items before the typed message. */
  readonly promptAt: Int32Array;
}

const MINUTE_MS = 60_000;

const cache = new WeakMap<SessionColumns["requests"], Pauses>();

/** Pauses by the times of the requests, the clock of the cache rule. Source: docs/method.md, "Pauses". */
export function pausesOf(columns: SessionColumns): Pauses {
  const known = cache.get(columns.requests);
  if (known !== undefined) return known;
  const trajectory = trajectoryOf(columns);
  const points = pointCount(columns);
  const minutes = new Float64Array(points + 1);
  const promptAt = new Int32Array(points);
  for (let point = 1; point < points; point++) {
    if (trajectory.turnStart[point] !== 1 || trajectory.takenBack.has(point)) continue;
    const prompt = promptPosition(columns, trajectory, point);
    const pause = (timeOf(columns, point) - timeOf(columns, point - 1)) / MINUTE_MS;
    if (!(pause > 0) || isAnswering(trajectory, prompt)) continue;
    minutes[point] = pause;
    promptAt[point] = prompt;
  }
  const isTimed = !Number.isNaN(timeOf(columns, points - 1));
  if (isTimed && !isAnswering(trajectory, trajectory.responseEnd[points - 1] ?? 0))
    minutes[points] = Number.POSITIVE_INFINITY;
  const pauses = { minutes, promptAt };
  cache.set(columns.requests, pauses);
  return pauses;
}

/** Time of the compaction that a run makes in the pause before a request. */
export function timeInPause(columns: SessionColumns, request: RequestIndex, afterMinutes: number): Milliseconds {
  return timeOf(columns, request - 1) + afterMinutes * MINUTE_MS;
}

/** Time of a request for caches and prices; NaN without one. */
function timeOf({ requests }: Pick<SessionColumns, "requests">, request: RequestIndex): Milliseconds {
  return requests.billedAt[request] ?? Number.NaN;
}

/** Position of the first typed message that a request sends for the first time. */
function promptPosition(columns: SessionColumns, { items, end, responseEnd }: Trajectory, point: RequestIndex): number {
  let position = responseEnd[point - 1] ?? 0;
  while (position < (end[point] ?? 0) && ((columns.flags[items[position] ?? -1] ?? 0) & FLAG.TURN_START) === 0)
    position += 1;
  return position;
}

/** True if a call before a position has its result after it: then the agent works, or waits for a permission, not for a prompt. */
function isAnswering({ items, openCalls }: Trajectory, position: number): boolean {
  return position > 0 && (openCalls.earliest[items[position - 1] ?? -1] ?? NEVER) !== NEVER;
}
