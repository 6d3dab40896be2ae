import { tokensOfBytes, truncatedBytes } from "@/lib/agents/codex/base/constants";
import type { CodexPreset } from "@/lib/agents/codex/base/presets";
import { itemTokens } from "@/lib/agents/codex/messages/estimate";
import { contentItems, type ResponseItem, stringField } from "@/lib/agents/codex/messages/item";
import { entryPolicy, type TruncationPolicy } from "@/lib/agents/codex/sent/truncate";
import { utf8Length } from "@/lib/core/base/characters";
import { sumOf } from "@/lib/core/base/numbers";
import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import { joinedSpans, type Span } from "@/verify/support/cross-check";

/** An item of the exact history. */
export interface Held {
  readonly item: ResponseItem;
  readonly tokens: Tokens;
  /** The rows that it comes from; none for a summary. */
  readonly rows: readonly ItemIndex[];
  /** True if it is a message that may be kept as a user message. */
  readonly isUser: boolean;
  readonly isInitial: boolean;
  /** Allowed difference of its size from the policy's number; absent if nothing was truncated. */
  readonly span: Span;
  /** The texts of a user message, in numbers. */
  readonly texts: readonly AssumedText[];
}

/** A text's current size, truncated or not, and the JSON bytes that each of its bytes takes on average. */
interface AssumedText {
  readonly bytes: Bytes;
  readonly density: number;
}

export function summaryOf(item: ResponseItem, preset: CodexPreset): Held {
  return { item, tokens: itemTokens(item, preset), rows: [], isUser: false, isInitial: false, span: [0, 0], texts: [] };
}

export function assumedText(text: string): AssumedText {
  const bytes = utf8Length(text);
  return { bytes, density: bytes === 0 ? 1 : jsonBytes(text) / bytes };
}

function jsonBytes(text: string): Bytes {
  return utf8Length(JSON.stringify(text)) - 2;
}

/** A message's texts after a truncation, in numbers, and the tolerance of its size. */
export function cutTo(
  texts: readonly AssumedText[],
  sizes: readonly Bytes[],
  after: string,
): Pick<Held, "texts" | "span"> {
  const cut = texts.map(({ density }, index) => ({ density, bytes: sizes[index] ?? 0 }));
  const assumed = sumOf(cut.map(({ bytes, density }) => bytes * density));
  return { texts: cut, span: spanOf(assumed, jsonBytes(after)) };
}

/** Allowed difference from the policy's number if that assumes the given JSON bytes for a truncated text. */
function spanOf(assumed: number, exact: Bytes): Span {
  const shift = (assumed - exact) / 4;
  return [shift - 1, shift + 2];
}

/** Tolerance of an output's size because of its truncation. */
export function outputSpan(item: ResponseItem, entered: ResponseItem, entry: TruncationPolicy): Span {
  if (JSON.stringify(item.output) === JSON.stringify(entered.output)) return [0, 0];
  const [whole, cut] = [outputTexts(item), outputTexts(entered)];
  let remaining = entryPolicy(entry).limit;
  return joinedSpans(
    whole.map((text, index) => {
      const { bytes, density } = assumedText(text);
      // Even without a budget, a first text leaves its marker.
      const assumed = remaining === 0 && index > 0 ? 0 : truncatedBytes(bytes, remaining) * density;
      remaining = Math.max(0, remaining - tokensOfBytes(bytes));
      return spanOf(assumed, jsonBytes(cut[index] ?? ""));
    }),
  );
}

function outputTexts({ output }: ResponseItem): readonly string[] {
  if (typeof output === "string") return [output];
  return contentItems(output).flatMap((entry) => stringField(entry, "text") ?? []);
}
