import type { LineNumber } from "@/lib/core/base/units";
import type { ProblemCode } from "@/lib/core/transcript/problem";

/** What the tree needs to know of a record. */
export interface TreeNode {
  readonly line: LineNumber;
  readonly uuid?: string | undefined;
  readonly parent?: string | undefined;
  readonly logicalParent?: string | undefined;
  /** A user or assistant record. */
  readonly conversation: boolean;
  /** A prompt that a person typed. */
  readonly prompt: boolean;
  /** A response with usage above zero. */
  readonly answered: boolean;
}

type Report = (code: ProblemCode, line: LineNumber, detail?: string) => void;

const NONE = -1;

/**
 * Which records a rewind left behind (TRUNK of interfaces.md): a fork is a rewind only where two or more of its branches
 * each hold a typed prompt and a response with usage; the branch of the last conversation record stays. Every other fork
 * is one trunk, and so are several roots. Linear; deep chains cost no stack.
 * @param known whether a uuid stands in the file at all, also outside these nodes
 */
export function leftBehind(nodes: readonly TreeNode[], known: (uuid: string) => boolean, report: Report): Uint8Array {
  const parents = parentIndices(nodes, known, report);
  const order = parentsFirst(nodes, parents, report);
  const branches = summarise(nodes, parents, order);
  const rejected = rejectedBranches(nodes, parents, branches);
  for (const node of order) {
    const parent = parents[node] ?? NONE;
    if (parent !== NONE && rejected[parent] === 1) rejected[node] = 1;
  }
  return rejected;
}

function parentIndices(nodes: readonly TreeNode[], known: (uuid: string) => boolean, report: Report): Int32Array {
  const byUuid = new Map(
    nodes.flatMap((node, index) => (node.uuid === undefined ? [] : [[node.uuid, index] as const])),
  );
  return Int32Array.from(nodes, (node) => {
    const links = [node.parent, node.logicalParent].filter((uuid) => uuid !== undefined);
    const parent = links.map((uuid) => byUuid.get(uuid)).find((index) => index !== undefined);
    if (parent === undefined && links.length > 0 && !links.some(known)) report("missing-parent", node.line);
    return parent ?? NONE;
  });
}

/** All nodes, each after its parent. A cycle is cut at the record that closes it. */
function parentsFirst(nodes: readonly TreeNode[], parents: Int32Array, report: Report): readonly number[] {
  const state = new Uint8Array(parents.length);
  const order: number[] = [];
  for (let start = 0; start < parents.length; start++) {
    const path: number[] = [];
    let at = start;
    while (at !== NONE && state[at] === UNSEEN) {
      state[at] = ON_PATH;
      path.push(at);
      at = parents[at] ?? NONE;
    }
    const last = path.at(-1);
    if (at !== NONE && last !== undefined && state[at] === ON_PATH) {
      parents[last] = NONE;
      report("parent-cycle", nodes[last]?.line ?? 0);
    }
    for (const node of path.reverse()) {
      state[node] = DONE;
      order.push(node);
    }
  }
  return order;
}

const UNSEEN = 0;
const ON_PATH = 1;
const DONE = 2;

/** What the branch that starts at each node holds. */
interface Branches {
  readonly prompt: Uint8Array;
  readonly answered: Uint8Array;
  /** Index of its last conversation record. */
  readonly last: Int32Array;
}

function summarise(nodes: readonly TreeNode[], parents: Int32Array, order: readonly number[]): Branches {
  const prompt = Uint8Array.from(nodes, (node) => Number(node.prompt));
  const answered = Uint8Array.from(nodes, (node) => Number(node.answered));
  const last = Int32Array.from(nodes, (node, index) => (node.conversation ? index : NONE));
  for (const node of [...order].reverse()) {
    const parent = parents[node] ?? NONE;
    if (parent === NONE) continue;
    prompt[parent] = (prompt[parent] ?? 0) | (prompt[node] ?? 0);
    answered[parent] = (answered[parent] ?? 0) | (answered[node] ?? 0);
    last[parent] = Math.max(last[parent] ?? NONE, last[node] ?? NONE);
  }
  return { prompt, answered, last };
}

/** First nodes of the branches that were left behind. */
function rejectedBranches(nodes: readonly TreeNode[], parents: Int32Array, branches: Branches): Uint8Array {
  const rejected = new Uint8Array(nodes.length);
  const children = new Map<number, number[]>();
  for (const [node, parent] of parents.entries()) {
    if (parent === NONE) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  }
  for (const siblings of children.values()) {
    const full = siblings.filter((node) => branches.prompt[node] === 1 && branches.answered[node] === 1);
    if (full.length < 2) continue;
    const stays = siblings.reduce((a, b) => ((branches.last[b] ?? NONE) > (branches.last[a] ?? NONE) ? b : a));
    // A sibling without prompt or response is structure of what stays: a parallel result, progress, a hook's record.
    const left = siblings.filter((node) => branches.prompt[node] === 1 || branches.answered[node] === 1);
    for (const node of left) if (node !== stays) rejected[node] = 1;
  }
  return rejected;
}
