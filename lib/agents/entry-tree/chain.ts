import type { LineNumber } from "@/lib/core/base/units";
import type { ProblemCode } from "@/lib/core/records/problem";
import { type HeldEntries, ROOT } from "@/lib/core/transcript/held-entries";

/** The entries of a file, each of which may name its parent: pi's format, which OpenClaw writes too. */
export interface EntryTree {
  readonly nodes: HeldEntries<object>;
  /** True if the file holds no tree: the order of its entries is then the chain. */
  readonly linear: boolean;
  /** True if an entry never becomes the leaf. Without this function, any entry may. */
  readonly isSide?: (node: number) => boolean;
  /** For an entry that only moves the leaf: the id of the entry it points to, as `HeldEntries.parent` gives it. `undefined` for any other entry. */
  readonly steersTo?: (node: number) => number | undefined;
}

/** The chain, and the entries on other branches. */
interface Branches {
  /** From the root to the leaf, oldest first. */
  readonly chain: Int32Array;
  /** Entries of other branches, in the order of the file. */
  readonly abandoned: readonly number[];
}

type Report = (code: ProblemCode, line: LineNumber) => void;

const NONE = -1;

/**
 * The entries from the root to the leaf, oldest first. The leaf is the last entry of the file that may be one, or the entry that it repeats or points
 * to. A `null` parent marks a root: earlier entries are another branch. If the parent is missing from the file, or not named, the previous entry is
 * used, so that a damaged line does not cost the session's beginning. An entry with a repeated id is a copy, and read once.
 */
export function mainChain(entries: EntryTree, report: Report): Branches {
  const { nodes, steersTo } = entries;
  if (entries.linear) {
    return { chain: Int32Array.from({ length: nodes.length }, (_, index) => index), abandoned: [] };
  }
  const tree = new Tree(entries, report);
  const isOnChain = new Uint8Array(nodes.length);
  const chain = new Int32Array(nodes.length);
  let length = 0;
  for (let node = tree.leaf; node !== NONE; node = tree.parentOf(node)) {
    if (isOnChain[node] === 1) {
      report("parent-cycle", nodes.line(node));
      break;
    }
    isOnChain[node] = 1;
    chain[length] = node;
    length += 1;
  }
  const abandoned: number[] = [];
  for (let node = 0; node < nodes.length; node++) {
    // Entries that only move the leaf are on no branch, so they are never abandoned.
    const isAbandoned = tree.isOwn[node] === 1 && isOnChain[node] === 0 && steersTo?.(node) === undefined;
    if (!isAbandoned) continue;
    abandoned.push(node);
    report("left-behind-branch", nodes.line(node));
  }
  return { chain: chain.subarray(0, length).reverse(), abandoned };
}

class Tree {
  /** 1 for entries, 0 for copies. */
  readonly isOwn: Uint8Array;
  readonly #entries: EntryTree;
  /** The entry with each id. */
  readonly #byId: Int32Array;
  /** The entry written before each entry, ignoring copies. */
  readonly #before: Int32Array;
  readonly #report: Report;

  constructor(entries: EntryTree, report: Report) {
    const { nodes } = entries;
    this.#entries = entries;
    this.#report = report;
    this.isOwn = new Uint8Array(nodes.length);
    this.#byId = new Int32Array(nodes.ids.length).fill(NONE);
    this.#before = new Int32Array(nodes.length);
    let last = NONE;
    for (let node = 0; node < nodes.length; node++) {
      if (!this.#isFirst(node)) continue;
      this.isOwn[node] = 1;
      this.#before[node] = last;
      last = node;
    }
  }

  /** The newest entry of the current branch; −1 if there is none. */
  get leaf(): number {
    const { nodes, isSide } = this.#entries;
    let last = nodes.length - 1;
    while (last >= 0 && isSide?.(last) === true) last -= 1;
    const id = last < 0 ? NONE : nodes.id(last);
    return id === NONE ? last : (this.#byId[id] ?? last);
  }

  /** The entry before this one on its branch; −1 at a root. */
  parentOf(node: number): number {
    const { nodes, steersTo } = this.#entries;
    const parent = steersTo?.(node) ?? nodes.parent(node);
    if (parent === ROOT) return NONE;
    const known = parent === NONE ? NONE : (this.#byId[parent] ?? NONE);
    if (known === NONE && parent !== NONE) this.#report("missing-parent", nodes.line(node));
    return known === NONE ? (this.#before[node] ?? NONE) : known;
  }

  #isFirst(node: number): boolean {
    const { nodes } = this.#entries;
    const id = nodes.id(node);
    if (id === NONE) return true;
    if (this.#byId[id] !== NONE) {
      this.#report("duplicate-record", nodes.line(node));
      return false;
    }
    this.#byId[id] = node;
    return true;
  }
}
