import { isObject, jsonOf, objectOf, textOf } from "@/lib/agents/shared/json";
import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { apportion, type BlockContent, type ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { CHARS_PER_TOKEN, CLEARABLE_TOOLS, CLEARED_RESULT, IMAGE_TOKENS, RENAMED_TOOLS } from "./base/constants";
import type { QwenCodePreset } from "./base/presets";
import { fenceLength, filePathOf } from "./messages/attachments";
import {
  answerOf,
  type Content,
  callOf,
  isInlineImage,
  mediaOf,
  nestedParts,
  type Part,
  partsOf,
  responseOf,
} from "./messages/content";
import { contentTokens, contextTextTokens, partChars } from "./messages/estimates";
import { PART, type QwenCodeMeasure } from "./policy/measures";
import { type NativePart, nativeMessage } from "./read/native";
import { CONTEXT_ANSWER, isReminder, SKILL_BODY_HEAD } from "./report/context-report-current";
import { BILLED } from "./report/conversation-sizes";
import { enteredChars, enteredText } from "./sent/entry-limits";

/** The `/context` rule, part by part: media count 1,600, a call or response counts its JSON, parts of other kinds count nothing. */
export const qwenCodeEstimator: ItemEstimator = {
  id: "qwen-code",
  text: contextTextTokens,
  message: (message) => (isContent(message) ? sumOf(partsOf(message).flatMap(contextPartTokens)) : undefined),
  blocks: (message, contents, format) => {
    const { parts } = nativeMessage(message, contents, format);
    return parts.flatMap((native) => blockSizes(native, contextPartTokens(native.part)));
  },
};

/**
 * The rule that `current` compacts by: the characters of a content divided by four, rounded up once for each content, and divided among its blocks.
 * Chinese has no extra weight.
 */
export const qwenCodeContentEstimator: ItemEstimator = {
  id: "qwen-code-content",
  text: (text) => Math.ceil(text.length / CHARS_PER_TOKEN),
  message: (message) => (isContent(message) ? contentTokens([message]) : undefined),
  blocks: (message, contents, format) => {
    const { content, parts } = nativeMessage(message, contents, format);
    const chars = parts.flatMap((native) => blockSizes(native, estimatedChars(native.part)));
    return apportion(contentTokens([content]), chars);
  },
};

function isContent(value: unknown): value is Content {
  return isObject(value) && Array.isArray(value.parts);
}

/** Sizes of a part's blocks: first the part, then its nested parts. The last block also takes the sizes of parts without a block. */
function blockSizes({ blocks }: NativePart, sizes: readonly number[]): readonly number[] {
  const last = blocks.length - 1;
  return blocks.map((_, at) => (at < last ? (sizes[at] ?? 0) : sumOf(sizes.slice(at))));
}

/** Tokens of a part and of everything within it, in the order of the blocks that are read from it. */
function contextPartTokens(part: Part): readonly Tokens[] {
  if (mediaOf(part) !== undefined) return [IMAGE_TOKENS];
  if (typeof part.text === "string") return [contextTextTokens(part.text)];
  const call = callOf(part);
  if (call !== undefined) return [contextTextTokens(jsonOf(call))];
  const response = responseOf(part);
  if (response === undefined) return [];
  const { id, name } = response;
  const nested = nestedParts(part).map((inner) =>
    mediaOf(inner) === undefined ? contextTextTokens(textOf(inner.text)) : IMAGE_TOKENS,
  );
  return [contextTextTokens(jsonOf({ id, name, response: response.response })), ...nested];
}

/** The same, counted by characters. */
function estimatedChars(part: Part): readonly Chars[] {
  const nested = nestedParts(part).map((inner) => partChars(inner));
  return [partChars(part) - sumOf(nested), ...nested];
}

/** Numbers that the policy needs besides tokens: for each measure, one number for each block. */
export type QwenCodeMeasures = Readonly<Record<QwenCodeMeasure, readonly number[]>>;

/**
 * Measures of a message's blocks, in their order; computed once on the server, like token columns.
 * - `qwen-code.jsonChars`: UTF-16 units of the content's JSON, on the message's first block; determines the split point
 * - `qwen-code.enteredJsonChars`: the same after the limits on entry of `as-documented`
 * - `qwen-code.outputChars`: length of an output that micro-compaction may clear; 0 elsewhere
 * - `qwen-code.fileChars`: 0 if the block touches no file that may be restored; else 1 plus the characters that it shows of the file
 * - `qwen-code.part`: traits of the block's part within its content (`PART`)
 * - `qwen-code.billed`: category in which `/context` of 0.24 counts the block (`BILLED`)
 * - `qwen-code.fence`: length of the fence that would surround the shown part of a file; 0 if nothing is shown
 * - `qwen-code.callChars`: UTF-16 units of a call's name and of its arguments' JSON; 0 elsewhere
 * - `qwen-code.entered`, `qwen-code.enteredCurrent`: length of an output as it enters under the preset; 0 if it enters unchanged
 */
export function qwenCodeMeasures(
  message: Message,
  contents: readonly BlockContent[],
  format: string,
): QwenCodeMeasures {
  const { content, parts } = nativeMessage(message, contents, format);
  const onFirst = (measure: (tool: string, part: Part) => number) =>
    parts.flatMap((native) => blockSizes(native, [measure(toolOf(message, native), native.part)]));
  const jsonChars = jsonOf(content).length;
  return {
    "qwen-code.jsonChars": message.blocks.map((_, at) => (at === 0 ? jsonChars : 0)),
    "qwen-code.enteredJsonChars": message.blocks.map((_, at) =>
      at === 0 ? jsonChars - cutJsonChars(message, parts) : 0,
    ),
    "qwen-code.outputChars": onFirst(clearableChars),
    "qwen-code.fileChars": onFirst(shownChars),
    "qwen-code.part": parts.flatMap((native) => partBits(toolOf(message, native), native, format)),
    "qwen-code.entered": onFirst((tool, part) => lengthAsEntered(tool, part, "as-documented")),
    "qwen-code.enteredCurrent": onFirst((tool, part) => lengthAsEntered(tool, part, "current")),
    "qwen-code.billed": onFirst(billedAs),
    "qwen-code.callChars": onFirst((_, part) => nameAndArguments(part)),
    "qwen-code.fence": onFirst((tool, part) => fenceLengthOf(shownText(tool, part))),
  };
}

/** The tool of a call or response, from the part itself. For a bridged call our block knows it, and pairing gave it to the result too. */
export function toolOf(message: Message, { part, blocks }: NativePart): string {
  return canonicalToolName(bridgedTool(part) ?? message.blocks[blocks[0] ?? 0]?.tool ?? "");
}

function partBits(tool: string, { part, blocks }: NativePart, format: string): readonly number[] {
  const response = responseOf(part);
  const cleared = response !== undefined && CLEARABLE.has(tool) ? PART.CLEARABLE : 0;
  const failed = answerOf(response).error !== undefined ? PART.ERROR : 0;
  const own = response !== undefined && format === "qwen-code" ? PART.OWN : 0;
  const nested = nestedParts(part);
  return blocks.map((_, at) =>
    at === 0 ? pictureBit(part) | cleared | failed | own : PART.WITHIN | pictureBit(nested[at - 1]),
  );
}

function pictureBit(part: Part | undefined): number {
  return part !== undefined && isInlineImage(part) ? PART.PICTURE : 0;
}

function fenceLengthOf(shown: string | undefined): Chars {
  return shown === undefined ? 0 : fenceLength(shown);
}

function nameAndArguments(part: Part): Chars {
  const call = callOf(part);
  return call === undefined ? 0 : textOf(call.name).length + jsonOf(call.args ?? {}).length;
}

function billedAs(tool: string, part: Part): number {
  const { text } = part;
  if (typeof text === "string") {
    if ((listingOf(text)?.byName.size ?? 0) > 0) return BILLED.LISTING;
    if (isReminder(text)) return BILLED.REMINDER;
    return text === CONTEXT_ANSWER ? BILLED.CONTEXT_ANSWER : BILLED.CONVERSATION;
  }
  const loaded = tool === "skill" && textOf(answerOf(responseOf(part)).output).startsWith(SKILL_BODY_HEAD);
  return loaded ? BILLED.SKILL_BODY : BILLED.CONVERSATION;
}

/** The tool that the part itself names, which for foreign messages is Qwen Code's name; none if it names only the bridge. */
function bridgedTool(part: Part): string | undefined {
  const name = textOf(callOf(part)?.name ?? responseOf(part)?.name);
  return name === "" || canonicalToolName(name) === "tool_call" ? undefined : name;
}

const CLEARABLE = new Set<string>(CLEARABLE_TOOLS);

function clearableChars(tool: string, part: Part): Chars {
  const { output, error } = answerOf(responseOf(part));
  if (!CLEARABLE.has(tool) || error !== undefined || output === CLEARED_RESULT) return 0;
  return textOf(output).length;
}

/** True if a call names a file that may be restored. */
function touchesFile(part: Part): boolean {
  const call = callOf(part);
  return call !== undefined && filePathOf(call) !== "";
}

/** 0 if no file is touched, else 1 plus the characters of the file that are shown; an edit only touches the file. */
function shownChars(tool: string, part: Part): number {
  const shown = shownText(tool, part);
  return shown === undefined ? Number(touchesFile(part)) : 1 + shown.length;
}

/** Content of a file in a call or result: a read shows its output, a write its content. */
function shownText(tool: string, part: Part): string | undefined {
  if (tool === "write_file" && touchesFile(part)) {
    const args = objectOf(callOf(part)?.args);
    return textOf(args.content ?? args.file_text ?? args.contents);
  }
  const { output, error } = answerOf(responseOf(part));
  return tool === "read_file" && error === undefined && typeof output === "string" ? output : undefined;
}

/** Chars by which a content's JSON shrinks when its outputs are cut on entry under `as-documented`. */
function cutJsonChars(message: Message, parts: readonly NativePart[]): Chars {
  return sumOf(
    parts.map((native) => {
      const text = textOf(answerOf(responseOf(native.part)).output);
      const entered = enteredText(toolOf(message, native), text, "as-documented");
      return entered === text ? 0 : jsonOf(text).length - jsonOf(entered).length;
    }),
  );
}

/** Length of a tool's output as it enters the context; 0 if it enters unchanged. */
function lengthAsEntered(tool: string, part: Part, preset: QwenCodePreset): Chars {
  const text = textOf(answerOf(responseOf(part)).output);
  const entered = enteredChars(tool, text, preset);
  return entered === text.length ? 0 : entered;
}

export const BRIDGE = "tool_call";
const TRACKED = [...CLEARABLE_TOOLS, BRIDGE] as const;

/** The tool's name in 0.24: renamed tools get their new name, and tracked tools are matched case-insensitively. */
export function canonicalToolName(name: string): string {
  const renamed = Object.hasOwn(RENAMED_TOOLS, name) ? (RENAMED_TOOLS[name] ?? name) : name;
  return TRACKED.find((candidate) => candidate === renamed.toLowerCase()) ?? renamed;
}

/** Marks of an entry in a list of skills that 0.24 puts into the conversation. Source: README.md, "Context report, current". */

const ENTRY_OPEN = "<skill>\n<name>\n";
const NAME_CLOSE = "\n</name>";
const ENTRY_CLOSE = "</skill>";

interface ListedSkill {
  readonly name: string;
  readonly tokens: Tokens;
}

export interface SkillListing {
  /** Tokens of the whole text, including its marks. */
  readonly tokens: Tokens;
  /** The skills by name in small letters; later entries win. */
  readonly byName: ReadonlyMap<string, ListedSkill>;
}

/** The skills that a text lists; `undefined` if it is not a list of skills. */
export function listingOf(text: string): SkillListing | undefined {
  if (!text.includes("<available_skills>") && !text.includes("No skills are currently available.")) return undefined;
  const byName = new Map<string, ListedSkill>();
  for (const { name, entry } of entriesOf(text)) {
    byName.set(name.toLowerCase(), { name, tokens: contextTextTokens(entry) });
  }
  return { tokens: contextTextTokens(text), byName };
}

function* entriesOf(text: string): Generator<{ readonly name: string; readonly entry: string }> {
  let from = 0;
  for (;;) {
    const start = text.indexOf(ENTRY_OPEN, from);
    const nameEnd = start < 0 ? -1 : text.indexOf(NAME_CLOSE, start + ENTRY_OPEN.length);
    const close = nameEnd < 0 ? -1 : text.indexOf(ENTRY_CLOSE, nameEnd + NAME_CLOSE.length);
    if (close < 0) return;
    from = close + ENTRY_CLOSE.length;
    yield { name: unescaped(text.slice(start + ENTRY_OPEN.length, nameEnd)), entry: text.slice(start, from) };
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
