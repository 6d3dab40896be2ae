import type { LineNumber } from "@/lib/core/base/units";
import type { ProblemCode } from "@/lib/core/records/problem";
import { ROOT } from "@/lib/core/transcript/held-entries";
import { walkChain } from "./chain";
import type { Nodes } from "./nodes";

type Report = (code: ProblemCode, line: LineNumber) => void;

const NONE = -1;

/** The main chain as groups of records with the same uuid, which are fragments of one message. */
export interface MainChain {
  /** The first record of every group, oldest first. */
  readonly firsts: readonly number[];
  /** For every record, the next fragment of its group; −1 if there is none. */
  readonly next: Int32Array;
  /** The first record of every group that a rewind abandoned, or that lies before a gap. */
  readonly left: readonly number[];
}

/**
 * The groups of the main chain, followed from the last record of the file back along the parents. A missing parent or a cycle ends it. All other
 * messages were abandoned by a rewind, or lie before a gap.
 * @param own the records that take part, in the order of the file
 */
export function mainChain(nodes: Nodes, own: Int32Array, report: Report): MainChain {
  const groups = new Groups(nodes, own);
  const leaf = own.at(-1);
  if (leaf === undefined) return { firsts: [], next: groups.next, left: [] };
  const isOnChain = new Marked(nodes.entries.length);
  const chain = walkChain(groups.first[leaf] ?? leaf, (first) => groups.parentOf(first), isOnChain);
  const oldest = nodes.entries.line(chain.keys[0] ?? 0);
  if (chain.end === "missing") report("missing-parent", oldest);
  if (chain.end === "cycle") report("parent-cycle", oldest);
  const left: number[] = [];
  for (const node of own) {
    if (groups.first[node] === node && !isOnChain.has(node) && groups.holdsMessage(node)) {
      left.push(node);
      report("left-behind-branch", nodes.entries.line(node));
    }
  }
  return { firsts: chain.keys, next: groups.next, left };
}

/** Marks numbers below a limit: for half a million of them, a set would take as much memory as everything else. */
class Marked {
  readonly #marks: Uint8Array;

  constructor(limit: number) {
    this.#marks = new Uint8Array(limit);
  }

  has(number: number): boolean {
    return this.#marks[number] === 1;
  }

  add(number: number): void {
    this.#marks[number] = 1;
  }
}

class Groups {
  /** For every record the first one of its group, and the next fragment. */
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly #nodes: Nodes;
  /** The first record of each uuid. */
  readonly #byUuid: Int32Array;
  /** For the first record of every group, the first record of the group before it. */
  readonly #before: Int32Array;

  constructor(nodes: Nodes, own: Int32Array) {
    const { entries } = nodes;
    this.#nodes = nodes;
    this.first = new Int32Array(entries.length).fill(NONE);
    this.next = new Int32Array(entries.length).fill(NONE);
    this.#before = new Int32Array(entries.length).fill(NONE);
    this.#byUuid = new Int32Array(entries.ids.length).fill(NONE);
    /** For the first record of every group, its last fragment so far. */
    const last = new Int32Array(entries.length);
    let before = NONE;
    for (const node of own) {
      const uuid = entries.id(node);
      const known = uuid === NONE ? NONE : (this.#byUuid[uuid] ?? NONE);
      const first = known === NONE ? node : known;
      this.first[node] = first;
      if (known === NONE) {
        if (uuid !== NONE) this.#byUuid[uuid] = node;
        this.#before[node] = before;
        before = node;
      } else this.next[last[first] ?? first] = node;
      last[first] = node;
    }
  }

  /** A record that names no parent follows the record before it. */
  parentOf(first: number): number | null | undefined {
    const parent = this.#nodes.entries.parent(first);
    if (parent === ROOT) return null;
    const found = (parent === NONE ? this.#before[first] : this.#byUuid[parent]) ?? NONE;
    if (found !== NONE) return found;
    return parent === NONE ? null : undefined;
  }

  holdsMessage(first: number): boolean {
    for (let node = first; node !== NONE; node = this.next[node] ?? NONE) if (this.#nodes.isMessage(node)) return true;
    return false;
  }
}
