import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { NodeList } from "./node-list";
import type { Node } from "./nodes";
import { pointOf } from "./trajectory";

/**
 * Writes the requests outside the main chain: of subagents recorded in the file, of calls for summaries, and of branches that a rewind abandoned. A
 * subagent may have copied a response from the main chain or from another subagent: the copy has the same message id but another request id, and is
 * the same request. Streaming may write a response twice; its last record counts.
 * @param chain the records of the main chain; all others are subagents'
 * @param abandoned by place in the chain, 1 if the record is on an abandoned branch
 * @param summaryCalls records of calls for summaries
 */
export function writeExtraRequests(
  builder: TranscriptBuilder,
  nodes: NodeList,
  chain: Int32Array,
  abandoned: Uint8Array,
  summaryCalls: ReadonlySet<number>,
): void {
  const written = new Set<number>();
  const branches: number[] = [];
  const isOnChain = new Uint8Array(nodes.length);
  for (const [place, index] of chain.entries()) {
    isOnChain[index] = 1;
    if (abandoned[place] === 1) branches.push(index);
    else if (nodes.isResponse(index)) written.add(nodes.messageId(index));
  }
  writeRequests(builder, nodes, branches, "branch", written);
  const subagents = Array.from(isOnChain.keys()).filter((index) => isOnChain[index] === 0);
  const calls = subagents.filter((index) => summaryCalls.has(index));
  writeRequests(
    builder,
    nodes,
    subagents.filter((index) => !summaryCalls.has(index)),
    "subagent",
    written,
  );
  writeRequests(builder, nodes, calls, "compaction", written);
}

/** Writes the responses among some records, except those with an already written message id. */
function writeRequests(
  builder: TranscriptBuilder,
  nodes: NodeList,
  indices: readonly number[],
  kind: "branch" | "subagent" | "compaction",
  written: Set<number>,
): void {
  const responses = new Map<number, Node[]>();
  for (const index of indices) {
    if (!nodes.isResponse(index)) continue;
    const id = nodes.messageId(index);
    if (!written.has(id)) add(responses, id, nodes.node(index));
  }
  for (const [id, lines] of responses) {
    written.add(id);
    const { point, passes } = pointOf(lines);
    if (point?.usage === undefined) continue;
    const { usage: _, model: __, ...shared } = point;
    builder.extraRequest({ ...point, kind });
    for (const pass of passes) builder.extraRequest({ ...shared, ...pass, kind, furtherPass: true });
  }
}

function add(responses: Map<number, Node[]>, id: number, node: Node): void {
  const lines = responses.get(id);
  if (lines === undefined) responses.set(id, [node]);
  else lines.push(node);
}
