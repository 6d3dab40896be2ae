/** A pause between two requests that is drawn shorter than it was. */
export interface IdleGap {
  /** The request before it. */
  readonly request: number;
  readonly ms: number;
}

/** Where the requests stand on an axis of time. */
export interface TimePlaces {
  /** Of every request, and at last of the session's end; in drawn milliseconds. */
  readonly places: Float64Array;
  readonly idle: readonly IdleGap[];
}

/** Pauses longer than this are idle: the usual lifetime of a provider's cache. */
const IDLE_MS = 5 * 60_000;

/** An idle gap is as wide as this share of all that was not idle, so that a night does not press the work to a line. */
const IDLE_SHARE = 0.05;

/** All idle gaps together are at most as wide as this share of the rest. */
const IDLE_SHARES = 0.5;

/**
 * Places requests by the time at which they were recorded. A request without a time stands where the one before it does, as does one whose clock
 * went back. `undefined` where the recording holds fewer than two times.
 * @param at times in ms, NaN where there is none
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
  // The last request has no next one: it is as wide as the others are on the mean.
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
