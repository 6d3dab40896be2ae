import { AssertionError, assert } from "../base/assert";
import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { KINDS, type SessionColumns } from "../columns/columns";
import { CLEARED_TOKENS, NEVER } from "../columns/membership";
import { pointCount } from "../columns/points";
import { categoryCode, ITEM_CATEGORIES } from "../context/categories";
import { CategoryChanges } from "../context/series";
import type { Entries } from "./entries";
import type { ContextItems, Positions, Retention, SyntheticItem } from "./policy";
import { assertPositions, countOf, rangesOf } from "./positions";
import { SentPrefix } from "./sent-prefix";
import type { Trajectory } from "./trajectory";

const CALL = KINDS.indexOf("tool_call");
const NOTHING: readonly never[] = [];

/** An item that a compaction added, and the requests between which it was in the context. */
export interface AddedItem {
  readonly item: SyntheticItem;
  /** Tokens as it stands now, or stood when it left. */
  size: Tokens;
  readonly entered: RequestIndex;
  dropped: RequestIndex;
}

/**
 * The context under simulation: what earlier compactions left (`head`), then a stretch of the trajectory (`tail`) that
 * only grows. Sums are kept as items come and go: a request costs as much as it adds, a compaction as much as it drops.
 */
export class SimulatedContext implements ContextItems {
  readonly dropped: Int32Array;
  readonly cleared: Int32Array;
  /** What every request changed of each category. */
  readonly changes: CategoryChanges;
  readonly added: AddedItem[] = [];
  readonly #columns: SessionColumns;
  /** Items from here on are added ones. */
  readonly #length: number;
  readonly #trajectory: Trajectory;
  /** Shared with the caller until an item changes its size. */
  #tokens: Int32Array;
  #isOwn = false;
  /** The head's items in the first `#headLength` places, and the room in which the next head is put together. */
  #head = new Int32Array(64);
  #nextHead = new Int32Array(64);
  #headLength = 0;
  /** Room for the items as one list. */
  #list = new Int32Array(64);
  /** Tokens that leave, by category: summed up here, counted together. */
  readonly #left = new Float64Array(ITEM_CATEGORIES.length);
  #tailFrom = 0;
  #tailTo = 0;
  #total = 0;
  /** Of the trajectory's results; those before it are not clearable any more. */
  #firstClearable = 0;
  readonly #sent: SentPrefix;
  /** Rows that had another size for the last request alone, and that size. */
  readonly #lent = new Map<ItemIndex, Tokens>();

  readonly #entries: Entries | undefined;

  /**
   * @param tokens sizes as the items enter, entry rules applied
   * @param entries of just these sizes; absent where `presize` may change one
   */
  constructor(columns: SessionColumns, trajectory: Trajectory, tokens: Int32Array, entries?: Entries) {
    this.#columns = columns;
    this.#length = columns.length;
    this.#trajectory = trajectory;
    this.#tokens = tokens;
    this.dropped = new Int32Array(columns.length).fill(NEVER);
    this.cleared = new Int32Array(columns.length).fill(NEVER);
    this.#entries = entries;
    this.changes = entries?.changes.copy() ?? new CategoryChanges(pointCount(columns));
    for (let row = 0; row < columns.overheadRows; row++) this.#count(columns.category[row] ?? 0, tokens[row] ?? 0, 0);
    this.#sent = new SentPrefix(trajectory.entered, this.#total);
  }

  /** Tokens of everything, overhead included. */
  get total(): Tokens {
    return this.#total;
  }

  /** Number of items, overhead not among them. */
  get length(): number {
    return this.#headLength + this.#tailTo - this.#tailFrom;
  }

