import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import { idOf, nameOf } from "../ids";
import { type JsonObject, objectOf, objectsOf, textOf, textOrJson } from "../json";

/**
 * What the model read of a record; `undefined` for records of which it read nothing. Both reading and loading texts again use this function, so
 * that they give the same texts in the same order.
 */
export function draftOf(record: JsonObject): DraftMessage | undefined {
  switch (record.type) {
    case "user":
      return { role: "user", origin: "typed", blocks: [{ kind: "text", text: textOf(record.text) }] };
    case "assistant":
      return { role: "assistant", origin: "response", blocks: responseBlocks(record) };
    case "result":
      return { role: "user", origin: "tool", blocks: [resultBlock(record)] };
    case "compaction":
      return { role: "user", origin: "summary", blocks: [{ kind: "text", text: textOf(record.summary) }] };
    default:
      return undefined;
  }
}

function responseBlocks(record: JsonObject): readonly DraftBlock[] {
  const calls = objectsOf(record.calls).map(
    ({ id, name, arguments: given }): DraftBlock => ({
      kind: "tool_call",
      text: textOrJson(given),
      callId: idOf(id),
      tool: nameOf(name),
      file: nameOf(objectOf(given).path),
    }),
  );
  return [{ kind: "text", text: textOf(record.text) }, ...calls];
}

function resultBlock({ call, text, failed }: JsonObject): DraftBlock {
  return { kind: "tool_result", text: textOf(text), callId: idOf(call), isError: failed === true };
}
