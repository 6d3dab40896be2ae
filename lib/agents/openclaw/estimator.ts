import type { Chars, Tokens } from "@/lib/core/base/units";
import {
  type BlockContent,
  type CarriedTokens,
  type ItemEstimator,
  sharedOut,
  textAt,
} from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { CURRENT_IMAGE_CHARS, CUT, DOCUMENTED_IMAGE_CHARS, type OpenClawMeasure, PAIRED } from "./base/constants";
import { OPENCLAW_PRESETS, type OpenClawPreset } from "./base/presets";
import { messageOfEntry, type SessionEntry } from "./messages/entry";
import { charsBesideImages, messageTokens, textTokens, withoutImages } from "./messages/estimate";
import { type AgentMessage, blocksOf, isFailed, isMissingResult } from "./messages/message";
import { nativeEntries } from "./messages/native";
import { callPairing } from "./messages/repair";
import { stringChars } from "./messages/string-chars";
import { isObject, type JsonObject, objectOf } from "./messages/value";
import { messagePressure } from "./sent/pressure";
import { callChars, currentText, currentTrim, markerChars } from "./sent/prune";
import { DEFAULT_PRUNING } from "./sent/pruning-settings";
import { resultChars } from "./sent/result-budget";
import { keptOutput } from "./sent/tool-output";
import { addFileOperations, fileLists, noFileOperations } from "./summary/file-operations";
import { failureLines } from "./summary/tool-failures";

/**
 * OpenClaw's token rule: chars divided by four for each of its own messages, divided among the blocks that the message carries. On its own files the
 * recorded message is measured, elsewhere the converted one. Source: README.md, "Sizes".
 */
export function openClawEstimatorOf(preset: OpenClawPreset): ItemEstimator {
  return {
    id: "openclaw",
    text: (text) => textTokens(text, preset),
    message: (message) => (isMessage(message) ? messageTokens(message, preset) : undefined),
    blocks: (message, contents, format) =>
      sharedOverBlocks(message, contents, format, preset, imageChars(message, preset), (native) =>
        messageTokens(native, preset),
      ),
  };
}

/** The rule of the default preset. */
export const openClawEstimator: ItemEstimator = openClawEstimatorOf(OPENCLAW_PRESETS[0]);

function isMessage(value: unknown): value is AgentMessage {
  return isObject(value) && typeof value.role === "string";
}

/**
 * A size of every native message, shared out over its blocks by the chars of their texts.
 * @param image chars of an image
 */
function sharedOverBlocks(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
  preset: OpenClawPreset,
  image: Chars,
  sizeOf: (native: AgentMessage) => Tokens,
): readonly Tokens[] {
  const measure = preset === "current" ? stringChars : (text: string) => text.length;
  return sharedOut(
    message.blocks.map((block, index) =>
      block.kind === "image" ? image : textWeight(block, textAt(contents, index), measure),
    ),
    nativeEntries(message, contents, format).flatMap(({ entry, blocks }) => {
      const native = messageOfEntry(entry, preset);
      if (native?.role !== "toolResult") return [{ tokens: native === undefined ? 0 : sizeOf(native), blocks }];
      return resultParts(message, native, blocks, sizeOf);
    }),
  );
}

/** A result's text alone, and the size of its images, which a truncation of the text does not change. */
function resultParts(
  message: Message,
  native: AgentMessage,
  blocks: readonly number[],
  sizeOf: (native: AgentMessage) => Tokens,
): readonly CarriedTokens[] {
  const isImage = (index: number) => message.blocks[index]?.kind === "image";
  const text = sizeOf(withoutImages(native));
  return [
    { tokens: text, blocks: blocks.filter((index) => !isImage(index)) },
    { tokens: sizeOf(native) - text, blocks: blocks.filter(isImage) },
  ];
}

/** The chars that the rule counts for an image; 0 if it ignores images. */
function imageChars({ origin }: Message, preset: OpenClawPreset): Chars {
  if (origin === "response") return 0;
  if (preset === "current") return CURRENT_IMAGE_CHARS;
  return origin === "typed" ? 0 : DOCUMENTED_IMAGE_CHARS;
}

/** The chars that it counts for a text, including the name of a call. */
function textWeight({ kind, tool = "" }: Block, text: string, measure: (text: string) => Chars): Chars {
  return measure(text) + (kind === "tool_call" ? measure(tool) : 0);
}

/** Numbers that the policy needs besides tokens: for each measure, one number for each block. */
export type OpenClawMeasures = Readonly<Record<OpenClawMeasure, readonly number[]>>;

/**
 * Measures of a message's blocks, in their order; computed once on the server, like token columns.
 * - `openclaw.cut`: kind of message that begins at the block (`CUT`), since OpenClaw may divide messages differently
 * - `openclaw.paired`, `openclaw.callId`: role of a call or a result in the repair of a history (`PAIRED`), and a hash of its id, 0 without one
 * - `openclaw.weightedChars`: the block's text in weighted chars; for a result, only the texts that a limit can cut (`current`)
 * - `openclaw.uncutChars`: weighted chars of a result other than those texts and its images, which no limit removes: results within it, line ends
 *   between texts, notes (`current`); 0 elsewhere
 * - `openclaw.fileEnd`: where the block's record ends in the file, in bytes
 * - `openclaw.pressure`: tokens that it is assumed to cost within a prompt (`current`)
 * - `openclaw.callChars`: chars that pruning counts for a call; 0 for other blocks
 * - `openclaw.failureChars`: chars of the line that `as-documented` adds to a summary for a result that is an error; 0 elsewhere
 * - `openclaw.fileChars`: chars of the path that a call adds to that summary's lists, negative if it changes the file
 * - `openclaw.givenChars`, `openclaw.givenWeighted`: chars and weighted chars of a result that the tool itself returns, and those of the text of
 *   reasoning, whose size may be larger than its text; 0 elsewhere
 * - `openclaw.trimUnits`: UTF-16 units of a result as `current` trims it, with a marker for every image; 0 elsewhere
 * - `openclaw.markerChars`: number of these units that are not part of the texts of a result with images; 0 elsewhere
 * - `openclaw.trimmedChars`: weighted chars that it leaves of a result with more units than head and tail; −1 elsewhere
 */
