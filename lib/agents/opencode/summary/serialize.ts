import { type JsonObject, jsonOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import { CLEARED_TEXT } from "../base/constants";
import { isCleared, type SessionMessage } from "../messages/message";

/** Length to which a result is cut for the summarising model. */
const RESULT_CHARS: Chars = 2000;

/**
 * A message as the summarising model reads it; empty if it holds nothing to summarise. A user message is one text followed by the files, an answer
 * has one line for each part. Source: opencode 1.18.15, `serialize` in `session/compaction.ts`.
 */
export function serializedMessage(message: SessionMessage): string {
  return (message.info.role === "user" ? userLines : assistantLines)(message.parts).join("\n");
}

function userLines(parts: readonly JsonObject[]): readonly string[] {
  const texts = parts.filter((part) => part.type === "text" && !part.ignored).map((part) => textOf(part.text));
  const text = texts.filter((one) => one !== "").join("\n");
  const files = parts.filter((part) => part.type === "file").map(attached);
  return text === "" ? files : [`[User]: ${text}`, ...files];
}

function assistantLines(parts: readonly JsonObject[]): readonly string[] {
  return parts.flatMap((part) => {
    const text = textOf(part.text);
    if (part.type === "text") return text === "" ? [] : [`[Assistant]: ${text}`];
    if (part.type === "reasoning") return text === "" ? [] : [`[Assistant reasoning]: ${text}`];
    return part.type === "tool" ? callLines(part, objectOf(part.state)) : [];
  });
}

/** The lines of a call and of its result; only the call's line while it runs. */
function callLines(part: JsonObject, state: JsonObject): readonly string[] {
  const input = state.input === undefined ? "undefined" : jsonOf(state.input);
  const call = `[Assistant tool call]: ${shown(part.tool)}(${input})`;
  if (state.status === "error") return [call, `[Tool error]: ${shown(state.error)}`];
  return state.status === "completed" ? [call, `[Tool result]: ${resultText(part, state)}`] : [call];
}

function resultText(part: JsonObject, state: JsonObject): string {
  if (isCleared(part)) return CLEARED_TEXT;
  const output = [textOf(state.output), ...objectsOf(state.attachments).map(attached)].join("\n");
  return output.length > RESULT_CHARS ? `${output.slice(0, RESULT_CHARS)}\n[truncated]` : output;
}

function attached(file: JsonObject): string {
  return `[Attached ${shown(file.mime)}: ${shown(file.filename ?? "file")}]`;
}

/** A value within a text, as JavaScript writes it there. */
function shown(value: unknown): string {
  return typeof value === "object" && value !== null ? jsonOf(value) : writtenAs(value);
}

/** Truncation of a result in earlier releases, which sent it to the summarising model as a message; 0 means no limit. */
export function truncatedToolOutput(text: string, maxChars: Chars | undefined): string {
  if (!maxChars || text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}\n[Tool output truncated for compaction: omitted ${text.length - maxChars} chars]`;
}
