import { AssertionError, assert } from "../../base/assert";
import { categoryCode, ITEM_CATEGORIES } from "../../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";
import { KIND, type SessionColumns } from "../../columns/columns";
import { CLEARED_TOKENS, NEVER } from "../../columns/membership";
import { pointCount } from "../../columns/points";
import type { ContextItems, Positions, Retention, SyntheticItem } from "../policy/policy";
import { CategoryChanges } from "./category-changes";
import { ContextOrder } from "./context-order";
import type { Entries } from "./entries";
import { assertPositions, countOf, gapsBetween, rangesOf } from "./positions";
import { ResultsInContext } from "./results-in-context";
import { SentPrefix } from "./sent-prefix";
import type { Trajectory } from "./trajectory";

/** Item that a compaction added, and the requests between which it was in the context. */
export interface AddedItem {
  readonly item: SyntheticItem;
  /** Current tokens, or the tokens when it left. */
  size: Tokens;
  readonly entered: RequestIndex;
  dropped: RequestIndex;
}

/**
 * The context under simulation: its items, their order and their sizes. Sums are updated as items enter and leave: a request costs as much as it
 * adds, a compaction as much as it drops.
 */
export class SimulatedContext implements ContextItems {
  readonly changes: CategoryChanges;
  readonly added: AddedItem[] = [];
  readonly #columns: SessionColumns;
  /** Items from here on are added ones. */
  readonly #length: number;
  readonly #trajectory: Trajectory;
  /** Shared with the caller until an item changes its size. */
  #tokens: Int32Array;
  #isOwn = false;
  /** Both are shared with other replays until an item leaves or is cleared. */
  #dropped: Int32Array;
  #cleared: Int32Array;
  readonly #order: ContextOrder;
  readonly #results: ResultsInContext;
  /** Tokens that are about to leave, by category: collected here, then subtracted together. */
  readonly #leaving = new Int32Array(ITEM_CATEGORIES.length);
  #total = 0;
  readonly #sent: SentPrefix;
  /** Rows that had another size for the last request only, and that size. */
  readonly #temporarySizes = new Map<ItemIndex, Tokens>();

  readonly #entries: Entries | undefined;

