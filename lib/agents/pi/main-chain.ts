import type { LineNumber } from "@/lib/core/base/units";
import { type HeldEntries, ROOT } from "@/lib/core/transcript/held-entries";
import type { ProblemCode } from "@/lib/core/transcript/problem";

type Report = (code: ProblemCode, line: LineNumber) => void;

const NONE = -1;

/**
 * The entries on the way from the root to the leaf, which is the last entry of the file. A `null` parent is a root: what
 * stands before it is another branch. A parent that is not in the file, or not named, is taken to be the entry written just
 * before: a damaged line must not cost the session's beginning. An id that comes again is a copy and read once; the leaf is
 * the entry that the last one repeats. Source: systems/pi.md §8; replay-method.md, "Reading a recording" 1 and 2.
 * Their indices, oldest first.
 * @param linear version 1: no tree, the order of the file is the chain
 */
export function mainChain(nodes: HeldEntries<object>, linear: boolean, report: Report): Int32Array {
  if (linear) return Int32Array.from({ length: nodes.length }, (_, index) => index);
  const tree = treeOf(nodes, report);
  const isOnChain = new Uint8Array(nodes.length);
  const chain = new Int32Array(nodes.length);
  let length = 0;
  for (let node = tree.leaf; node !== NONE; node = parentOf(node, nodes, tree, report)) {
    if (isOnChain[node] === 1) {
      report("parent-cycle", nodes.line(node));
      break;
    }
    isOnChain[node] = 1;
    chain[length] = node;
    length += 1;
  }
  for (let node = 0; node < nodes.length; node++) {
    if (tree.isOwn[node] === 1 && isOnChain[node] === 0) report("left-behind-branch", nodes.line(node));
  }
  return chain.subarray(0, length).reverse();
}

interface Tree {
  /** 0 for copies. */
  readonly isOwn: Uint8Array;
  /** The entry of each id. */
  readonly byId: Int32Array;
  /** The entry written before each, copies left out. */
  readonly before: Int32Array;
  readonly leaf: number;
}

function treeOf(nodes: HeldEntries<object>, report: Report): Tree {
  const isOwn = new Uint8Array(nodes.length);
  const byId = new Int32Array(nodes.ids.length).fill(NONE);
  const before = new Int32Array(nodes.length);
  let last = NONE;
  for (let node = 0; node < nodes.length; node++) {
    const id = nodes.id(node);
    if (id !== NONE && byId[id] !== NONE) {
      report("duplicate-record", nodes.line(node));
      continue;
    }
    if (id !== NONE) byId[id] = node;
    isOwn[node] = 1;
    before[node] = last;
    last = node;
  }
  const id = nodes.length === 0 ? NONE : nodes.id(nodes.length - 1);
  return { isOwn, byId, before, leaf: id === NONE ? last : (byId[id] ?? NONE) };
}

function parentOf(node: number, nodes: HeldEntries<object>, { byId, before }: Tree, report: Report): number {
  const parent = nodes.parent(node);
  if (parent === ROOT) return NONE;
  const found = parent === NONE ? NONE : (byId[parent] ?? NONE);
  if (found === NONE && parent !== NONE) report("missing-parent", nodes.line(node));
  return found === NONE ? (before[node] ?? NONE) : found;
}
