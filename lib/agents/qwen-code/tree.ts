import type { LineNumber } from "@/lib/core/base/units";
import type { ProblemCode } from "@/lib/core/transcript/problem";
import { walkChain } from "./chain";
import { isMessage, type Node } from "./nodes";

/** Records of one uuid: fragments of one message, in the order of the file. */
export interface Group {
  readonly first: Node;
  readonly nodes: readonly Node[];
}

type Report = (code: ProblemCode, line: LineNumber) => void;

/**
 * The groups of the main chain, oldest first: from the last record of the file back along the parents. A parent that is
 * not in the file, or a cycle, ends it. What else holds messages was left behind by a rewind, or lies before a gap.
 */
export function mainChain(nodes: readonly Node[], report: Report): readonly Group[] {
  const { groups, byUuid } = grouped(nodes);
  if (groups.length === 0) return [];
  const lastNode = nodes.at(-1);
  const leaf = groups.findLastIndex(({ nodes: own }) => lastNode !== undefined && own.includes(lastNode));
  const chain = walkChain(leaf, (index) => parentIndex(index, groups, byUuid));
  const oldest = groups[chain.keys[0] ?? 0]?.first.line ?? 0;
  if (chain.end === "missing") report("missing-parent", oldest);
  if (chain.end === "cycle") report("parent-cycle", oldest);
  const onChain = new Set(chain.keys);
  for (const [index, group] of groups.entries()) {
    if (!onChain.has(index) && group.nodes.some(isMessage)) report("left-behind-branch", group.first.line);
  }
  return chain.keys.flatMap((index) => groups[index] ?? []);
}

interface MutableGroup extends Group {
  readonly nodes: Node[];
}

function grouped(nodes: readonly Node[]): {
  readonly groups: readonly Group[];
  readonly byUuid: ReadonlyMap<string, number>;
} {
  const groups: MutableGroup[] = [];
  const byUuid = new Map<string, number>();
  for (const node of nodes) {
    const known = node.uuid === undefined ? undefined : byUuid.get(node.uuid);
    if (known !== undefined) groups[known]?.nodes.push(node);
    else {
      if (node.uuid !== undefined) byUuid.set(node.uuid, groups.length);
      groups.push({ first: node, nodes: [node] });
    }
  }
  return { groups, byUuid };
}

/** A record that does not say what it hangs on hangs on the one before it. */
function parentIndex(
  index: number,
  groups: readonly Group[],
  byUuid: ReadonlyMap<string, number>,
): number | null | undefined {
  const parent = groups[index]?.first.parent;
  if (parent === undefined) return index === 0 ? null : index - 1;
  return parent === null ? null : byUuid.get(parent);
}
