import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, jsonOf, textOrAnyJson } from "@/lib/agents/shared/json";
import type { Draft, DraftBlock } from "@/lib/core/transcript/draft";
import { hintsStart } from "../summary/compression";

/** A message of the history as a record holds it, and its blocks. */
export interface HistoryMessage extends Draft {
  readonly value: JsonObject;
}

/** The content of one record: texts of the system prompt, then messages. */
interface HistoryDraft {
  readonly system: readonly string[];
  readonly messages: readonly HistoryMessage[];
}

/** A record is one message, or a document with a list of messages and a system prompt. */
export function draftOf(record: JsonObject): HistoryDraft {
  const values = Array.isArray(record.messages) ? record.messages.filter(isObject) : isMessage(record) ? [record] : [];
  return { system: systemTexts(record.system), messages: values.map(messageDraft) };
}

const ROLES = new Set(["system", "user", "assistant", "tool"]);

/** True if a record is a message of the AI SDK. */
export function isMessage(record: JsonObject): boolean {
  return typeof record.role === "string" && ROLES.has(record.role) && "content" in record;
}

/** The static prompt and the hints after it. */
function systemTexts(system: unknown): readonly string[] {
  if (typeof system !== "string" || system === "") return [];
  const at = hintsStart(system);
  return at < 0 ? [system] : [system.slice(0, at), system.slice(at)];
}

function messageDraft(value: JsonObject): HistoryMessage {
  const { content } = value;
  if (!Array.isArray(content)) {
    const odd = typeof content === "string" ? [] : ["content"];
    return { value, blocks: [{ kind: "text", text: textOrAnyJson(content ?? "") }], odd };
  }
  // An empty list is measured too, so it needs a block to carry its size.
  if (content.length === 0) return { value, blocks: [{ kind: "text", text: "" }], odd: [] };
  const parts = content.map(partBlock);
  return {
    value,
    blocks: parts.map(({ block }) => block),
    odd: parts.flatMap(({ odd }) => (odd === undefined ? [] : [odd])),
  };
}

interface Part {
  readonly block: DraftBlock;
  readonly odd?: string;
}

/** The block of a part, in the names of AI SDK 4 and of 5. */
function partBlock(part: unknown): Part {
  if (!isObject(part)) return { block: { kind: "text", text: textOrAnyJson(part) }, odd: "content part" };
  switch (part.type) {
    case "text":
      return { block: { kind: "text", text: textOrAnyJson(part.text ?? "") } };
    case "reasoning":
      return { block: { kind: "thinking", text: textOrAnyJson(part.text ?? "") } };
    case "redacted-reasoning":
      return { block: { kind: "thinking", text: textOrAnyJson(part.data ?? ""), payload: true } };
    case "image":
      return { block: { kind: "image", text: textOrAnyJson(part.image ?? ""), payload: true } };
    case "file":
      return {
        block: { kind: "image", text: textOrAnyJson(part.data ?? ""), payload: true, file: nameOf(part.filename) },
      };
    case "tool-call":
      return { block: callBlock(part) };
    case "tool-result":
      return { block: resultBlock(part) };
    default:
      return { block: { kind: "text", text: jsonOf(part) }, odd: `content ${nameOf(part.type) ?? "part"}` };
  }
}

function callBlock(part: JsonObject): DraftBlock {
  const input = part.args ?? part.input ?? {};
  const given = isObject(input) ? input : {};
  return {
    kind: "tool_call",
    text: textOrAnyJson(input),
    callId: idOf(part.toolCallId),
    tool: nameOf(part.toolName),
    file: nameOf(given.path) ?? nameOf(given.file_path),
  };
}

function resultBlock(part: JsonObject): DraftBlock {
  const { type } = isObject(part.output) ? part.output : {};
  return {
    kind: "tool_result",
    text: "result" in part ? textOrAnyJson(part.result ?? "") : outputText(part.output),
    callId: idOf(part.toolCallId),
    tool: nameOf(part.toolName),
    isError: part.isError === true || (typeof type === "string" && type.startsWith("error")),
  };
}

/** The text of a result: AI SDK 5 wraps its value together with its type. */
function outputText(output: unknown): string {
  if (!isObject(output) || !("value" in output)) return textOrAnyJson(output ?? "");
  if (output.type !== "content" || !Array.isArray(output.value)) return textOrAnyJson(output.value);
  return output.value
    .map((one) => (isObject(one) && one.type === "text" ? textOrAnyJson(one.text) : jsonOf(one)))
    .join("\n");
}
