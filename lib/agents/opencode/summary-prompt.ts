import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import { textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { isObject, type JsonObject } from "../json";
import { serializedMessage } from "./serialize";

interface HistoryMessage {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
}

/** What stands in front of the history. Source: systems/opencode.md §3.5. */
const HISTORY_HEAD = "The following is the conversation history:";

/**
 * The part of opencode's user message that is known: the history, flattened, behind its heading. In front of that stands a
 * template with Markdown sections that is not known to the letter; nor is what parts the messages, here an empty line.
 */
export function summaryPromptOf(history: readonly HistoryMessage[]) {
  const results = resultsOf(history);
  const lines = history.map(({ message, contents }) =>
    serializedMessage({
      info: { role: message.role === "assistant" ? "assistant" : "user" },
      parts: message.blocks.flatMap((block, index) => partOf(block, textAt(contents, index), results)),
    }),
  );
  return {
    system: null,
    text: [HISTORY_HEAD, ...lines.filter((text) => text !== "")].join("\n\n"),
    notes: ["systemUnknown", "instructionsUnknown", "jointsUnknown"] as const,
  };
}

/** A call's result: opencode holds both in one part. */
interface Result {
  readonly text: string;
  readonly isError: boolean;
}

function resultsOf(history: readonly HistoryMessage[]): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  for (const { message, contents } of history) {
    for (const [index, block] of message.blocks.entries()) {
      if (block.kind !== "tool_result" || block.callId === undefined || results.has(block.callId)) continue;
      results.set(block.callId, { text: textAt(contents, index), isError: block.isError === true });
    }
  }
  return results;
}

function partOf(
  { kind, callId, tool }: Message["blocks"][number],
  text: string,
  results: ReadonlyMap<string, Result>,
): readonly JsonObject[] {
  switch (kind) {
    case "text":
      return [{ type: "text", text }];
    case "thinking":
      return [{ type: "reasoning", text }];
    case "image":
      return [{ type: "file", mime: "image/png" }];
    case "tool_call":
      return [{ type: "tool", tool, state: stateOf(text, results.get(callId ?? "")) }];
    default:
      return []; // A result stands with its call.
  }
}

function stateOf(input: string, result: Result | undefined): JsonObject {
  const state = { input: inputOf(input) };
  if (result === undefined) return { ...state, status: "running" };
  return result.isError
    ? { ...state, status: "error", error: result.text }
    : { ...state, status: "completed", output: result.text };
}

/** Arguments as the object that they are; text that is none stands as it is. */
function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : { input: text };
  } catch {
    return { input: text }; // Cut off or free text, as some tools take it.
  }
}
