import { ITEM_CATEGORIES, OVERHEAD_COUNT } from "../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { boundariesOf, FLAG, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { CLEARED_TOKENS, isMember, NEVER, tokensAt } from "../columns/membership";
import { pointEnd } from "../columns/points";
import { plausibleFactor, scaledTokens } from "../context/calibration";
import { shareOut } from "../context/recorded";
import { apportion } from "../tokens/item-estimator";
import { lastMeasured } from "./policies/recorded";
import type { Policy, PolicyPlan, SyntheticItem } from "./policy/policy";
import type { Replay } from "./replay";
import { trajectoryOf } from "./simulation/trajectory";
import { sizesOnEntry } from "./sizes-on-entry";

/**
 * States of an item after a compaction. `cleared`: a placeholder replaced it; `added`: the compaction inserted it; `entered`: it followed a recorded
 * compaction, before its request.
 */
export const ITEM_STATES = ["kept", "truncated", "cleared", "dropped", "added", "entered"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** An item of the context at a compaction. */
export interface BoundaryItem {
  /** Row of the columns. Items at or above the columns' length were added by a simulated compaction. */
  readonly item: ItemIndex;
  readonly state: ItemState;
  /** Tokens before the compaction; 0 for an item that was not in that context. */
  readonly before: Tokens;
  /** Tokens after the compaction; 0 for a dropped item. */
  readonly after: Tokens;
  /** The item that this or an earlier simulated compaction added; absent for items of the recording. */
  readonly synthetic: SyntheticItem | undefined;
}

/**
 * Lists every item of the simulated context at a compaction: first the recorded items in file order, then the added ones. The sizes after it and the
 * overhead sum to its `tokensAfter`. The sizes before it and the overhead sum to its `tokensBefore` if nothing is anchored.
 * @param index of the compaction in `run.compactions`
 * @param sizes of the items as they entered (`entrySizes`)
 */
export function simulatedBoundaryItems(
  columns: SessionColumns,
  run: Replay,
  index: number,
  sizes: Int32Array,
): readonly BoundaryItem[] {
  const compaction = run.compactions[index];
  if (compaction === undefined) return [];
  const { request, truncated, cleared } = compaction;
  const earlier = changedSizes(run, request);
  const changes = new Map<ItemIndex, readonly [ItemState, Tokens]>([
    ...truncated.map(([item, tokens]) => [item, ["truncated", tokens]] as const),
    ...cleared.map(([item, tokens]) => [item, ["cleared", tokens]] as const),
  ]);
  const present = (item: ItemIndex, before: Tokens, dropped: RequestIndex, synthetic?: SyntheticItem): BoundaryItem => {
    if (dropped === request) return { item, state: "dropped", before, after: 0, synthetic };
    const [state, after] = changes.get(item) ?? (["kept", before] as const);
    return { item, state, before, after, synthetic };
  };
  const sizeBefore = (row: ItemIndex): Tokens => {
    const size = sizes[row] ?? 0;
    return (run.cleared[row] ?? NEVER) <= request && !changes.has(row) ? Math.min(size, CLEARED_TOKENS) : size;
  };
  const rows = rowsAt(columns, run, request).map((row) =>
    present(row, earlier.get(row) ?? sizeBefore(row), run.dropped[row] ?? NEVER),
  );
  const synthetic = run.added.flatMap(({ item: added, entered, dropped }, ordinal): BoundaryItem[] => {
    const item = columns.length + ordinal;
    if (entered === request) return [{ item, state: "added", before: 0, after: added.tokens, synthetic: added }];
    const isThere = entered < request && dropped >= request && !trajectoryOf(columns).emptied.has(request);
    return isThere ? [present(item, earlier.get(item) ?? added.tokens, dropped, added)] : [];
  });
  return [...rows, ...synthetic];
}

/** Rows of the simulated context just before a request, as the policy sees it, without items that the user took back there. */
function rowsAt(columns: SessionColumns, run: Replay, request: RequestIndex): readonly ItemIndex[] {
  const takenBack = new Set(trajectoryOf(columns).takenBack.get(request));
  const rows: ItemIndex[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const isThere = (run.entered[row] ?? NEVER) <= request && (run.dropped[row] ?? NEVER) >= request;
    if (isThere && !takenBack.has(row)) rows.push(row);
  }
  return rows;
}

function changedSizes(run: Replay, request: RequestIndex): ReadonlyMap<ItemIndex, Tokens> {
  const before = run.compactions.filter((compaction) => compaction.request < request && compaction.transient !== true);
  return new Map(before.flatMap(({ truncated, cleared }) => [...truncated, ...cleared]));
}

/** Sizes of the items as they enter a replay: scaled if it is calibrated, and with the policy's entry rule applied. */
export function entrySizes(
  recording: CountedColumns,
  policy: Policy,
  plan: Omit<PolicyPlan, "columns">,
  run: Replay,
): Int32Array {
  const { columns, tokens } = recording;
  const { calibration } = run;
  const counted = calibration === undefined ? tokens : scaledTokens(recording, calibration.factor);
  return sizesOnEntry(counted, policy, { ...plan, columns });
}

/** The contexts before and after a compaction, by their parts. */
export interface BoundaryParts {
  /** One part for each overhead row, with its category code. */
  readonly overhead: readonly { readonly category: number; readonly before: Tokens; readonly after: Tokens }[];
  readonly items: readonly BoundaryItem[];
}

/**
 * Lists every item of the recorded context at a recorded compaction: the kept and dropped ones, the added ones (the summary, copies of messages), and
 * those that entered between the compaction and its request. Both contexts are divided as the composition of a request is, so the parts of neither
 * exceed it. If the record states no size, the context before is that of the last request with usage: items that it did not send have no tokens there.
 * @param run the recorded replay
 * @param index of the compaction in `run.compactions`
 */
export function recordedBoundary(columns: SessionColumns, run: Replay, index: number): BoundaryParts {
  const boundary = boundariesOf(columns, "compaction")[index];
  const compaction = run.compactions[index];
  if (boundary === undefined || compaction === undefined) return { overhead: [], items: [] };
  const { request } = compaction;
  const first = columns.boundaries.item[boundary] ?? columns.length;
  const isBefore = (row: ItemIndex) =>
    row < first && ((run.dropped[row] ?? NEVER) >= request || row < columns.overheadRows);
  const isStated = (columns.boundaries.tokensBefore[boundary] ?? -1) >= 0;
  const before = isStated
    ? sizesWithin(columns, run, weightsOf(columns, run, request - 1, isBefore), compaction.tokensBefore)
    : sizesSent(columns, run, lastMeasured(run.estimated, request - 1));
  const after = sizesSent(columns, run, request);
  const items: BoundaryItem[] = [];
  for (let row = columns.overheadRows; row < pointEnd(columns, request); row++) {
    const stays = isMember(run, row, request);
    const sizes = { before: before[row] ?? 0, after: stays ? (after[row] ?? 0) : 0 };
    if (isBefore(row)) items.push({ item: row, state: stays ? "kept" : "dropped", ...sizes, synthetic: undefined });
    else if (row >= first && stays) {
      const isAdded = ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0;
      items.push({ item: row, state: isAdded ? "added" : "entered", ...sizes, before: 0, synthetic: undefined });
    }
  }
  const overhead = Array.from({ length: columns.overheadRows }, (_, row) => {
    return { category: columns.category[row] ?? 0, before: before[row] ?? 0, after: after[row] ?? 0 };
  });
  return { overhead, items };
}

/** Sizes of the rows that a recorded request sent, as its composition gives them; the counted sizes after the last request, which nothing sent. */
function sizesSent(columns: SessionColumns, run: Replay, point: RequestIndex): Int32Array {
  const weights = weightsOf(columns, run, point, (row) => isMember(run, row, point));
  if (point < 0 || point >= run.context.length) return sizesWithin(columns, run, weights, 0);
  const parts = run.byCategory.map((tokens) => tokens[point] ?? 0);
  const overhead = parts.slice(0, OVERHEAD_COUNT).reduce((sum, tokens) => sum + tokens, 0);
  // A profile moves overhead between its categories, and none of its own has a row.
  const estimates = categorySums(columns, weights).slice(0, OVERHEAD_COUNT);
  return spread(columns, weights, parts.toSpliced(0, OVERHEAD_COUNT, ...apportion(overhead, estimates)));
}

/** The estimates as parts of a context of a stated size; if it is 0, it is unknown and the parts are only scaled. */
function sizesWithin(columns: SessionColumns, run: Replay, weights: Int32Array, total: Tokens): Int32Array {
  const parts = categorySums(columns, weights);
  const estimated = parts.reduce((sum, tokens) => sum + tokens, 0);
  const factor = plausibleFactor(run.calibration);
  shareOut(total > 0 ? total : Math.ceil(estimated * Math.max(1, factor ?? 1)), parts, factor);
  return spread(columns, weights, parts);
}

/** Estimates of the rows in a context at a request, 0 for all other rows. */
function weightsOf(
  columns: SessionColumns,
  run: Replay,
  point: RequestIndex,
  isThere: (row: ItemIndex) => boolean,
): Int32Array {
  return Int32Array.from({ length: columns.length }, (_, row) =>
    isThere(row) ? tokensAt(run, run.sizes, row, point) : 0,
  );
}

function categorySums(columns: SessionColumns, weights: Int32Array): Tokens[] {
  const sums: Tokens[] = ITEM_CATEGORIES.map(() => 0);
  weights.forEach((tokens, row) => {
    const category = columns.category[row] ?? 0;
    sums[category] = (sums[category] ?? 0) + tokens;
  });
  return sums;
}

/** Divides each category's tokens among its rows by their estimates. */
function spread(columns: SessionColumns, weights: Int32Array, parts: readonly Tokens[]): Int32Array {
  const rows: ItemIndex[][] = parts.map(() => []);
  weights.forEach((tokens, row) => {
    if (tokens > 0) rows[columns.category[row] ?? 0]?.push(row);
  });
  const sizes = new Int32Array(columns.length);
  for (const [category, own] of rows.entries()) {
    const shares = apportion(
      parts[category] ?? 0,
      own.map((row) => weights[row] ?? 0),
    );
    for (const [at, row] of own.entries()) sizes[row] = shares[at] ?? 0;
  }
  return sizes;
}

/** Number of items and tokens in every state. Dropped items count with their size before, all others with their size after. */
export function stateSums(
  items: readonly BoundaryItem[],
): Readonly<Record<ItemState, { readonly items: number; readonly tokens: Tokens }>> {
  const sums = Object.fromEntries(ITEM_STATES.map((state) => [state, { items: 0, tokens: 0 }])) as Record<
    ItemState,
    { items: number; tokens: Tokens }
  >; // `fromEntries` loses the type of its keys.
  for (const { state, before, after } of items) {
    sums[state].items += 1;
    sums[state].tokens += state === "dropped" ? before : after;
  }
  return sums;
}
