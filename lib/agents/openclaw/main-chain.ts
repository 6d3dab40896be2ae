import type { Integers } from "@/lib/core/base/growing";
import type { LineNumber } from "@/lib/core/base/units";
import { type HeldEntries, ROOT } from "@/lib/core/transcript/held-entries";
import type { ProblemCode } from "@/lib/core/transcript/problem";
import type { NodeContent } from "./nodes";

type Report = (code: ProblemCode, line: LineNumber) => void;

const NONE = -1;

/**
 * The entries on the way from the root to the leaf: the last entry of the file that is no side entry, or the one that the last
 * leaf record names. A parent that is not in the file, or not named, is taken to be the entry written just before: a damaged
 * line must not cost the session's beginning. An id that comes again is a copy and read once.
 * Source: systems/pi.md §8; replay-method.md, "Reading a recording" 1 and 2; openclaw@2026.9.6, sessions/transcript-tree.
 * Their indices, oldest first.
 * @param isSide 1 for entries that never become the leaf
 * @param linear version 1: no tree, the order of the file is the chain
 */
export function mainChain(
  nodes: HeldEntries<NodeContent>,
  isSide: Integers,
  linear: boolean,
  report: Report,
): Int32Array {
  if (linear) return Int32Array.from({ length: nodes.length }, (_, index) => index);
  const tree = new Tree(nodes, report);
  const isOnChain = new Uint8Array(nodes.length);
  const chain = new Int32Array(nodes.length);
  let length = 0;
  for (let node = tree.leaf(isSide); node !== NONE; node = tree.parentOf(node)) {
    if (isOnChain[node] === 1) {
      report("parent-cycle", nodes.line(node));
      break;
    }
    isOnChain[node] = 1;
    chain[length] = node;
    length += 1;
  }
  for (let node = 0; node < nodes.length; node++) {
    // Records that only steer are on no branch that could be left behind.
    const isLeft = tree.isOwn[node] === 1 && isOnChain[node] === 0 && nodes.facts(node).kind !== "leaf";
    if (isLeft) report("left-behind-branch", nodes.line(node));
  }
  return chain.subarray(0, length).reverse();
}

class Tree {
  /** 0 for copies. */
  readonly isOwn: Uint8Array;
  readonly #nodes: HeldEntries<NodeContent>;
  /** The entry of each id. */
  readonly #byId: Int32Array;
  /** The entry written before each, copies left out. */
  readonly #before: Int32Array;
  readonly #report: Report;

  constructor(nodes: HeldEntries<NodeContent>, report: Report) {
    this.#nodes = nodes;
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

  #isFirst(node: number): boolean {
    const id = this.#nodes.id(node);
    if (id === NONE) return true;
    if (this.#byId[id] !== NONE) {
      this.#report("duplicate-record", this.#nodes.line(node));
      return false;
    }
    this.#byId[id] = node;
    return true;
  }

  /** The newest entry of the branch in force; −1 without any. */
  leaf(isSide: Integers): number {
    let last = this.#nodes.length - 1;
    while (last >= 0 && isSide.at(last) === 1) last -= 1;
    const id = last < 0 ? NONE : this.#nodes.id(last);
    return id === NONE ? last : (this.#byId[id] ?? last);
  }

  /** The entry before another on its branch: a leaf record stands for the entry that it names. −1 at a root. */
  parentOf(node: number): number {
    const parent = this.#parentId(node);
    if (parent === ROOT) return NONE;
    const known = parent === NONE ? NONE : (this.#byId[parent] ?? NONE);
    if (known === NONE && parent !== NONE) this.#report("missing-parent", this.#nodes.line(node));
    return known === NONE ? (this.#before[node] ?? NONE) : known;
  }

  #parentId(node: number): number {
    const content = this.#nodes.facts(node);
    return content.kind === "leaf" ? content.target : this.#nodes.parent(node);
  }
}
