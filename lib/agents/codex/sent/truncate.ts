import { utf8Length } from "@/lib/core/base/characters";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import type { CodexPreset } from "../base/presets";
import { type ContentItem, encryptedContent, stringField } from "../messages/item";
import { bytesForTokens, textTokens, tokensFromBytes } from "../messages/tokens";

/** Codex's truncation of a text: it removes the middle, and a marker says how much. Source: README.md, "Truncated texts". */

/** A limit in bytes or in tokens. */
export interface TruncationPolicy {
  readonly mode: "bytes" | "tokens";
  readonly limit: number;
}

/** Outputs may exceed the limit by this factor when they enter the history. */
const ENTRY_FACTOR = 1.2;

export function byteBudget(policy: TruncationPolicy): Bytes {
  return policy.mode === "bytes" ? policy.limit : bytesForTokens(policy.limit);
}

/** The policy with its limit multiplied by a factor, rounded up. */
function scaledPolicy(policy: TruncationPolicy, factor: number): TruncationPolicy {
  return { mode: policy.mode, limit: Math.ceil(policy.limit * factor) };
}

/** The limit for outputs that enter the history: a fifth above the policy's. */
export function entryPolicy(policy: TruncationPolicy): TruncationPolicy {
  return scaledPolicy(policy, ENTRY_FACTOR);
}

/** Bytes to keep at the start and at the end. */
export function splitBudget(budget: Bytes): readonly [left: Bytes, right: Bytes] {
  const left = Math.floor(budget / 2);
  return [left, budget - left];
}

interface SplitText {
  /** Number of code points removed between head and tail. */
  readonly removed: number;
  readonly head: string;
  readonly tail: string;
}

/**
 * Head and tail of a text within byte limits, whole characters only. A character belongs to the head if its end fits; otherwise the tail begins with
 * the first character that starts within the last `right` bytes.
 */
export function splitText(text: string, left: Bytes, right: Bytes): SplitText {
  const tailFrom = Math.max(0, utf8Length(text) - right);
  let headEnd = 0;
  let tailStart = text.length;
  let removed = 0;
  let byte = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const units = code > 0xffff ? 2 : 1;
    const end = byte + codePointBytes(code);
    if (end <= left) headEnd = at + units;
    else if (byte >= tailFrom) {
      tailStart = at;
      break;
    } else removed += 1;
    byte = end;
    at += units;
  }
  return { removed, head: text.slice(0, headEnd), tail: text.slice(Math.max(tailStart, headEnd)) };
}

function codePointBytes(code: number): Bytes {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/** The marker that replaces the removed middle. */
function marker(policy: TruncationPolicy, removed: number): string {
  return policy.mode === "tokens" ? `…${removed} tokens truncated…` : `…${removed} chars truncated…`;
}

/**
 * The text cut to the policy's byte budget, which does not include the marker. Under a token policy, the marker's number follows from the budget, not
 * from the removed text.
 */
export function truncateText(text: string, policy: TruncationPolicy): string {
  const bytes = utf8Length(text);
  const budget = byteBudget(policy);
  if (bytes === 0 || (budget > 0 && bytes <= budget)) return text;
  if (budget === 0) return marker(policy, policy.mode === "tokens" ? removedTokens(bytes, 0) : codePoints(text));
  const [left, right] = splitBudget(budget);
  const split = splitText(text, left, right);
  const removed = policy.mode === "tokens" ? removedTokens(bytes, budget) : split.removed;
  return split.head + marker(policy, removed) + split.tail;
}

/**
 * The number of tokens in a token policy's marker. It is rounded up in every preset, as the sample in Codex's published description shows. Source:
 * docs/worked-examples.md.
 */
function removedTokens(bytes: Bytes, budget: Bytes): Tokens {
  return tokensFromBytes(bytes - budget, "release-2026-01");
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The content items of an output within one budget, in order: texts use it up, images are free. A line at the end counts the texts beyond it. */
export function truncateContentItems(
  items: readonly ContentItem[],
  policy: TruncationPolicy,
  preset: CodexPreset,
): readonly ContentItem[] {
  const kept: ContentItem[] = [];
  const cost = policy.mode === "bytes" ? utf8Length : textTokens;
  let budget = policy.limit;
  let omitted = 0;
  let omittedAudio = 0;
  for (const item of items) {
    const text = stringField(item, "text");
    const audio = item.type === "input_audio" && preset === "current" ? stringField(item, "audio_url") : undefined;
    if (audio !== undefined) {
      const size = cost(audio);
      if (size <= budget) {
        kept.push(item);
        budget -= size;
      } else omittedAudio += 1;
    } else if (text === undefined || encryptedContent(item) !== undefined) kept.push(item);
    else if (budget === 0) omitted += 1;
    else if (cost(text) <= budget) {
      kept.push(item);
      budget -= cost(text);
    } else {
      const snippet = truncateText(text, { mode: policy.mode, limit: budget });
      if (snippet === "") omitted += 1;
      else kept.push({ ...item, text: snippet });
      budget = 0;
    }
  }
  if (omitted > 0) kept.push({ type: "input_text", text: `[omitted ${omitted} text items ...]` });
  if (omittedAudio > 0) kept.push({ type: "input_text", text: `[omitted ${omittedAudio} audio items ...]` });
  return kept;
}
