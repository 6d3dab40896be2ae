import { ITEM_CATEGORIES, OVERHEAD_COUNT } from "../../base/categories";
import { sumOf } from "../../base/numbers";
import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";
import { boundariesOf, FLAG, recordedContext, type SessionColumns } from "../../columns/columns";
import type { CountedColumns } from "../../columns/counted";
import {
  CLEARED_TOKENS,
  isMember,
  type Membership,
  memberSums,
  NEVER,
  recordedMembership,
  tokensAt,
} from "../../columns/membership";
import { pointCount, pointEnd } from "../../columns/points";
import type { RecordedSeries } from "../../context/recorded";

/**
 * Uncached tokens of every request of a recording. For a request after a history change, the usage decides: the sent tokens, minus new items, minus
 * cache reads. So the overhead counts too if it left the cache together with the messages. Without recorded reads, it follows the definition at
 * `SentPrefix`, applied to the recorded contexts. Linear in rows and requests, plus the rows after each change.
 */
export function recordedUncached(recording: CountedColumns, series: RecordedSeries): Int32Array {
  const { columns } = recording;
  const uncached = new Int32Array(pointCount(columns));
  const changes = firstChanges(recording, series);
  if (changes.size === 0) return uncached;
  const measured = byUsage(recording, series);
  const read = readRequests(columns);
  for (const [request, first] of changes) {
    uncached[request] = read.has(request)
      ? notRead(columns, request, measured(estimateFrom(recording, series, request, first, "new"), request))
      : withUnattributed(measured(estimateFrom(recording, series, request, first, "old"), request), series, request);
  }
  return uncached;
}

/** True if recorded cache reads decide the uncached tokens of a recording. */
export function isUncachedByReads(columns: SessionColumns): boolean {
  return readRequests(columns).size > 0;
}

const cache = new WeakMap<SessionColumns["boundaries"], ReadonlySet<RequestIndex>>();

/** Requests after a change whose usage states cache reads; empty if no request of the file read from a cache. */
function readRequests(columns: SessionColumns): ReadonlySet<RequestIndex> {
  const known = cache.get(columns.boundaries);
  if (known !== undefined) return known;
  const { cacheRead } = columns.requests;
  const hasReads = (request: RequestIndex) => (cacheRead[request] ?? -1) >= 0 && recordedContext(columns, request) > 0;
  const changed = cacheRead.some((tokens) => tokens > 0) ? changedRequests(columns) : [];
  const requests = new Set(changed.filter((request) => request > 0 && hasReads(request)));
  cache.set(columns.boundaries, requests);
  return requests;
}

/** Requests before which the history changed in front of kept items. A change that only took back the end of the history does not count. */
function changedRequests(columns: SessionColumns): readonly RequestIndex[] {
  const rollbacks = new Set(boundariesOf(columns, "rollback"));
  return Array.from(columns.boundaries.request).filter(
    (request, row) => !rollbacks.has(row) || keepsAfterDropped(columns, request),
  );
}

/** True if an item after the dropped ones stays in the recorded context before a request. */
function keepsAfterDropped(columns: SessionColumns, request: RequestIndex): boolean {
  const membership = recordedMembership(columns);
  const first = membership.dropped.findIndex(
    (dropped, row) => dropped === request && (membership.entered[row] ?? NEVER) < request,
  );
  if (first < 0) return false;
  return membership.entered.some(
    (entered, row) => row > first && entered < request && isMember(membership, row, request),
  );
}

/** @param fresh tokens of new items, which were not sent before */
function notRead(columns: SessionColumns, request: RequestIndex, fresh: Tokens): Tokens {
  return Math.max(0, recordedContext(columns, request) - fresh - (columns.requests.cacheRead[request] ?? 0));
}

/** Scales the estimate of a part of the context at a request, category by category, to the tokens that its usage leaves for each category. */
function byUsage({ columns, tokens }: CountedColumns, series: RecordedSeries) {
  const categoryOf = (row: number) => columns.category[row] ?? 0;
  const estimates = memberSums(columns, tokens, series, ITEM_CATEGORIES.length, categoryOf);
  const measured = (estimate: Tokens, category: number, request: RequestIndex) => {
    const [actual, all] = [series.byCategory[category]?.[request] ?? 0, estimates[category]?.[request] ?? 0];
    return all === 0 ? 0 : Math.round((estimate * actual) / all);
  };
  return (part: readonly Tokens[], request: RequestIndex): Tokens =>
    sumOf(part.map((estimate, category) => measured(estimate, category, request)));
}

/** The given tokens of the messages, plus their share of the unattributed tokens. */
function withUnattributed(behind: Tokens, { byCategory, unattributed }: RecordedSeries, request: RequestIndex): Tokens {
  const messages = sumOf(byCategory.slice(OVERHEAD_COUNT).map((column) => column[request] ?? 0));
  return messages === 0 ? behind : behind + Math.round(((unattributed[request] ?? 0) * behind) / messages);
}

/** By request, the first row that the previous request sent and this one no longer sends, or not in full. */
function firstChanges(
  { columns, tokens }: CountedColumns,
  { entered, dropped, cleared }: Membership,
): ReadonlyMap<RequestIndex, ItemIndex> {
  const first = new Map<RequestIndex, ItemIndex>();
  const points = pointCount(columns);
  const change = (row: ItemIndex, request: RequestIndex) => {
    const isChange = request < points && (entered[row] ?? NEVER) < request && request <= (dropped[row] ?? NEVER);
    if (isChange && row < (first.get(request) ?? NEVER)) first.set(request, row);
  };
  for (let row = columns.overheadRows; row < columns.length; row++) {
    change(row, dropped[row] ?? NEVER);
    if ((tokens[row] ?? 0) > CLEARED_TOKENS) change(row, cleared[row] ?? NEVER);
  }
  return first;
}

/** Estimate, by category, of the context from a row on: either of the items that enter with the request, or of all others. */
function estimateFrom(
  { columns, tokens }: CountedColumns,
  membership: Membership,
  request: RequestIndex,
  first: ItemIndex,
  wanted: "new" | "old",
): readonly Tokens[] {
  const sums = ITEM_CATEGORIES.map(() => 0);
  for (let row = first; row < pointEnd(columns, request); row++) {
    const isNew = membership.entered[row] === request && ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0;
    if (isNew !== (wanted === "new") || !isMember(membership, row, request)) continue;
    const category = columns.category[row] ?? 0;
    sums[category] = (sums[category] ?? 0) + tokensAt(membership, tokens, row, request);
  }
  return sums;
}
