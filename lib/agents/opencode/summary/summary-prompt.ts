import { argumentsOf, type JsonObject, jsonOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { CLEARED_TEXT } from "../base/constants";
import { isCleared, type SessionMessage } from "../messages/message";
import { recordedBlocks } from "../messages/native";

interface HistoryMessage {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
}

/** A block with its text, and the file fields of opencode's own records. */
interface Piece {
  readonly block: Message["blocks"][number];
  readonly text: string;
  readonly file: JsonObject;
}

/** The heading before the history. Source: opencode 1.18.15, `session/compaction.ts`. */
const HISTORY_HEAD = "The following is the conversation history:";

/**
 * The known part of opencode's user message: the flattened history after its heading. A template with Markdown sections comes before it, which is not
 * known exactly. An earlier compaction's summary moves from the history into that template.
 */
export function summaryPromptOf(history: readonly HistoryMessage[], _preset: string, format: string) {
  const own = history
    .filter(({ message }) => message.recordedOnly !== true)
    .map((one) => ({ role: one.message.role, pieces: piecesOf(one, format) }));
  const results = resultsOf(own.flatMap(({ pieces }) => pieces));
  const texts = own.map(({ role, pieces }) => {
    const parts = pieces.flatMap((piece) => partOf(piece, results));
    return serializedMessage({ info: { role: role === "assistant" ? "assistant" : "user" }, parts });
  });
  return {
    system: null,
    text: [HISTORY_HEAD, ...texts.filter((text) => text !== "")].join("\n\n"),
    notes: ["systemUnknown", "instructionsUnknown"] as const,
  };
}

function piecesOf({ message, contents }: HistoryMessage, format: string): readonly Piece[] {
  const recorded = format === "opencode" ? recordedBlocks(message, contents) : undefined;
  return message.blocks.map((block, index) => {
    const { mime = "image/png", filename } = recorded?.[index] ?? {};
    return { block, text: textAt(contents, index), file: { type: "file", mime, filename } };
  });
}

/** The result of every call, as the state of its part: opencode keeps both in one. */
function resultsOf(pieces: readonly Piece[]): ReadonlyMap<string, JsonObject> {
  const attachments = new Map<string, JsonObject[]>();
  const results = new Map<string, JsonObject>();
  for (const { block, text, file } of pieces) {
    const { kind, callId, isError } = block;
    if (callId === undefined) continue;
    const files = attachments.get(callId) ?? [];
    attachments.set(callId, files);
    if (kind === "image") files.push(file);
    if (kind !== "tool_result" || results.has(callId)) continue;
    results.set(
      callId,
      isError === true ? { status: "error", error: text } : { status: "completed", output: text, attachments: files },
    );
  }
  return results;
}

function partOf({ block, text, file }: Piece, results: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
  switch (block.kind) {
    case "text":
      return [{ type: "text", text }];
    case "thinking":
      return [{ type: "reasoning", text }];
    case "image":
      return block.callId === undefined ? [file] : []; // A file with a call id is part of that call's result.
    case "tool_call": {
      const state = results.get(block.callId ?? "") ?? { status: "running" };
      return [{ type: "tool", tool: block.tool, state: { ...state, input: argumentsOf(text) } }];
    }
    case "tool_result":
      return []; // A result belongs to its call.
  }
}

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
