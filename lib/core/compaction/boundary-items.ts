import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { boundariesOf, FLAG, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { CLEARED_TOKENS, isMember, NEVER } from "../columns/membership";
import { pointEnd } from "../columns/points";
import { scaledTokens } from "../context/calibration";
import { lastMeasured, sentSizes, sizesWithin } from "../context/recorded";
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
  return sizesOnEntry(counted, policy, { ...plan, columns }).sizes;
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
  const recording = { columns, tokens: run.sizes };
  const before = isStated
    ? sizesWithin(recording, run, { point: request - 1, isThere: isBefore }, compaction.tokensBefore)
    : sentSizes(recording, run, lastMeasured(run.estimated, request - 1));
  const after = sentSizes(recording, run, request);
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
