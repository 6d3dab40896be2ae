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
  /** True if it is a message that may stay as a user message. */
  readonly isUser: boolean;
  readonly isInitial: boolean;
  /** How far its size may differ from the numbers'; nothing where nothing was cut. */
  readonly span: Span;
  /** The texts of a user message, as the numbers see them. */
  readonly texts: readonly AssumedText[];
}

/** A text's current size, cut or not, and how many JSON bytes each of its bytes takes on average. */
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

/** A message's texts after a cut, as the numbers see them, and how far its size may then differ. */
export function cutTo(
  texts: readonly AssumedText[],
  sizes: readonly Bytes[],
  after: string,
): Pick<Held, "texts" | "span"> {
  const cut = texts.map(({ density }, index) => ({ density, bytes: sizes[index] ?? 0 }));
  const assumed = sumOf(cut.map(({ bytes, density }) => bytes * density));
  return { texts: cut, span: spanOf(assumed, jsonBytes(after)) };
}

/** How far the numbers' tokens may be off where they assume so many JSON bytes for a cut text. */
function spanOf(assumed: number, exact: Bytes): Span {
  const shift = (assumed - exact) / 4;
  return [shift - 1, shift + 2];
}

/** How far the numbers' size of an output may differ because of its cut. */
export function outputSpan(item: ResponseItem, entered: ResponseItem, entry: TruncationPolicy): Span {
  if (JSON.stringify(item.output) === JSON.stringify(entered.output)) return [0, 0];
  const [whole, cut] = [outputTexts(item), outputTexts(entered)];
  let left = entryPolicy(entry).limit;
  return joinedSpans(
    whole.map((text, index) => {
      const { bytes, density } = assumedText(text);
      // Even without a budget, a first text leaves its marker.
      const assumed = left === 0 && index > 0 ? 0 : truncatedBytes(bytes, left) * density;
      left = Math.max(0, left - tokensOfBytes(bytes));
      return spanOf(assumed, jsonBytes(cut[index] ?? ""));
    }),
  );
}

function outputTexts({ output }: ResponseItem): readonly string[] {
  if (typeof output === "string") return [output];
  return contentItems(output).flatMap((entry) => stringField(entry, "text") ?? []);
}
