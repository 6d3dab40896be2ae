import { argumentsOf, type JsonObject } from "@/lib/agents/shared/json";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { recordedBlocks } from "../messages/native";
import { serializedMessage } from "./serialize";

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
 * The known part of opencode's user message: the flattened history after its heading. A template with Markdown sections comes before it, which is
 * not known to the letter. An earlier compaction's summary moves from the history into that template.
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
      return block.callId === undefined ? [file] : []; // A file of a result belongs to that result.
    case "tool_call": {
      const state = results.get(block.callId ?? "") ?? { status: "running" };
      return [{ type: "tool", tool: block.tool, state: { ...state, input: argumentsOf(text) } }];
    }
    case "tool_result":
      return []; // It belongs to its call.
  }
}
