import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { FLAG, type SessionColumns } from "../columns/columns";
import { CLEARED_TOKENS, isMember, type Membership, memberSums, NEVER, tokensAt } from "../columns/membership";
import { pointCount, pointEnd } from "../columns/points";
import { ITEM_CATEGORIES, OVERHEAD_COUNT } from "../context/categories";
import type { RecordedSeries } from "../context/recorded";

/**
 * What every request of a recording rewrote, as `SentPrefix` defines it. The contexts are those that the file records, items
 * in file order; what a recorded compaction put there (summary, copies) replaces what was. An item weighs what the recorded
 * context leaves for its category, as everywhere; what no item accounts for (files attached again, reminders) stands among
 * the messages, in proportion.
 * Linear in rows and requests, and again in the rows behind every change.
 */
export function recordedRewritten(columns: SessionColumns, tokens: Int32Array, series: RecordedSeries): Int32Array {
  const rewritten = new Int32Array(pointCount(columns));
  const changes = firstChanges(columns, tokens, series);
  if (changes.size === 0) return rewritten;
  const categoryOf = (row: number) => columns.category[row] ?? 0;
  const estimates = memberSums(columns, tokens, series, ITEM_CATEGORIES.length, categoryOf);
  for (const [request, first] of changes) {
    const behind = estimatesBehind(columns, tokens, series, request, first);
    const measured = behind.map((estimate, category) => {
      const [actual, all] = [series.byCategory[category]?.[request] ?? 0, estimates[category]?.[request] ?? 0];
      return all === 0 ? 0 : Math.round((estimate * actual) / all);
    });
    rewritten[request] = withUnattributed(sumOf(measured), series, request);
  }
  return rewritten;
}

/** Those tokens of the messages, with their share of what no item accounts for. */
function withUnattributed(behind: Tokens, { byCategory, unattributed }: RecordedSeries, request: RequestIndex): Tokens {
  const messages = sumOf(byCategory.slice(OVERHEAD_COUNT).map((column) => column[request] ?? 0));
  return messages === 0 ? behind : behind + Math.round(((unattributed[request] ?? 0) * behind) / messages);
}

const sumOf = (parts: readonly Tokens[]): Tokens => parts.reduce((sum, part) => sum + part, 0);

/** First row by request that was sent with the one before it and is not any more, or not whole. */
function firstChanges(
  columns: SessionColumns,
  tokens: Int32Array,
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

/** Estimate by category of the context from a row on, without what enters with the request. */
function estimatesBehind(
  columns: SessionColumns,
  tokens: Int32Array,
  membership: Membership,
  request: RequestIndex,
  first: ItemIndex,
): readonly Tokens[] {
  const sums = ITEM_CATEGORIES.map(() => 0);
  for (let row = first; row < pointEnd(columns, request); row++) {
    const isNew = membership.entered[row] === request && ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0;
    if (isNew || !isMember(membership, row, request)) continue;
    const category = columns.category[row] ?? 0;
    sums[category] = (sums[category] ?? 0) + tokensAt(membership, tokens, row, request);
  }
  return sums;
}
