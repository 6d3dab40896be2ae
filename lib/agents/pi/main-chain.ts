import type { LineNumber } from "@/lib/core/base/units";
import type { ProblemCode } from "@/lib/core/transcript/problem";
import type { Node } from "./nodes";

type Report = (code: ProblemCode, line: LineNumber, detail?: string) => void;

/**
 * The entries on the way from the root to the leaf, which is the last entry of the file. A `null` parent is a root: what
 * stands before it is another branch. A parent that is not in the file, or not named, is taken to be the entry written just
 * before: a damaged line must not cost the session's beginning. An id that comes again is a copy and read once; the leaf is
 * the entry that the last one repeats. Source: systems/pi.md §8; replay-method.md, "Reading a recording" 1 and 2.
 * @param linear version 1: no tree, the order of the file is the chain
 */
export function mainChain(nodes: readonly Node[], linear: boolean, report: Report): readonly Node[] {
  if (linear) return nodes;
  const { own, byId } = withoutCopies(nodes, report);
  const last = nodes.at(-1);
  let current = last?.id === undefined ? own.at(-1) : byId.get(last.id);
  const before = new Map(own.map((node, index) => [node, own[index - 1]]));
  const chain = new Set<Node>();
  while (current !== undefined) {
    if (chain.has(current)) {
      report("parent-cycle", current.line, current.id);
      break;
    }
    chain.add(current);
    current = parentOf(current, byId, before, report);
  }
  for (const node of own) if (!chain.has(node)) report("left-behind-branch", node.line);
  return [...chain].reverse();
}

function withoutCopies(
  nodes: readonly Node[],
  report: Report,
): { readonly own: readonly Node[]; readonly byId: ReadonlyMap<string, Node> } {
  const byId = new Map<string, Node>();
  const own = nodes.filter((node) => {
    if (node.id === undefined) return true;
    if (byId.has(node.id)) {
      report("duplicate-record", node.line);
      return false;
    }
    byId.set(node.id, node);
    return true;
  });
  return { own, byId };
}

function parentOf(
  node: Node,
  byId: ReadonlyMap<string, Node>,
  before: ReadonlyMap<Node, Node | undefined>,
  report: Report,
): Node | undefined {
  if (node.parent === null) return undefined;
  const parent = node.parent === undefined ? undefined : byId.get(node.parent);
  if (parent === undefined && node.parent !== undefined) report("missing-parent", node.line);
  return parent ?? before.get(node);
}
