import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { NEVER } from "../columns/membership";
import { categoryCode, ITEM_CATEGORIES, type ItemCategoryId } from "../context/categories";
import type { ContextItems, Retention, SyntheticItem } from "./policy";
import type { Trajectory } from "./trajectory";

/**
 * The context under simulation: what earlier compactions left (`head`), then a stretch of the trajectory (`tail`) that
 * only grows. Sums are kept as items come and go, so a request costs as much as it adds.
 */
export class SimulatedContext implements ContextItems {
  readonly dropped: Int32Array;
  readonly cleared: Int32Array;
  readonly byCategory: Int32Array;
  readonly synthetic: SyntheticItem[] = [];
  readonly #columns: SessionColumns;
  readonly #trajectory: Trajectory;
  readonly #tokens: Int32Array;
  readonly #changed = new Map<ItemIndex, Tokens>();
  #head: readonly ItemIndex[] = [];
  #tailFrom = 0;
  #tailTo = 0;
  #total = 0;

  /** @param tokens sizes as the items enter, entry rules applied */
  constructor(columns: SessionColumns, trajectory: Trajectory, tokens: Int32Array) {
    this.#columns = columns;
    this.#trajectory = trajectory;
    this.#tokens = tokens;
    this.dropped = new Int32Array(columns.length).fill(NEVER);
    this.cleared = new Int32Array(columns.length).fill(NEVER);
    this.byCategory = new Int32Array(ITEM_CATEGORIES.length);
    for (let row = 0; row < columns.overheadRows; row++) this.#count(columns.category[row] ?? 0, tokens[row] ?? 0);
  }

  /** Tokens of everything, overhead included. */
  get total(): Tokens {
    return this.#total;
  }

  /** Number of items, overhead not among them. */
  get length(): number {
    return this.#head.length + this.#tailTo - this.#tailFrom;
  }

  /** The item at a position, oldest first. */
  at(position: number): ItemIndex {
    const inTail = position - this.#head.length;
    return (inTail < 0 ? this.#head[position] : this.#trajectory.items[this.#tailFrom + inTail]) ?? -1;
  }

  tokensOf(item: ItemIndex): Tokens {
    const changed = this.#changed.get(item);
    if (changed !== undefined) return changed;
    if (item < this.#columns.length) return this.#tokens[item] ?? 0;
    return this.synthetic[item - this.#columns.length]?.tokens ?? 0;
  }

  /** Lets the trajectory's items up to a position enter; gives their tokens. */
  enter(to: number): Tokens {
    const { items } = this.#trajectory;
    const { category } = this.#columns;
    const tokens = this.#tokens;
    const byCategory = this.byCategory;
    let entered = 0;
    for (let position = this.#tailTo; position < to; position++) {
      const row = items[position] ?? 0;
      const size = tokens[row] ?? 0;
      const code = category[row] ?? 0;
      byCategory[code] = (byCategory[code] ?? 0) + size;
      entered += size;
    }
    this.#tailTo = Math.max(this.#tailTo, to);
    this.#total += entered;
    return entered;
  }

  /** Takes items out that are still there: turns that a person took back. */
  takeBack(taken: readonly ItemIndex[], request: RequestIndex): void {
    const gone = new Set(taken);
    const kept: ItemIndex[] = [];
    for (let position = 0; position < this.length; position++) {
      const item = this.at(position);
      if (!gone.has(item)) kept.push(item);
    }
    this.#markDropped(kept, request);
    this.#replace(kept);
  }

  /** Replaces the context by what a compaction retained. The retention was checked before. */
  apply(retention: Retention, request: RequestIndex): void {
    this.#markDropped(retention.kept, request);
    for (const [item, tokens] of retention.truncated) this.#changed.set(item, tokens);
    for (const [item, tokens] of retention.cleared) {
      this.#changed.set(item, tokens);
      if (item < this.#columns.length) this.cleared[item] = request;
    }
    const added = retention.added.map((item) => this.#columns.length + this.synthetic.push(item) - 1);
    this.#replace(retention.addedAt === "front" ? [...added, ...retention.kept] : [...retention.kept, ...added]);
  }

  #replace(items: readonly ItemIndex[]): void {
    this.#head = items;
    this.#tailFrom = this.#tailTo;
    this.#recount();
  }

  /** Kept items stand in context order, so one walk finds those that are not among them. */
  #markDropped(kept: readonly ItemIndex[], request: RequestIndex): void {
    let next = 0;
    for (let position = 0; position < this.length; position++) {
      const item = this.at(position);
      if (item === kept[next]) next += 1;
      else if (item < this.#columns.length) this.dropped[item] = request;
    }
  }

  #recount(): void {
    this.#total = 0;
    this.byCategory.fill(0);
    const { overheadRows, category, length } = this.#columns;
    for (let row = 0; row < overheadRows; row++) this.#count(category[row] ?? 0, this.#tokens[row] ?? 0);
    for (const item of this.#head) {
      const code = item < length ? (category[item] ?? 0) : categoryCode(this.#categoryOfSynthetic(item));
      this.#count(code, this.tokensOf(item));
    }
  }

  #categoryOfSynthetic(item: ItemIndex): ItemCategoryId {
    return this.synthetic[item - this.#columns.length]?.category ?? "other";
  }

  #count(category: number, tokens: Tokens): void {
    this.byCategory[category] = (this.byCategory[category] ?? 0) + tokens;
    this.#total += tokens;
  }
}
