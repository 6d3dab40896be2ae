import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { parseJson } from "@/lib/core/transcript/nesting";
import { isObject, type JsonObject } from "../json";
import { recordedBlocks } from "./native";
import { serializedMessage } from "./serialize";

interface HistoryMessage {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
}

/** A block with its text, and what opencode's own records say of a file. */
interface Piece {
  readonly block: Message["blocks"][number];
  readonly text: string;
  readonly file: JsonObject;
}

/** What stands in front of the history. Source: opencode 1.18.15, `session/compaction.ts`. */
const HISTORY_HEAD = "The following is the conversation history:";

/**
 * The part of opencode's user message that is known: the history, flattened, behind its heading. In front of that stands a template
 * with Markdown sections that is not known to the letter: an earlier compaction's summary is put there, and leaves the history.
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

/** What every call gave, as the state of its part: opencode holds both in one. */
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
      return block.callId === undefined ? [file] : []; // One that came with a result stands there.
    case "tool_call": {
      const state = results.get(block.callId ?? "") ?? { status: "running" };
      return [{ type: "tool", tool: block.tool, state: { ...state, input: inputOf(text) } }];
    }
    case "tool_result":
      return []; // It stands with its call.
  }
}

/** Arguments as the object that they are; text that is none stands as it is. */
function inputOf(text: string): unknown {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : { input: text };
  } catch {
    return { input: text }; // Cut off or free text, as some tools take it.
  }
}
