import { idOf, nameOf } from "@/lib/agents/shared/ids";
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  parsedOr,
  textOf,
  textOrJson,
} from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";

/** Content blocks of a message, or the system prompt of a session's record. Source: README.md, "Records". */
export function blocksOf(record: JsonObject): readonly DraftBlock[] {
  if (record.role === "session_meta") {
    const prompt = textOf(record.system_prompt);
    return prompt === "" ? [] : [{ kind: "text", text: prompt }];
  }
  if (record.role === "tool") return resultBlocks(record);
  const thinking = textOf(record.reasoning) || textOf(record.reasoning_content);
  const isAnswer = record.role === "assistant";
  return [
    ...(isAnswer && thinking !== "" ? [{ kind: "thinking", text: thinking } as const] : []),
    ...contentBlocks(record.content),
    ...(isAnswer ? objectsOf(record.tool_calls).map(callBlock) : []),
  ];
}

function contentBlocks(content: unknown): readonly DraftBlock[] {
  if (!Array.isArray(content)) {
    const text = content === undefined ? "" : textOrJson(content);
    return text === "" ? [] : [{ kind: "text", text }];
  }
  return listOf(content).map((part) => (isImage(part) ? imageBlock(part) : { kind: "text", text: textOfPart(part) }));
}

function textOfPart(part: unknown): string {
  return isObject(part) && typeof part.text === "string" ? part.text : textOrJson(part);
}

function isImage(part: unknown): part is JsonObject {
  return isObject(part) && ["image", "image_url", "input_image"].includes(textOf(part.type));
}

function imageBlock(part: JsonObject): DraftBlock {
  const { image_url: image, source } = part;
  return {
    kind: "image",
    text: textOf(objectOf(image).url) || textOf(image) || textOrJson(source ?? ""),
    payload: true,
  };
}

function callBlock({ id, call_id, function: called, name, arguments: own }: JsonObject): DraftBlock {
  const given = objectOf(called).arguments ?? own ?? "";
  const text = textOrJson(given);
  const input = parsedOr(text);
  const file = isObject(input) ? nameOf(input.path) : undefined;
  return {
    kind: "tool_call",
    text,
    callId: idOf(id) ?? idOf(call_id),
    tool: nameOf(objectOf(called).name ?? name),
    file,
  };
}

/** A result's text, and its images after it. */
function resultBlocks({ content, tool_call_id, tool_name }: JsonObject): readonly DraftBlock[] {
  const parts = contentBlocks(content);
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  const result = { kind: "tool_result", text, callId: idOf(tool_call_id), tool: nameOf(tool_name) } as const;
  return [result, ...parts.filter(({ kind }) => kind === "image")];
}
