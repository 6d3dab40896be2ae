import { type Draft, type DraftBlock, NO_DRAFT } from "@/lib/core/transcript/draft";
import { idOf } from "../../ids";
import { isObject, type JsonObject, textOrAnyJson } from "../../json";
import { type ClawdMessage, callsOf } from "../messages/message";

/**
 * The content blocks of one row, in order. This is the only place that decides what the model reads in a row. A row of a call or a result has no
 * other content, or an empty one.
 */
export function draftOf(record: JsonObject): Draft {
  switch (record.type) {
    case "user":
    case "assistant":
      return textDraft(record.message);
    case "system":
      return record.subtype === "compact_boundary" ? NO_DRAFT : textDraft(record.message);
    case "tool_use":
      return withText(record.message, isObject(record.tool) ? callBlock(record.tool) : "tool");
    case "tool_result":
      return withText(record.message, isObject(record.toolResult) ? resultBlock(record.toolResult) : "toolResult");
    default:
      return NO_DRAFT;
  }
}

/** A message that is not a row of a call: its text, then the calls that it may carry itself. */
function textDraft(message: unknown): Draft {
  if (!isObject(message)) return { blocks: [], odd: ["message"] };
  const { content } = message;
  const calls = nestedCalls(message);
  const absent = content === undefined || content === null;
  if (absent) return { blocks: calls, odd: calls.length > 0 ? [] : ["content"] };
  const empty = content === "" && calls.length > 0;
  return { blocks: [...(empty ? [] : [{ kind: "text", text: textOrAnyJson(content) } as const]), ...calls], odd: [] };
}

/** Calls in OpenAI's form within a message: no release writes them, but they are part of the form that it keeps in memory. */
function nestedCalls(message: ClawdMessage): readonly DraftBlock[] {
  return callsOf(message).map((call) => ({
    kind: "tool_call",
    text: call.arguments ?? "",
    callId: idOf(call.id),
    tool: call.name,
    file: undefined,
  }));
}

function withText(message: unknown, block: DraftBlock | string): Draft {
  const content = isObject(message) ? message.content : undefined;
  const beside: DraftBlock[] = content ? [{ kind: "text", text: textOrAnyJson(content) }] : [];
  return typeof block === "string" ? { blocks: beside, odd: [block] } : { blocks: [...beside, block], odd: [] };
}

function callBlock(tool: JsonObject): DraftBlock {
  const input = isObject(tool.input) ? tool.input : {};
  const file = [input.file_path, input.path, input.notebook_path, input.filePath].find(
    (value) => typeof value === "string" && value !== "",
  );
  return {
    kind: "tool_call",
    text: textOrAnyJson(tool.input ?? {}),
    callId: idOf(tool.id),
    tool: typeof tool.name === "string" ? tool.name : undefined,
    // `find` does not narrow the type of the element, so it is checked again.
    file: typeof file === "string" ? file : undefined,
  };
}

/** A result's output; its error where there is no output, and both where there are both. */
function resultBlock(result: JsonObject): DraftBlock {
  const texts = [result.output, result.error].filter((value) => value !== undefined && value !== null && value !== "");
  return {
    kind: "tool_result",
    text: texts.map(textOrAnyJson).join("\n"),
    callId: idOf(result.id),
    isError: Boolean(result.error),
  };
}
