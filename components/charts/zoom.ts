import { placeOf, valueAt } from "./scale";

/** The visible requests, half-open. */
export interface RequestRange {
  readonly from: number;
  readonly to: number;
}

/** Minimum number of visible requests, unless the session has fewer. */
export const MIN_REQUESTS = 4;

/** A range within the session; the whole session for a missing or invalid one. */
export function rangeWithin(requests: number, from: number | null, to: number | null): RequestRange {
  const least = Math.min(MIN_REQUESTS, requests);
  const start = Math.max(0, Math.min(from ?? 0, requests - least));
  const end = Math.min(requests, to ?? requests);
  return end - start >= least ? { from: start, to: end } : { from: start, to: Math.min(requests, start + least) };
}

/** The range zoomed by a factor around a request that keeps its place; it never exceeds the session. */
export function zoomed(range: RequestRange, requests: number, around: number, factor: number): RequestRange {
  const span = range.to - range.from;
  const wanted = Math.max(Math.min(MIN_REQUESTS, requests), Math.min(requests, Math.round(span * factor)));
  const share = span === 0 ? 0 : Math.max(0, Math.min(1, (around - range.from) / span));
  return shiftedWithin({ from: Math.round(around - share * wanted), to: 0 }, wanted, requests);
}

/**
 * The range zoomed by a factor around a point, given as a share (0 to 1) of the range's width. It changes by at least one request if it can.
 * @param places positions of the requests (`Frame.places`), for a chart whose x axis is time
 */
export function zoomedAtPlace(
  range: RequestRange,
  requests: number,
  share: number,
  factor: number,
  places?: ArrayLike<number>,
): RequestRange {
  if (factor > 1 && isWhole(range, requests)) return range;
  const place = (request: number) => (places === undefined ? request : placeOf(places, request));
  const at = (where: number) => Math.round(places === undefined ? where : valueAt(places, where));
  const [start, end] = [place(range.from), place(range.to)];
  const around = start + share * (end - start);
  const wanted = { from: at(around - (around - start) * factor), to: at(around + (end - around) * factor) };
  const same = wanted.from === range.from && wanted.to === range.to;
  const step = same ? (factor > 1 ? 1 : -1) : 0;
  return rangeBetween(requests, wanted.from - (share > 0.5 ? step : 0), wanted.to + (share > 0.5 ? 0 : step));
}

/** The range from one request to another, in either order, within the session and at least `MIN_REQUESTS` wide. */
export function rangeBetween(requests: number, one: number, other: number): RequestRange {
  const least = Math.min(MIN_REQUESTS, requests);
  const from = Math.max(0, Math.min(one, other, requests - least));
  return { from, to: Math.min(requests, Math.max(one, other, from + least)) };
}

/** The range moved within the session, its width kept. */
export function moved(range: RequestRange, requests: number, by: number): RequestRange {
  return shiftedWithin({ from: range.from + by, to: 0 }, range.to - range.from, requests);
}

/** The range unchanged if it includes the request; otherwise moved until the request is in its middle, or as near as the session's ends allow. */
export function rangeShowing(range: RequestRange, requests: number, request: number): RequestRange {
  if (request >= range.from && request < range.to) return range;
  const span = range.to - range.from;
  return shiftedWithin({ from: request - Math.floor(span / 2), to: 0 }, span, requests);
}

function shiftedWithin({ from }: RequestRange, span: number, requests: number): RequestRange {
  const start = Math.max(0, Math.min(from, requests - span));
  return { from: start, to: start + span };
}

export function isWhole(range: RequestRange, requests: number): boolean {
  return range.from === 0 && range.to === requests;
}
