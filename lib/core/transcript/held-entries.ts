import { Floats, Integers } from "../base/growing";
import { IdTable } from "../base/id-table";
import type { LineNumber, Milliseconds } from "../base/units";
import type { BlockList } from "./block-list";
import type { BlockRange } from "./builder";
import { HeldUsage } from "./held-usage";
import type { Block, Usage } from "./model";

const NONE = -1;

/** An entry to hold. */
export interface NewEntry<Facts extends object> {
  readonly line: LineNumber;
  readonly at: Milliseconds | undefined;
  readonly id: string | undefined;
  /** `null` for a root; `undefined` if no parent is named. */
  readonly parent: string | null | undefined;
  /** Facts of the entry. Entries with the same key share the facts of the first one. */
  readonly facts: Facts;
  /** Absent if the facts belong to this entry alone. */
  readonly key?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly blocks: readonly Block[];
}

/**
 * Entries of a file whose order or place in the conversation is known only at the end, as columns: objects would take as much memory as the file, up
 * to 1 GB. Entries are read by index.
 */
export class HeldEntries<Facts extends object> {
  readonly blocks: BlockList;
  /** Numbers the ids of entries and of parents. */
  readonly ids = new IdTable();
  readonly #line = new Integers();
  readonly #at = new Floats();
  readonly #id = new Integers();
  readonly #parent = new Integers();
  readonly #facts = new Integers();
  readonly #distinct: Facts[] = [];
  readonly #byKey = new Map<string, number>();
  /** Row after the entry's last block. */
  readonly #end = new Integers();
  /** Row of the entry's usage in `#usage`; −1 if there is none. */
  readonly #usageRow = new Integers();
  readonly #usage = new HeldUsage();

  /** @param blocks receives the entries' blocks: a list from `TranscriptBuilder.heldBlocks` */
  constructor(blocks: BlockList) {
    this.blocks = blocks;
  }

  get length(): number {
    return this.#line.length;
  }

  /** Adds an entry and returns its index. Its blocks are copied. */
  push({ line, at, id, parent, facts, key, usage, blocks }: NewEntry<Facts>): number {
    for (const block of blocks) this.blocks.push(block);
    this.#line.push(line);
    this.#at.push(at ?? Number.NaN);
    this.#id.push(id === undefined ? NONE : this.ids.index(id));
    this.#parent.push(this.parentNumber(parent));
    this.#facts.push(this.#indexOf(facts, key));
    this.#end.push(this.blocks.length);
    this.#usageRow.push(usage === undefined ? NONE : this.#usage.push(usage));
    return this.length - 1;
  }

  /** Value of `parent` for an entry with this parent. */
  parentNumber(parent: string | null | undefined): number {
    if (parent === null) return ROOT;
    return parent === undefined ? NONE : this.ids.index(parent);
  }

  #indexOf(facts: Facts, key: string | undefined): number {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    if (known !== undefined) return known;
    const index = this.#distinct.push(facts) - 1;
    if (key !== undefined) this.#byKey.set(key, index);
    return index;
  }

  line(index: number): LineNumber {
    return this.#line.at(index);
  }

  at(index: number): Milliseconds | undefined {
    const at = this.#at.at(index);
    return Number.isNaN(at) ? undefined : at;
  }

  /** True if no entry names a parent or is marked as a root. */
  get namesNoParents(): boolean {
    for (let index = 0; index < this.length; index++) if (this.parent(index) !== NONE) return false;
    return true;
  }

  /** Number of the entry's id in `ids`; −1 for none. */
  id(index: number): number {
    return this.#id.at(index);
  }

  /** Number of the parent's id in `ids`; `ROOT` for a root, −1 if no parent is named. */
  parent(index: number): number {
    return this.#parent.at(index);
  }

  facts(index: number): Facts {
    const facts = this.#distinct[this.#facts.at(index)];
    if (facts === undefined) throw new RangeError(`no entry ${index}`);
    return facts;
  }

  /** Facts of some entries, in order. */
  *factsOf(indices: Int32Array): Generator<Facts> {
    for (const index of indices) yield this.facts(index);
  }

  /** Rows of the entry's blocks in `blocks`. */
  rows(index: number): BlockRange {
    return { firstBlock: index === 0 ? 0 : this.#end.at(index - 1), endBlock: this.#end.at(index) };
  }

  usage(index: number): Usage | undefined {
    const row = this.#usageRow.at(index);
    return row === NONE ? undefined : this.#usage.at(row);
  }
}

/** Value of `HeldEntries.parent` for a root. */
export const ROOT = -2;