  /** The item at a position, oldest first. */
  at(position: number): ItemIndex {
    const inTail = position - this.#headLength;
    return (inTail < 0 ? this.#head[position] : this.#trajectory.items[this.#tailFrom + inTail]) ?? -1;
  }

  list(): Int32Array {
    if (this.#list.length < this.length) this.#list = new Int32Array(this.length * 2);
    this.#list.set(this.#head.subarray(0, this.#headLength));
    this.#list.set(this.#trajectory.items.subarray(this.#tailFrom, this.#tailTo), this.#headLength);
    return this.#list.subarray(0, this.length);
  }

  tokensOf(item: ItemIndex): Tokens {
    return (item < this.#length ? this.#tokens[item] : this.added[item - this.#length]?.size) ?? 0;
  }

  hasClearable(before: ItemIndex): boolean {
    const { results } = this.#trajectory;
    while (this.#firstClearable < results.length && !this.#isClearable(results[this.#firstClearable] ?? 0)) {
      this.#firstClearable += 1;
    }
    return (results[this.#firstClearable] ?? before) < before;
  }

  clearable(before: ItemIndex): readonly ItemIndex[] {
    if (!this.hasClearable(before)) return [];
    const { results } = this.#trajectory;
    const found: ItemIndex[] = [];
    for (let index = this.#firstClearable; index < results.length; index++) {
      const row = results[index] ?? 0;
      if (row >= before) break;
      if (this.#isClearable(row)) found.push(row);
    }
    return found;
  }

  /** Never again where it is not once: what is dropped or cleared stays so, and sizes only shrink. */
  #isClearable(row: ItemIndex): boolean {
    return this.dropped[row] === NEVER && this.cleared[row] === NEVER && (this.#tokens[row] ?? 0) > CLEARED_TOKENS;
  }

  /** Lets the trajectory's items up to a position enter with a request; gives their tokens. */
  enter(to: number, request: RequestIndex): Tokens {
    const from = this.#tailTo;
    if (to <= from) return 0;
    const before = this.#entries?.before;
    const entered = before === undefined ? this.#enterOneByOne(to, request) : (before[to] ?? 0) - (before[from] ?? 0);
    this.#tailTo = to;
    this.#total += entered;
    return entered;
  }

  #enterOneByOne(to: number, request: RequestIndex): Tokens {
    const { items } = this.#trajectory;
    const { category } = this.#columns;
    const [tokens, changes] = [this.#tokens, this.changes];
    let entered = 0;
    for (let position = this.#tailTo; position < to; position++) {
      const row = items[position] ?? 0;
      const size = tokens[row] ?? 0;
      changes.add(category[row] ?? 0, size, request);
      entered += size;
    }
    return entered;
  }

  /** Tokens that a request rewrites (`SentPrefix`). To be asked once, when its context stands. */
  rewrittenAt(request: RequestIndex): Tokens {
    if (this.#lent.size > 0) this.#settleLent(request);
    return this.#sent.settle(this, request);
  }

  /** What was lent to an earlier request counts as changed where it is not sent again as it was then. */
  #settleLent(request: RequestIndex): void {
    for (const [item, sent] of this.#lent) {
      if (this.tokensOf(item) !== sent && this.#isThere(item, request)) this.#sent.resized(item, request);
    }
    this.#lent.clear();
  }

  /** Gives items the sizes back that they had before a retention that held for the last request alone. */
  restore(lasting: ReadonlyMap<ItemIndex, Tokens>, request: RequestIndex): void {
    for (const [item, size] of lasting) {
      this.#lent.set(item, this.tokensOf(item));
      this.#resize(item, size, request);
      if (this.cleared[item] === request - 1) this.cleared[item] = NEVER;
    }
    this.#firstClearable = 0;
  }

  /** Takes items out that are still there: turns that a person took back. */
  takeBack(taken: readonly ItemIndex[], request: RequestIndex): void {
    const gone = new Set(taken);
    const stay: number[] = [];
    for (let position = 0; position < this.length; position++) if (!gone.has(this.at(position))) stay.push(position);
    const kept = rangesOf(stay);
    this.#drop(kept, request);
    this.#rearrange(kept, [], "back");
  }

  /**
   * Replaces the context by what a compaction retained. Throws `AssertionError` where that breaks what holds of every
   * retention, whatever the policy: what stays is in the context and in its order (nothing dropped comes back), no result
   * stays without the call that it had, changed items are kept ones, sizes are not negative.
   */
  apply(retention: Retention, request: RequestIndex): void {
    assertPositions(retention.kept, this.length);
    if (retention.transient === true) this.#assertSizesAlone(retention);
    const calls = this.#drop(retention.kept, request);
    for (const call of calls) this.#assertNoResult(call, request);
    for (const [item, tokens] of retention.truncated) this.#resize(item, tokens, request);
    for (const [item, tokens] of retention.cleared) {
      this.#resize(item, tokens, request);
      if (item < this.#length) this.cleared[item] = request;
    }
    if (retention.added.length === 0 && countOf(retention.kept) === this.length) return;
    const added = retention.added.map((item) => this.#add(item, request));
    if (retention.addedAt === "front" && added.length > 0 && this.length > 0)
      this.#sent.changed(0, this.at(0), request);
    this.#rearrange(retention.kept, added, retention.addedAt);
  }

  #assertSizesAlone({ kept, added, truncated, cleared }: Retention): void {
    assert(countOf(kept) === this.length && added.length === 0, "a retention for one request to change sizes alone");
    const isRecorded = ([item]: readonly [ItemIndex, Tokens]) => item < this.#length;
    assert([...truncated, ...cleared].every(isRecorded), "a retention for one request to change recorded items alone");
  }

  /** Gives a row another size before it enters. */
  presize(row: ItemIndex, tokens: Tokens): void {
    this.#ownTokens()[row] = tokens;
  }

  /** Whether a row is in the context. */
  has(row: ItemIndex): boolean {
    const last = this.#tailTo === 0 ? -1 : (this.#trajectory.items[this.#tailTo - 1] ?? -1);
    return this.dropped[row] === NEVER && row <= last && this.#trajectory.entered[row] !== NEVER;
  }

  /** Whether a row that has entered is in the context as it entered. */
  isWhole(row: ItemIndex): boolean {
    return this.dropped[row] === NEVER && this.cleared[row] === NEVER;
  }

  /** Leaves a placeholder of a row that is in the context and is larger; says whether it was. */
  clear(row: ItemIndex, tokens: Tokens, request: RequestIndex): boolean {
    if (!this.#isThere(row, request) || this.tokensOf(row) <= tokens) return false;
    this.#resize(row, tokens, request);
    this.cleared[row] = request;
    return true;
  }

  /** What a compaction before a request kept: recorded items in file order, then what earlier ones had added. */
  keptAt(request: RequestIndex): readonly ItemIndex[] {
    const kept: ItemIndex[] = [];
    for (const row of this.#trajectory.items) {
      if ((this.#trajectory.entered[row] ?? NEVER) > request) break;
      if ((this.dropped[row] ?? NEVER) > request) kept.push(row);
    }
    this.added.forEach(({ entered, dropped }, index) => {
      if (entered < request && dropped > request) kept.push(this.#length + index);
    });
    return kept;
  }

  /** Lets what is not kept leave; gives the calls among it. */
  #drop(kept: Positions, request: RequestIndex): readonly ItemIndex[] {
    if (countOf(kept) === this.length) return NOTHING;
    const calls: ItemIndex[] = [];
    const items = this.list();
    let position = 0;
    for (const [from, to] of kept) {
      this.#leave(items, position, from, request, calls);
      position = to;
    }
    this.#leave(items, position, items.length, request, calls);
    return calls;
  }

  /** Lets what stands between two positions leave. */
  #leave(items: Int32Array, from: number, to: number, request: RequestIndex, calls: ItemIndex[]): void {
    const { kind, category } = this.#columns;
    const [tokens, dropped, left] = [this.#tokens, this.dropped, this.#left];
    const length = this.#length;
    this.#sent.left(items, from, to, request);
    for (let position = from; position < to; position++) {
      const item = items[position] ?? -1;
      if (item < length) {
        const code = category[item] ?? 0;
        left[code] = (left[code] ?? 0) + (tokens[item] ?? 0);
        dropped[item] = request;
        if (kind[item] === CALL) calls.push(item);
      } else this.#leaveAdded(item, request);
    }
    for (let code = 0; code < left.length; code++) if (left[code] !== 0) this.#count(code, -(left[code] ?? 0), request);
    left.fill(0);
  }

  #leaveAdded(item: ItemIndex, request: RequestIndex): void {
    const added = this.#addedAt(item);
    if (added === undefined) return;
    this.#count(categoryCode(added.item.category), -added.size, request);
    added.dropped = request;
  }

  #assertNoResult(call: ItemIndex, request: RequestIndex): void {
    const { moreResults } = this.#trajectory;
    const more = moreResults.size === 0 ? undefined : moreResults.get(call);
    const left =
      more === undefined
        ? this.#isLeft(this.#columns.pair[call] ?? -1, request)
        : more.some((result) => this.#isLeft(result, request));
    // Looked at for every call that goes: the words are put together where they are needed.
    if (left) throw new AssertionError(`expected the results of call ${call} to go with it`);
  }

  #isLeft(result: ItemIndex, request: RequestIndex): boolean {
    return result >= 0 && this.#isThere(result, request);
  }

  /** Whether an item is in the context. */
  #isThere(item: ItemIndex, request: RequestIndex): boolean {
    const added = this.#addedAt(item);
    if (added !== undefined) return added.dropped === NEVER;
    return this.dropped[item] === NEVER && (this.#trajectory.entered[item] ?? NEVER) <= request;
  }

  #resize(item: ItemIndex, tokens: Tokens, request: RequestIndex): void {
    if (!(tokens >= 0)) throw new AssertionError(`expected a size of at least 0 for item ${item}`);
    if (!this.#isThere(item, request)) throw new AssertionError(`expected changed item ${item} to be kept`);
    const change = tokens - this.tokensOf(item);
    this.#count(this.#categoryOf(item), change, request);
    const added = this.#addedAt(item);
    if (added === undefined) {
      if (change !== 0 && !this.#lent.has(item)) this.#sent.resized(item, request);
      this.#ownTokens()[item] = tokens;
    } else {
      if (change !== 0) this.#sent.changed(this.#head.subarray(0, this.#headLength).indexOf(item), item, request);
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

  /** Puts the kept ranges and the added items into their new order; a kept end of the tail stays where it is. */
  #rearrange(kept: Positions, added: readonly ItemIndex[], addedAt: Retention["addedAt"]): void {
    const last = kept.at(-1);
    const staysInTail = last?.[1] === this.length && (addedAt === "front" || added.length === 0);
    const tailFrom = staysInTail ? Math.max(this.#headLength, last?.[0] ?? 0) : this.length;
    const next = this.#nextHeadOf(countOf(kept) + added.length);
    const items = this.list();
    let length = 0;
    const put = (fresh: readonly ItemIndex[]) => {
      for (const item of fresh) next[length++] = item;
    };
    if (addedAt === "front") put(added);
    for (const [from, to] of kept) {
      const end = Math.min(to, tailFrom);
      for (let position = from; position < end; position++) next[length++] = items[position] ?? -1;
    }
    if (addedAt === "back") put(added);
    this.#tailFrom += tailFrom - this.#headLength;
    [this.#head, this.#nextHead] = [next, this.#head];
    this.#headLength = length;
  }

  /** Room for a head: taken in turns, a policy that fires before every request would leave thousands to be collected. */
  #nextHeadOf(length: number): Int32Array<ArrayBuffer> {
    if (this.#nextHead.length < length) this.#nextHead = new Int32Array(length * 2);
    return this.#nextHead;
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