  /**
   * @param tokens sizes as the items enter, entry rules applied
   * @param entries computed from exactly these sizes; absent if `presize` may change one
   */
  constructor(columns: SessionColumns, trajectory: Trajectory, tokens: Int32Array, entries?: Entries) {
    this.#columns = columns;
    this.#length = columns.length;
    this.#trajectory = trajectory;
    this.#tokens = tokens;
    this.#dropped = trajectory.blank.never;
    this.#cleared = trajectory.blank.never;
    this.#entries = entries;
    this.#order = new ContextOrder(trajectory.items);
    this.changes = new CategoryChanges(pointCount(columns), entries?.sums);
    for (let row = 0; row < columns.overheadRows; row++) {
      const size = tokens[row] ?? 0;
      this.#total += size;
      if (entries === undefined) this.changes.add(columns.category[row] ?? 0, size, 0);
    }
    this.#sent = new SentPrefix(trajectory.entered, this.#total, pointCount(columns));
    this.#results = new ResultsInContext(
      trajectory.results,
      (row) => this.#dropped[row] === NEVER,
      (row) => this.#isClearable(row),
    );
  }

  /** Request from which on each row was gone. Do not write to it. */
  get dropped(): Int32Array {
    return this.#dropped;
  }

  /** Request from which on each row was a placeholder. Do not write to it. */
  get cleared(): Int32Array {
    return this.#cleared;
  }

  /** Tokens of all items, overhead included. */
  get total(): Tokens {
    return this.#total;
  }

  /** Number of items, without the overhead. */
  get length(): number {
    return this.#order.length;
  }

  at(position: number): ItemIndex {
    return this.#order.at(position);
  }

  list(): Int32Array {
    return this.#order.list();
  }

  tokensOf(item: ItemIndex): Tokens {
    return (item < this.#length ? this.#tokens[item] : this.added[item - this.#length]?.size) ?? 0;
  }

  results(): Int32Array {
    return this.#results.upTo(this.#lastEntered());
  }

  hasClearable(before: ItemIndex): boolean {
    return this.#results.hasClearable(before);
  }

  clearable(before: ItemIndex): readonly ItemIndex[] {
    return this.#results.clearable(before);
  }

  /** Stays false for a row once it is false: dropped and cleared rows stay so, and sizes only shrink. */
  #isClearable(row: ItemIndex): boolean {
    return this.isWhole(row) && (this.#tokens[row] ?? 0) > CLEARED_TOKENS;
  }

  /** Last row of the trajectory that has entered; −1 before the first. */
  #lastEntered(): ItemIndex {
    const { entered } = this.#order;
    return entered === 0 ? -1 : (this.#trajectory.items[entered - 1] ?? -1);
  }

  /** Adds the trajectory's items before position `to` with a request and returns their tokens. */
  enter(to: number, request: RequestIndex): Tokens {
    const from = this.#order.entered;
    if (to <= from) return 0;
    const before = this.#entries?.before;
    const tokens =
      before === undefined ? this.#enterOneByOne(from, to, request) : ((before[to] ?? 0) - (before[from] ?? 0)) | 0;
    this.#order.enter(to);
    this.#total += tokens;
    return tokens;
  }

  #enterOneByOne(from: number, to: number, request: RequestIndex): Tokens {
    const { items } = this.#trajectory;
    const { category } = this.#columns;
    const [tokens, changes] = [this.#tokens, this.changes];
    let sum = 0;
    for (let position = from; position < to; position++) {
      const row = items[position] ?? 0;
      const size = tokens[row] ?? 0;
      changes.add(category[row] ?? 0, size, request);
      sum += size;
    }
    return sum;
  }

  /** Uncached tokens of a request (`SentPrefix`). Call it once per request, when its context is complete. */
  uncachedAt(request: RequestIndex): Tokens {
    if (this.#temporarySizes.size > 0) this.#settleTemporarySizes(request);
    return this.#sent.settle(this, request);
  }

  /**
   * Tokens that each request shares with the one before it.
   * @param sent whole context of each request
   */
  sharedOf(sent: Int32Array): Int32Array {
    return this.#sent.sharedOf(sent);
  }

  /** An item that had another size for the last request only counts as changed if it is not sent in that size again. */
  #settleTemporarySizes(request: RequestIndex): void {
    for (const [item, sent] of this.#temporarySizes) {
      if (this.tokensOf(item) !== sent && this.#isThere(item, request)) this.#sent.resized(item, request);
    }
    this.#temporarySizes.clear();
  }

  /** Restores the sizes from before a retention that held for the last request only. */
  restore(lasting: ReadonlyMap<ItemIndex, Tokens>, request: RequestIndex): void {
    for (const [item, size] of lasting) {
      this.#temporarySizes.set(item, this.tokensOf(item));
      this.#resize(item, size, request);
      if (this.#cleared[item] === request - 1) this.#markCleared(item, NEVER);
    }
    this.#results.restored();
  }

  /**
   * Removes the remaining items of turns that the user took back. Unlike after a compaction, a result may stay without its call: the recording
   * decides this, not a policy.
   */
  takeBack(taken: readonly ItemIndex[], request: RequestIndex): void {
    const gone = new Set(taken);
    const isEmptied = this.#trajectory.emptied.has(request);
    const stay: number[] = [];
    for (let position = 0; position < this.length; position++) {
      const item = this.at(position);
      if (!gone.has(item) && !(isEmptied && item >= this.#length)) stay.push(position);
    }
    const kept = rangesOf(stay);
    this.#drop(kept, request);
    this.#order.rearrange(kept, [], "back");
  }

  /**
   * Replaces the context by the retained items of a compaction. Throws `AssertionError` if the retention breaks an invariant of every policy: kept
   * items are in the context and in its order (nothing dropped comes back), no result stays if its call was dropped, changed items are kept ones, and
   * sizes are not negative.
   */
  apply(retention: Retention, request: RequestIndex): void {
    assertPositions(retention.kept, this.length);
    if (retention.transient === true) this.#assertSizesAlone(retention);
    for (const [from, to] of this.#drop(retention.kept, request)) this.#assertNoResults(from, to, request);
    for (const [item, tokens] of retention.truncated) this.#resize(item, tokens, request);
    for (const [item, tokens] of retention.cleared) {
      this.#resize(item, tokens, request);
      if (item < this.#length) this.#markCleared(item, request);
    }
    if (retention.added.length === 0 && countOf(retention.kept) === this.length) return;
    const added = retention.added.map((item) => this.#add(item, request));
    if (added.length > 0 && retention.addedAt === "front") this.#sent.pushedBack(this, request);
    this.#order.rearrange(retention.kept, added, retention.addedAt, retention.entering);
  }

  #assertSizesAlone({ kept, added, truncated, cleared }: Retention): void {
    assert(countOf(kept) === this.length && added.length === 0, "a retention for one request to change sizes alone");
    const isRecorded = ([item]: readonly [ItemIndex, Tokens]) => item < this.#length;
    assert([...truncated, ...cleared].every(isRecorded), "a retention for one request to change recorded items alone");
  }

  /** Sets another size for a row before it enters. */
  presize(row: ItemIndex, tokens: Tokens): void {
    this.#ownTokens()[row] = tokens;
  }

  has(row: ItemIndex): boolean {
    return this.#dropped[row] === NEVER && row <= this.#lastEntered() && this.#trajectory.entered[row] !== NEVER;
  }

  /** True if a row that has entered is in the context and not cleared. */
  isWhole(row: ItemIndex): boolean {
    return this.#dropped[row] === NEVER && this.#cleared[row] === NEVER;
  }

  /** Replaces a row by a placeholder if the row is in the context and larger. Returns true if it did. */
  clear(row: ItemIndex, tokens: Tokens, request: RequestIndex): boolean {
    if (!this.#isThere(row, request) || this.tokensOf(row) <= tokens) return false;
    this.#resize(row, tokens, request);
    this.#markCleared(row, request);
    return true;
  }

  #markCleared(row: ItemIndex, request: RequestIndex): void {
    if (this.#cleared === this.#trajectory.blank.never) this.#cleared = this.#cleared.slice();
    this.#cleared[row] = request;
  }

  /** Kept items of a compaction before a request: recorded items in file order, then items that earlier compactions added. */
  keptAt(request: RequestIndex): readonly ItemIndex[] {
    const kept: ItemIndex[] = [];
    for (const row of this.#trajectory.items) {
      if ((this.#trajectory.entered[row] ?? NEVER) > request) break;
      if ((this.#dropped[row] ?? NEVER) > request) kept.push(row);
    }
    this.added.forEach(({ entered, dropped }, index) => {
      if (entered < request && dropped > request) kept.push(this.#length + index);
    });
    return kept;
  }

  /** Removes the items that are not kept and returns their positions. */
  #drop(kept: Positions, request: RequestIndex): Positions {
    if (countOf(kept) === this.length) return [];
    if (this.#dropped === this.#trajectory.blank.never) this.#dropped = this.#dropped.slice();
    this.#results.left();
    const gaps = gapsBetween(kept, this.length);
    for (const [from, to] of gaps) this.#leave(from, to, request);
    return gaps;
  }

  /** Removes the items between two positions. */
  #leave(from: number, to: number, request: RequestIndex): void {
    const { category } = this.#columns;
    const [order, tokens, dropped, leaving] = [this.#order, this.#tokens, this.#dropped, this.#leaving];
    const length = this.#length;
    this.#sent.left(this, from, to, request);
    for (let position = from; position < to; position++) {
      const item = order.at(position);
      if (item < length) {
        const code = category[item] ?? 0;
        leaving[code] = (leaving[code] ?? 0) + (tokens[item] ?? 0);
        dropped[item] = request;
      } else this.#leaveAdded(item, request);
    }
    for (let code = 0; code < leaving.length; code++) {
      if (leaving[code] !== 0) this.#count(code, -(leaving[code] ?? 0), request);
    }
    leaving.fill(0);
  }

  #leaveAdded(item: ItemIndex, request: RequestIndex): void {
    const added = this.#addedAt(item);
    if (added === undefined) return;
    this.#count(categoryCode(added.item.category), -added.size, request);
    added.dropped = request;
  }

  /** Asserts that no result stays if its call left from between two positions. */
  #assertNoResults(from: number, to: number, request: RequestIndex): void {
    const { openCalls } = this.#trajectory;
    const { kind } = this.#columns;
    let last = to - 1;
    while (last >= from && this.at(last) >= this.#length) last -= 1;
    // Results of earlier calls are before the last item that left, so they left with it.
    const earliest = openCalls.hasEarlyResults ? 0 : (openCalls.earliest[this.at(last)] ?? NEVER);
    for (let position = last; position >= from; position--) {
      const item = this.at(position);
      if (item < earliest) break;
      if (kind[item] === KIND.tool_call) this.#assertNoResult(item, request);
    }
  }

  #assertNoResult(call: ItemIndex, request: RequestIndex): void {
    const more = this.#trajectory.moreResults.get(call) ?? [this.#columns.pair[call] ?? -1];
    const stays = more.some((result) => result >= 0 && this.#isThere(result, request));
    assert(!stays, `the results of call ${call} to go with it`);
  }

  /** True if an item, recorded or added, is in the context by a request. */
  #isThere(item: ItemIndex, request: RequestIndex): boolean {
    const added = this.#addedAt(item);
    if (added !== undefined) return added.dropped === NEVER;
    return this.#dropped[item] === NEVER && (this.#trajectory.entered[item] ?? NEVER) <= request;
  }

  #resize(item: ItemIndex, tokens: Tokens, request: RequestIndex): void {
    if (!(tokens >= 0)) throw new AssertionError(`expected a size of at least 0 for item ${item}`);
    if (!this.#isThere(item, request)) throw new AssertionError(`expected changed item ${item} to be kept`);
    const change = tokens - this.tokensOf(item);
    this.#count(this.#categoryOf(item), change, request);
    const added = this.#addedAt(item);
    if (added === undefined) {
      if (change !== 0 && !this.#temporarySizes.has(item)) this.#sent.resized(item, request);
      this.#ownTokens()[item] = tokens;
    } else {
      if (change !== 0) this.#sent.changed(this.list().indexOf(item), item, request);
      added.size = tokens;
    }
  }

  #ownTokens(): Int32Array {
    if (!this.#isOwn) this.#tokens = this.#tokens.slice();
    this.#isOwn = true;
    return this.#tokens;
  }

  #add(item: SyntheticItem, request: RequestIndex): ItemIndex {
    assert(item.tokens >= 0, `a size of at least 0 for ${item.label}`);
    this.#count(categoryCode(item.category), item.tokens, request);
    return this.#length + this.added.push({ item, size: item.tokens, entered: request, dropped: NEVER }) - 1;
  }

  #addedAt(item: ItemIndex): AddedItem | undefined {
    return item < this.#length ? undefined : this.added[item - this.#length];
  }

  #categoryOf(item: ItemIndex): number {
    const added = this.#addedAt(item);
    return added === undefined ? (this.#columns.category[item] ?? 0) : categoryCode(added.item.category);
  }

  #count(category: number, tokens: Tokens, request: RequestIndex): void {
    this.changes.add(category, tokens, request);
    this.#total += tokens;
  }
}
