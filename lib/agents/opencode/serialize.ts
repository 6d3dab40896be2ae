import type { Chars } from "@/lib/core/base/units";
import { type JsonObject, jsonOf, objectOf, objectsOf, textOf } from "../json";
import { CLEARED_TEXT, COMPACTION_QUESTION, INTERRUPTED_TEXT } from "./constants";
import { isCleared, type SessionMessage } from "./message";

/** Length at which a result is cut for the summariser. */
const RESULT_CHARS: Chars = 2000;

/** A message as the summarising model reads it: a line a part. Source: systems/opencode.md §3.5. */
export function serializedMessage(message: SessionMessage): string {
  const lines = message.info.role === "user" ? userLine : assistantLines;
  return message.parts.flatMap(lines).join("\n");
}

function userLine(part: JsonObject): readonly string[] {
  switch (part.type) {
    case "text":
      return part.ignored === true || textOf(part.text) === "" ? [] : [`[User]: ${textOf(part.text)}`];
    case "file":
      return [attached(part)];
    case "compaction":
      return [`[User]: ${COMPACTION_QUESTION}`];
    default:
      return [];
  }
}

function assistantLines(part: JsonObject): readonly string[] {
  const text = textOf(part.text);
  if (part.type === "text") return text === "" ? [] : [`[Assistant]: ${text}`];
  if (part.type === "reasoning") return text === "" ? [] : [`[Assistant reasoning]: ${text}`];
  if (part.type !== "tool") return [];
  const state = objectOf(part.state);
  return [`[Assistant tool call]: ${textOf(part.tool)}(${jsonOf(state.input)})`, resultLine(part, state)];
}

function resultLine(part: JsonObject, state: JsonObject): string {
  if (state.status === "error") return `[Tool error]: ${textOf(state.error)}`;
  if (state.status !== "completed") return `[Tool error]: ${INTERRUPTED_TEXT}`;
  if (isCleared(part)) return `[Tool result]: ${CLEARED_TEXT}`;
  const output = [textOf(state.output), ...objectsOf(state.attachments).map(attached)].join("\n");
  const cut = output.length > RESULT_CHARS ? `${output.slice(0, RESULT_CHARS)}\n[truncated]` : output;
  return `[Tool result]: ${cut}`;
}

function attached(file: JsonObject): string {
  return `[Attached ${textOf(file.mime)}: ${textOf(file.filename) || "file"}]`;
}

/** How releases before cut a result that was sent to the summariser as a message; 0 is no limit. */
export function truncatedToolOutput(text: string, maxChars: Chars | undefined): string {
  if (!maxChars || text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}\n[Tool output truncated for compaction: omitted ${text.length - maxChars} chars]`;
}
