import { sumOf } from "@/lib/core/base/numbers";
import type { Chars } from "@/lib/core/base/units";
import type { OpenClawPreset } from "../base/presets";
import { type AgentMessage, blocksOf } from "../messages/message";
import { sliceWhole } from "../messages/utf16";
import { type JsonObject, jsonOf, textOf } from "../messages/value";
import { DEFAULT_PRUNING, type PruningSettings } from "./pruning-settings";

export function hasImage(message: AgentMessage): boolean {
  return blocksOf(message).some((block) => block.type === "image");
}

/** Chars of a call's arguments that have no JSON. */
const UNKNOWN_ARGUMENTS: Chars = 128;

/** Chars that pruning counts for a call: the JSON of its arguments, whatever they are. */
export function callChars(block: JsonObject): Chars {
  return jsonOf(block.arguments ?? {})?.length ?? UNKNOWN_ARGUMENTS;
}

/** A result's text as pruning trims it to head and tail; unchanged if it is short. */
export function trimmedText(text: string, preset: OpenClawPreset, limits: TrimLimits = DEFAULT_PRUNING): string {
  const message: AgentMessage = { role: "toolResult", content: [{ type: "text", text }] };
  const trim = preset === "current" ? currentTrim : documentedTrim;
  return trim(message, limits) ?? text;
}

/** The settings that trimming depends on. */
type TrimLimits = Pick<PruningSettings, "softTrim">;

/** The text that a long result is trimmed to; `undefined` if it stays whole. */
export function documentedTrim(message: AgentMessage, { softTrim }: TrimLimits): string | undefined {
  const text = blocksOf(message)
    .flatMap((block) => (block.type === "text" ? [textOf(block.text) ?? ""] : []))
    .join("\n");
  const { maxChars, headChars, tailChars } = softTrim;
  if (text.length <= maxChars || headChars + tailChars >= text.length) return undefined;
  return trimmed(text.slice(0, headChars), tailChars > 0 ? text.slice(-tailChars) : "", text.length, softTrim);
}

const IMAGE_MARKER = "[image removed during context pruning]";

/** The text that 2026.9.6 trims, with a marker for every image. */
export function currentText(message: AgentMessage): string {
  return blocksOf(message)
    .flatMap((block) => (block.type === "image" ? [IMAGE_MARKER] : block.type === "text" ? [blockText(block)] : []))
    .join("\n");
}

/** Number of UTF-16 units of this text in markers of images and line ends between blocks; 0 for a message without images. */
export function markerChars(message: AgentMessage): Chars {
  if (!hasImage(message)) return 0;
  const texts = blocksOf(message).map((block) => (block.type === "text" ? blockText(block).length : 0));
  return currentText(message).length - sumOf(texts);
}

/** The same for 2026.9.6: images leave a marker, and surrogate pairs stay whole. */
export function currentTrim(message: AgentMessage, { softTrim }: TrimLimits): string | undefined {
  const text = currentText(message);
  const { maxChars, headChars, tailChars } = softTrim;
  if (text.length <= maxChars) return hasImage(message) ? text : undefined;
  return trimmed(sliceWhole(text, 0, headChars), sliceWhole(text, -tailChars), text.length, softTrim);
}

function blockText(block: JsonObject): string {
  return textOf(block.text) ?? jsonOf(block) ?? "[malformed text block]";
}

function trimmed(
  head: string,
  tail: string,
  length: Chars,
  { headChars, tailChars }: PruningSettings["softTrim"],
): string {
  const note = `[Tool result trimmed: kept first ${headChars} chars and last ${tailChars} chars of ${length} chars.]`;
  return `${head}\n...\n${tail}\n\n${note}`;
}
