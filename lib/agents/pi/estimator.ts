import { isObject, jsonOf } from "@/lib/agents/shared/json";
import { charsOverFour } from "@/lib/core/base/characters";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { type BlockContent, type ItemEstimator, sharedOut, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { CUT, IMAGE_CHARS, type PiMeasure } from "./base/constants";
import { PI_PRESETS, type PiPreset } from "./base/presets";
import { contextMessages, type PiEntry } from "./messages/entry";
import {
  isFailed,
  type PiBlock,
  type PiContent,
  type PiMessage,
  type SystemMessage,
  toMessage,
} from "./messages/message";
import { nativeEntries } from "./messages/native";
import { keptOutput } from "./sent/output-limit";
import { FileTracker } from "./summary/files";

/**
 * pi's token rule: ceil(UTF-16 units / 4) for each of pi's messages, divided among the blocks that it carries. On pi's own files the record itself is
 * measured, on those of other agents the messages that pi would make of ours. Source: README.md, "Message sizes".
 */
export function piEstimatorOf(preset: PiPreset): ItemEstimator {
  return {
    id: "pi",
    text: (text) => charsOverFour(text.length),
    message: (message) =>
      isObject(message) && typeof message.role === "string" ? messageTokens(toMessage(message), preset) : undefined,
    blocks: (message, contents, format) =>
      sharedOut(
        message.blocks.map((block, index) => weightOf(block, textAt(contents, index), message, preset)),
        nativeEntries(message, contents, format).map(({ entry, blocks }) => ({
          tokens: messagesTokens(countedMessages(entry), preset),
          blocks,
        })),
      ),
  };
}

/** The rule of the default preset. */
export const piEstimator: ItemEstimator = piEstimatorOf(PI_PRESETS[0]);

/** An entry's messages, without the prompt that a compaction may hold, since that is overhead. */
function countedMessages(entry: PiEntry): readonly PiMessage[] {
  return contextMessages(entry).filter((message) => message.role !== "system");
}

/** The units that the rule counts in a block; 0 for ignored ones. */
function weightOf({ kind, tool = "" }: Block, text: string, message: Message, preset: PiPreset): Chars {
  if (kind === "image") return countsImages(message, preset) ? IMAGE_CHARS : 0;
  return kind === "tool_call" ? text.length + tool.length : text.length;
}

/** True if the message's images count. Images of responses never do, and typed ones do not in 0.51. */
function countsImages({ origin }: Message, preset: PiPreset): boolean {
  return origin !== "response" && (preset === "current" || origin !== "typed");
}

/** Numbers that the policy needs besides tokens: for each measure, one number for each block. */
export type PiMeasures = Readonly<Record<PiMeasure, readonly number[]>>;

/**
 * Measures of a message's blocks, in their order; computed once on the server, like token columns.
 * - `pi.cut`: kind of message that begins at the block (`CUT`), since pi may divide messages differently
 * - `pi.fileChars`: UTF-16 units of the path that a call adds to a summary's lists, negative if it changes the file; 0 elsewhere
 * - `pi.unsent`: for a block of a response that is not sent, 1 plus its tokens as pi counts it; 0 elsewhere
 * - `pi.outputChars`: UTF-16 units of a result that pi's tools would have let through; −1 for other blocks
 */
export function piMeasures(message: Message, contents: readonly BlockContent[], format: string): PiMeasures {
  const cut: number[] = message.blocks.map(() => CUT.INSIDE);
  const files: number[] = message.blocks.map(() => 0);
  let isUnsent = false;
  for (const { entry, blocks } of nativeEntries(message, contents, format)) {
    cut[blocks[0] ?? 0] = cutOf(entry);
    isUnsent = entry.type === "message" && isFailed(entry.message);
    const calls = callsOf(entry);
    const ofCalls = blocks.filter((index) => message.blocks[index]?.kind === "tool_call");
    ofCalls.forEach((index, at) => {
      files[index] = fileChars(calls[at]);
    });
  }
  return {
    "pi.cut": cut,
    "pi.fileChars": files,
    "pi.unsent": isUnsent
      ? piEstimator.blocks(message, contents, format).map((tokens) => 1 + tokens)
      : files.map(() => 0),
    "pi.outputChars": message.blocks.map((block, index) =>
      block.kind === "tool_result" ? keptOutput(textAt(contents, index), block.tool).length : -1,
    ),
  };
}

type Call = Extract<PiBlock, { type: "toolCall" }>;

function callsOf(entry: PiEntry): readonly Call[] {
  if (entry.type !== "message" || entry.message.role !== "assistant") return [];
  return entry.message.content.filter((block) => block.type === "toolCall");
}

function fileChars(call: Call | undefined): Chars {
  const files = new FileTracker("current");
  if (call !== undefined) files.call(call.name, call.arguments);
  const { readFiles, modifiedFiles } = files.lists();
  return (readFiles[0]?.length ?? 0) - (modifiedFiles[0]?.length ?? 0);
}

function cutOf(entry: PiEntry): number {
  if (entry.type === "custom_message" || entry.type === "branch_summary") return CUT.ENTRY;
  const role = entry.type === "message" ? entry.message.role : undefined;
  if (role === "toolResult") return CUT.RESULT;
  if (role === "user" || role === "bashExecution") return CUT.TURN;
  return role === "assistant" ? CUT.RESPONSE : CUT.MESSAGE;
}

/**
 * Tokens of a message: ceil(UTF-16 units / 4) of the content that the rule counts for its role. Ids, signatures, redacted reasoning, `details`
 * and unknown roles count 0. Source: README.md, "Message sizes".
 */
export function messageTokens(message: PiMessage, preset: PiPreset): Tokens {
  return charsOverFour(messageChars(message, preset));
}

/** UTF-16 units that the rule counts in a message. */
function messageChars(message: PiMessage, preset: PiPreset): Chars {
  switch (message.role) {
    case "user":
      return contentChars(message.content, preset === "current" ? IMAGE_CHARS : 0);
    case "assistant":
      return message.content.reduce((sum, block) => sum + responseChars(block), 0);
    case "toolResult":
    case "custom":
      return contentChars(message.content, IMAGE_CHARS);
    case "bashExecution":
      return message.command.length + message.output.length;
    case "branchSummary":
    case "compactionSummary":
      return message.summary.length;
    case "system":
      return preset === "current" ? systemChars(message) : 0;
    case "other":
      return 0;
  }
}

/** Tokens of several messages, each rounded up separately. */
export function messagesTokens(messages: readonly PiMessage[], preset: PiPreset): Tokens {
  return messages.reduce((sum, message) => sum + messageTokens(message, preset), 0);
}

function contentChars(content: PiContent, image: Chars): Chars {
  if (typeof content === "string") return content.length;
  return content.reduce(
    (sum, block) => sum + (block.type === "text" ? block.text.length : block.type === "image" ? image : 0),
    0,
  );
}

function responseChars(block: PiBlock): Chars {
  switch (block.type) {
    case "text":
      return block.text.length;
    case "thinking":
      return block.thinking.length;
    case "toolCall":
      return block.name.length + jsonOf(block.arguments).length;
    default:
      return 0;
  }
}

function systemChars(message: SystemMessage): Chars {
  const sections = message.sections.reduce((sum, [, text]) => sum + (text?.length ?? 0), 0);
  return contentChars(message.content, IMAGE_CHARS) + sections + jsonOf(message.toolsAdded).length;
}
