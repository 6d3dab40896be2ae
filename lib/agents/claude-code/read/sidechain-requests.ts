import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { NodeList } from "./node-list";
import type { Node } from "./nodes";
import { isPartial, pointOf } from "./trajectory";

const NONE = -1;

/**
 * Writes the requests of the subagents whose records are in the file. A subagent may have copied a response from the main chain or from another
 * subagent: the copy has the same message id but another request id, and is the same request. Streaming may write a response twice; its last
 * record counts.
 */
export function writeSidechainRequests(builder: TranscriptBuilder, nodes: NodeList): void {
  const own = new Set<number>();
  const responses = new Map<number, Node[]>();
  for (let index = 0; index < nodes.length; index++) {
    if (!nodes.isResponse(index)) continue;
    const node = nodes.node(index);
    if (node.content.kind !== "response") continue;
    const { id } = node.content;
    if (!node.sidechain) own.add(id);
    // A response without an id stands alone, under a key made from its index.
    else add(responses, id === NONE ? NONE - 1 - index : id, node);
  }
  for (const [id, lines] of responses) {
    const point = own.has(id) ? undefined : pointOf(lines);
    if (point?.usage !== undefined)
      builder.extraRequest({ ...point, kind: "subagent", partialOutput: isPartial(lines) });
  }
}

function add(responses: Map<number, Node[]>, id: number, node: Node): void {
  const lines = responses.get(id);
  if (lines === undefined) responses.set(id, [node]);
  else lines.push(node);
}
