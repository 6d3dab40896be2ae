import { ColumnBuffer } from "@/lib/core/base/column-buffer";
import type { LineNumber } from "@/lib/core/base/units";
import type { ProblemCode } from "@/lib/core/records/problem";

/** The records of a file. Each is made only on request, since there may be half a million. */
export interface Tree {
  readonly length: number;
  /** All ids are below this number. */
  readonly ids: number;
  /** True if any record of the file has the uuid, even one outside these records. */
  known(uuid: number): boolean;
  node(index: number): TreeNode;
}

/** Fields of a record that decide its place in the tree. */
export interface TreeNode {
  readonly line: LineNumber;
  /** Numbers of ids; −1 for none. */
  readonly uuid: number;
  readonly parent: number;
  readonly logicalParent: number;
  /** True if it is a user or assistant record. */
  readonly conversation: boolean;
  /** True for a prompt that the user typed. */
  readonly prompt: boolean;
  /** True if it is a response with usage above zero. */
  readonly answered: boolean;
}

type Report = (code: ProblemCode, line: LineNumber, detail?: string) => void;

const NONE = -1;

/**
 * Finds the records that a rewind abandoned. A fork is a rewind only if two or more of its branches each hold a typed prompt and a response with
 * usage; the branch of the last conversation record then stays. Every other fork is one trunk, and so are several roots. Takes time proportional to
 * the number of records; deep chains need no stack. Source: docs/interfaces.md, "How inspect counts" (Main chain of Claude Code).
 * @returns by record, 1 if it was abandoned
 */
export function abandonedRecords(tree: Tree, report: Report): Uint8Array {
  const records = recordsOf(tree);
  const parents = parentIndices(tree, records, report);
  const order = parentsFirst(parents, (node) => report("parent-cycle", records.line[node] ?? 0));
  gather(records, parents, order);
  const rejected = rejectedBranches(parents, records);
  for (const node of order) {
    const parent = parents[node] ?? NONE;
    if (parent !== NONE && rejected[parent] === 1) rejected[node] = 1;
  }
  return rejected;
}

/** The records as columns, each made only once. */
interface Records extends Branches {
  readonly line: Int32Array;
  readonly parentUuid: Int32Array;
  readonly logicalParentUuid: Int32Array;
  /** The parent among the earlier records; −1 if there is none. */
  readonly before: Int32Array;
  /** Index of the last record with each uuid. */
  readonly byUuid: Int32Array;
}

/** Content of the branch that starts at each record. */
interface Branches {
  readonly prompt: Uint8Array;
  readonly answered: Uint8Array;
  /** Index of the branch's last conversation record. */
  readonly last: Int32Array;
}

/** The records, each as if it were a branch of its own. */
function recordsOf(tree: Tree): Records {
  const room = new ColumnBuffer(tree.length, { integers: 5, bytes: 2 });
  const [line, last] = [room.integers(), room.integers()];
  const [parentUuid, logicalParentUuid, before] = [room.integers(), room.integers(), room.integers()];
  const [prompt, answered] = [room.bytes(), room.bytes()];
  const byUuid = new Int32Array(tree.ids).fill(NONE);
  for (let index = 0; index < tree.length; index++) {
    const node = tree.node(index);
    line[index] = node.line;
    parentUuid[index] = node.parent;
    logicalParentUuid[index] = node.logicalParent;
    last[index] = node.conversation ? index : NONE;
    prompt[index] = Number(node.prompt);
    answered[index] = Number(node.answered);
    before[index] = node.parent === NONE ? NONE : (byUuid[node.parent] ?? NONE);
    if (node.uuid !== NONE) byUuid[node.uuid] = index;
  }
  return { line, parentUuid, logicalParentUuid, before, last, prompt, answered, byUuid };
}