export function openClawMeasures(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): OpenClawMeasures {
  const cut: number[] = message.blocks.map(() => CUT.INSIDE);
  const calls: number[] = message.blocks.map(() => 0);
  const trimmed: number[] = message.blocks.map(() => -1);
  const trimUnits: number[] = message.blocks.map(() => 0);
  const markers: number[] = message.blocks.map(() => 0);
  const uncut: number[] = message.blocks.map(() => 0);
  const weighted = message.blocks.map(({ kind }, index) =>
    kind === "image" ? 0 : stringChars(textAt(contents, index)),
  );
  const failures: number[] = message.blocks.map(() => 0);
  const files: number[] = message.blocks.map(() => 0);
  const paired: number[] = message.blocks.map(() => 0);
  for (const { entry, blocks } of nativeEntries(message, contents, format)) {
    for (const index of blocks) paired[index] = pairedOf(message.blocks[index], entry, format);
    cut[blocks[0] ?? 0] = cutOf(entry);
    failures[blocks[0] ?? 0] = failureChars(messageOfEntry(entry, "as-documented"));
    const sent = messageOfEntry(entry, "current");
    trimmed[blocks[0] ?? 0] = trimmedChars(sent);
    if (sent?.role === "toolResult") {
      const [row = 0] = blocks;
      trimUnits[row] = currentText(sent).length;
      markers[row] = markerChars(sent);
      weighted[row] = resultChars(sent);
      uncut[row] = charsBesideImages(sent) - resultChars(sent);
    }
    const own = blocksOf(sent ?? {}).filter((block) => block.type === "toolCall");
    const ofCalls = blocks.filter((index) => message.blocks[index]?.kind === "tool_call");
    ofCalls.forEach((index, at) => {
      calls[index] = callChars(own[at] ?? {});
      files[index] = fileChars(own[at] ?? {});
    });
  }
  const given = message.blocks.map(({ kind, tool }, index) => {
    const text = textAt(contents, index);
    return kind === "tool_result" ? keptOutput(text, tool) : kind === "thinking" ? text : "";
  });
  return {
    "openclaw.cut": cut,
    "openclaw.paired": paired,
    "openclaw.callId": message.blocks.map(({ callId }) => (callId === undefined ? 0 : idHash(callId))),
    "openclaw.callChars": calls,
    "openclaw.failureChars": failures,
    "openclaw.fileChars": files,
    "openclaw.givenChars": given.map(({ length }) => length),
    "openclaw.givenWeighted": given.map((text, index) => Math.min(stringChars(text), weighted[index] ?? 0)),
    "openclaw.trimUnits": trimUnits,
    "openclaw.markerChars": markers,
    "openclaw.trimmedChars": trimmed,
    "openclaw.weightedChars": weighted,
    "openclaw.uncutChars": uncut,
    "openclaw.fileEnd": message.blocks.map(({ source }) => source.offset + source.length),
    "openclaw.pressure": sharedOverBlocks(message, contents, format, "current", CURRENT_IMAGE_CHARS, messagePressure),
  };
}

/** Results in other agents' recordings take no part: not every reader knows the calls of its results. */
function pairedOf(block: Block | undefined, entry: SessionEntry, format: string): number {
  if (block?.kind === "tool_call" && block.callId !== undefined) {
    return format === "openclaw" ? callPairing(objectOf(entry.message)) : PAIRED.FOREIGN;
  }
  if (block?.kind !== "tool_result" || format !== "openclaw") return 0;
  return isMissingResult(objectOf(entry.message)) ? PAIRED.STAND_IN : PAIRED.ALWAYS;
}

/** FNV-1a over UTF-16 units, as a positive integer of 31 bits. */
function idHash(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash & 0x7fffffff || 1;
}

function trimmedChars(message: AgentMessage | undefined): Chars {
  if (message?.role !== "toolResult") return -1;
  const { headChars, tailChars } = DEFAULT_PRUNING.softTrim;
  const isLonger = currentText(message).length > headChars + tailChars;
  const softTrim = { ...DEFAULT_PRUNING.softTrim, maxChars: headChars + tailChars };
  return isLonger ? stringChars(currentTrim(message, { softTrim }) ?? "") : -1;
}

function failureChars(message: AgentMessage | undefined): Chars {
  return message === undefined ? 0 : (failureLines([message])[0]?.length ?? 0);
}

function fileChars(call: JsonObject): Chars {
  const files = noFileOperations();
  addFileOperations(files, { role: "assistant", content: [call] }, "as-documented");
  const { readFiles, modifiedFiles } = fileLists(files);
  return (readFiles[0]?.length ?? 0) - (modifiedFiles[0]?.length ?? 0);
}

function cutOf(entry: SessionEntry): number {
  if (entry.type === "custom_message") {
    return objectOf(entry.details).runtimeContextCarrier === true ? CUT.CARRIER : CUT.ENTRY;
  }
  if (entry.type === "branch_summary") return CUT.ENTRY;
  const { role } = objectOf(entry.message);
  if (role === "toolResult") return CUT.RESULT;
  if (role === "user" || role === "bashExecution") return CUT.TURN;
  if (role !== "assistant") return CUT.MESSAGE;
  return isFailed(objectOf(entry.message)) ? CUT.FAILED : CUT.RESPONSE;
}
