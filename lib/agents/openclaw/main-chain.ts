import type { LineNumber } from "@/lib/core/base/units";
import type { ProblemCode } from "@/lib/core/transcript/problem";
import type { Node } from "./nodes";

type Report = (code: ProblemCode, line: LineNumber, detail?: string) => void;

/**
 * The entries on the way from the root to the leaf: the last entry of the file that is no side entry, or the one that the last
 * leaf record names. A parent that is not in the file, or not named, is taken to be the entry written just before: a damaged
 * line must not cost the session's beginning. An id that comes again is a copy and read once.
 * Source: systems/pi.md §8; replay-method.md, "Reading a recording" 1 and 2; openclaw@2026.9.6, sessions/transcript-tree.
 * @param linear version 1: no tree, the order of the file is the chain
 */
export function mainChain(nodes: readonly Node[], linear: boolean, report: Report): readonly Node[] {
  if (linear) return nodes;
  const tree = new Tree(nodes, report);
  const chain = new Set<Node>();
  for (let node = tree.leaf(); node !== undefined; node = tree.parentOf(node)) {
    if (chain.has(node)) {
      report("parent-cycle", node.line, node.id);
      break;
    }
    chain.add(node);
  }
  for (const node of tree.own) if (!chain.has(node) && isContent(node)) report("left-behind-branch", node.line);
  return [...chain].reverse();
}

/** Records that only steer are on no branch that could be left behind. */
function isContent({ content }: Node): boolean {
  return content.kind !== "leaf";
}

class Tree {
  /** The entries, copies left out. */
  readonly own: readonly Node[];
  readonly #nodes: readonly Node[];
  readonly #byId = new Map<string, Node>();
  readonly #before: ReadonlyMap<Node, Node | undefined>;
  readonly #report: Report;

  constructor(nodes: readonly Node[], report: Report) {
    this.#nodes = nodes;
    this.#report = report;
    this.own = nodes.filter((node) => this.#isFirst(node));
    this.#before = new Map(this.own.map((node, index) => [node, this.own[index - 1]]));
  }

  #isFirst(node: Node): boolean {
    if (node.id === undefined) return true;
    if (this.#byId.has(node.id)) {
      this.#report("duplicate-record", node.line);
      return false;
    }
    this.#byId.set(node.id, node);
    return true;
  }

  /** The newest entry of the branch in force. */
  leaf(): Node | undefined {
    const last = this.#nodes.findLast((node) => !node.side);
    return last?.id === undefined ? last : (this.#byId.get(last.id) ?? last);
  }

  /** The entry before another on its branch: a leaf record stands for the entry that it names. */
  parentOf(node: Node): Node | undefined {
    const parent = node.content.kind === "leaf" ? node.content.target : node.parent;
    if (parent === null) return undefined;
    const known = parent === undefined ? undefined : this.#byId.get(parent);
    if (known === undefined && parent !== undefined) this.#report("missing-parent", node.line);
    return known ?? this.#before.get(node);
  }
}
