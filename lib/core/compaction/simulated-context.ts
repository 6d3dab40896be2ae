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
export class SimulatedContext {
  readonly dropped: Int32Array;
  readonly cleared: Int32Array;
  readonly byCategory: Int32Array;
  readonly synthetic: SyntheticItem[] = [];
  readonly #columns: SessionColumns;
  readonly #trajectory: Trajectory;
  readonly #tokens: Int32Array;
  readonly #changed = new Map<ItemIndex, Tokens>();
  #head: ItemIndex[] = [];
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

  /** The items, oldest first. A live view: valid until the next change. */
  get items(): ContextItems {
    const head = this.#head;
    const { items } = this.#trajectory;
    const from = this.#tailFrom;
    return {
      length: head.length + this.#tailTo - from,
      at: (position) =>
        position < head.length ? (head[position] ?? -1) : (items[from + position - head.length] ?? -1),
    };
  }

  tokensOf(item: ItemIndex): Tokens {
    const changed = this.#changed.get(item);
    if (changed !== undefined) return changed;
    if (item < this.#columns.length) return this.#tokens[item] ?? 0;
    return this.synthetic[item - this.#columns.length]?.tokens ?? 0;
  }

  /** Lets the trajectory's items up to a position enter; gives their tokens. */
  enter(to: number): Tokens {
    const before = this.#total;
    for (; this.#tailTo < to; this.#tailTo++) {
      const row = this.#trajectory.items[this.#tailTo] ?? 0;
      this.#count(this.#columns.category[row] ?? 0, this.#tokens[row] ?? 0);
    }
    return this.#total - before;
  }

  /** Replaces the context by what a compaction retained. The retention was checked before. */
  apply(retention: Retention, request: RequestIndex): void {
    this.#markDropped(new Set(retention.kept), request);
    for (const [item, tokens] of retention.truncated) this.#changed.set(item, tokens);
    for (const [item, tokens] of retention.cleared) {
      this.#changed.set(item, tokens);
      if (item < this.#columns.length) this.cleared[item] = request;
    }
    const added = retention.added.map((item) => this.#columns.length + this.synthetic.push(item) - 1);
    this.#head = retention.addedAt === "front" ? [...added, ...retention.kept] : [...retention.kept, ...added];
    this.#tailFrom = this.#tailTo;
    this.#recount();
  }

  #markDropped(kept: ReadonlySet<ItemIndex>, request: RequestIndex): void {
    const items = this.items;
    for (let position = 0; position < items.length; position++) {
      const item = items.at(position);
      if (item < this.#columns.length && !kept.has(item)) this.dropped[item] = request;
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
