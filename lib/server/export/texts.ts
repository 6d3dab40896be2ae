import { type ItemText, itemsAnswer } from "@/lib/api/contract";
import { countText } from "@/lib/core/base/count-text";
import type { OpenedSession } from "../session/opened-session";
import { MASK, maskSecrets } from "../summarizer/mask-secrets";

/** Items whose texts are loaded and masked together. */
const AT_A_TIME = 200;
/** How many masked places a preview shows, and how many characters before and behind each. */
const SHOWN = 5;
const AROUND = 32;

/** What an export with texts is about to write. */
export interface TextsPreview {
  readonly texts: number;
  readonly characters: number;
  /** Likely secrets that are masked, by the rule that found them. */
  readonly masked: ReadonlyMap<string, number>;
  /** Some of the places, each with what stands around the mask. */
  readonly samples: readonly string[];
}

/** The items of a session with their texts whole, likely secrets masked; a picture has no text. Rejects with `InputError`. */
export async function* maskedItems(
  session: OpenedSession,
  found?: (rule: string, count: number) => void,
): AsyncGenerator<ItemText> {
  const rows = session.columns.length;
  for (let from = 0; from < rows; from += AT_A_TIME) {
    const json = await session.items({
      from,
      to: Math.min(rows, from + AT_A_TIME),
      maxChars: Number.MAX_SAFE_INTEGER,
    });
    const { items } = itemsAnswer.parse(JSON.parse(new TextDecoder().decode(json)));
    const { texts, masked } = await maskSecrets(items.map(({ kind, text }) => (kind === "image" ? "" : text)));
    for (const { rule, count } of masked) found?.(rule, count);
    for (const [at, item] of items.entries()) yield { ...item, text: texts[at] ?? "" };
  }
}

/** Reads all texts of a session to tell what an export with them would hold. Rejects with `InputError`. */
export async function previewTexts(session: OpenedSession): Promise<TextsPreview> {
  const masked = new Map<string, number>();
  const samples: string[] = [];
  let texts = 0;
  let characters = 0;
  for await (const { text } of maskedItems(session, (rule, count) =>
    masked.set(rule, (masked.get(rule) ?? 0) + count),
  )) {
    if (text === "") continue;
    texts++;
    characters += text.length;
    for (let at = text.indexOf(MASK); at >= 0 && samples.length < SHOWN; at = text.indexOf(MASK, at + MASK.length)) {
      samples.push(text.slice(Math.max(0, at - AROUND), at + MASK.length + AROUND).replace(/\s+/g, " "));
    }
  }
  return { texts, characters, masked, samples };
}

/** A preview in a few lines for a person. */
export function previewText({ texts, characters, masked, samples }: TextsPreview): readonly string[] {
  const all = [...masked.values()].reduce((sum, count) => sum + count, 0);
  const rules = Array.from(masked, ([rule, count]) => `${rule} ${countText(count)}`).join(", ");
  return [
    `${countText(texts)} texts with ${countText(characters)} characters, likely secrets masked: ${countText(all)}${all === 0 ? "" : ` (${rules})`}.`,
    ...samples.map((sample) => `  … ${sample} …`),
    "No rule finds every secret: look through what was written before you pass it on.",
  ];
}