function parentIndices(tree: Tree, records: Records, report: Report): Int32Array {
  const { line, parentUuid, logicalParentUuid, before, byUuid } = records;
  const recordOf = (uuid: number) => (uuid === NONE ? NONE : (byUuid[uuid] ?? NONE));
  const isKnown = (uuid: number) => uuid !== NONE && tree.known(uuid);
  return parentUuid.map((uuid, index) => {
    const logical = logicalParentUuid[index] ?? NONE;
    // If a uuid occurs several times, the parent is the last earlier record with it.
    const earlier = before[index] ?? NONE;
    const found = earlier === NONE ? recordOf(uuid) : earlier;
    const parent = found === NONE ? recordOf(logical) : found;
    const isNamed = uuid !== NONE || logical !== NONE;
    if (parent === NONE && isNamed && !isKnown(uuid) && !isKnown(logical)) report("missing-parent", line[index] ?? 0);
    return parent;
  });
}

/** All nodes, each after its parent. A cycle is cut at its first record, which cannot have a later parent: −1 is written into `parents` there. */
function parentsFirst(parents: Int32Array, onCycle: (node: number) => void): Int32Array {
  const state = new Uint8Array(parents.length);
  const order = new Int32Array(parents.length);
  let placed = 0;
  for (let start = 0; start < parents.length; start++) {
    const path: number[] = [];
    let at = start;
    while (at !== NONE && state[at] === UNSEEN) {
      state[at] = ON_PATH;
      path.push(at);
      at = parents[at] ?? NONE;
    }
    if (at !== NONE && state[at] === ON_PATH) {
      const cycle = path.splice(path.indexOf(at));
      const first = cycle.reduce((a, b) => Math.min(a, b));
      parents[first] = NONE;
      onCycle(first);
      const cut = cycle.indexOf(first) + 1;
      path.push(...cycle.slice(cut), ...cycle.slice(0, cut));
    }
    for (const node of path.reverse()) {
      state[node] = DONE;
      order[placed] = node;
      placed += 1;
    }
  }
  return order;
}

const UNSEEN = 0;
const ON_PATH = 1;
const DONE = 2;

/** Adds to each branch's columns the content of the branches within it. */
function gather({ prompt, answered, last }: Branches, parents: Int32Array, order: Int32Array): void {
  for (let place = order.length - 1; place >= 0; place--) {
    const node = order[place] ?? 0;
    const parent = parents[node] ?? NONE;
    if (parent === NONE) continue;
    prompt[parent] = (prompt[parent] ?? 0) | (prompt[node] ?? 0);
    answered[parent] = (answered[parent] ?? 0) | (answered[node] ?? 0);
    last[parent] = Math.max(last[parent] ?? NONE, last[node] ?? NONE);
  }
}

/** First nodes of the abandoned branches. */
function rejectedBranches(parents: Int32Array, branches: Branches): Uint8Array {
  const rejected = new Uint8Array(parents.length);
  for (const siblings of forks(parents, branches)) {
    const keptBranch = siblings.reduce((a, b) => ((branches.last[b] ?? NONE) > (branches.last[a] ?? NONE) ? b : a));
    // A sibling without a prompt or response belongs to the kept branch: a parallel result, progress, a hook's record.
    const filled = siblings.filter((node) => branches.prompt[node] === 1 || branches.answered[node] === 1);
    for (const node of filled) if (node !== keptBranch) rejected[node] = 1;
  }
  return rejected;
}

/** The children of every record that has two or more children with both a prompt and a response. */
function forks(parents: Int32Array, branches: Branches): Iterable<readonly number[]> {
  const full = new Int32Array(parents.length);
  for (const [node, parent] of parents.entries()) {
    if (parent !== NONE && branches.prompt[node] === 1 && branches.answered[node] === 1) {
      full[parent] = (full[parent] ?? 0) + 1;
    }
  }
  const children = new Map<number, number[]>();
  for (const [node, parent] of parents.entries()) {
    if (parent === NONE || (full[parent] ?? 0) < 2) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  }
  return children.values();
}
