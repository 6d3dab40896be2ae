import { countText } from "@/lib/core/base/number-text";
import { itemWord } from "@/lib/core/columns/item-filter";
import type { ExportPreview } from "@/lib/queries/contract/schemas";
import { versionKey } from "../read/source-file";
import type { MaskedItem } from "../read/texts/masked-items";
import { countedRules, MASK } from "../secrets/mask-secrets";
import type { OpenedSession } from "../sessions/opened-session";

/** Maximum items, and approximate maximum characters, loaded and masked together. */
const ITEMS_AT_A_TIME = 200;
const CHARS_AT_A_TIME = 1 << 20;
/** Shown masked places per rule, and characters before and after each. */
const SHOWN_OF_RULE = 3;
const AROUND = 32;
/** Number of them that the command line prints. */
const PRINTED = 5;

/** The items of a session with their whole texts, likely secrets masked; an image has no text. Rejects with `InputError`. */
export async function* maskedItems(session: OpenedSession): AsyncGenerator<MaskedItem> {
  const { length, chars } = session.columns;
  for (let from = 0, to = 0; from < length; from = to) {
    for (let sum = 0; to < length && to - from < ITEMS_AT_A_TIME && sum < CHARS_AT_A_TIME; to++) sum += chars[to] ?? 0;
    yield* await session.maskedItems({ from, to });
  }
}

/** Scans all texts of a session to preview an export with texts. Rejects with `InputError`, and with the signal's reason if aborted. */
export async function previewTexts(session: OpenedSession, signal?: AbortSignal): Promise<ExportPreview> {
  const { columns } = session;
  const places: ExportPreview["places"] = [];
  const masked: Pick<MaskedItem, "masks">[] = [];
  const shown = new Map<string, number>();
  let texts = 0;
  let characters = 0;
  for await (const { index, text, masks } of maskedItems(session)) {
    signal?.throwIfAborted();
    if (text === "") continue;
    texts++;
    characters += text.length;
    if (masks.length > 0) masked.push({ masks });
    for (const { rule, at } of masks) {
      const before = shown.get(rule) ?? 0;
      if (before >= SHOWN_OF_RULE) continue;
      shown.set(rule, before + 1);
      const line = columns.line[index] ?? 0;
      const what = itemWord(columns, index);
      places.push({ rule, item: index, line: line > 0 ? line : null, what, ...around(text, at) });
    }
  }
  return { version: versionKey(session.version), texts, characters, masked: countedRules(masked), places };
}

/** Half a character at the beginning or the end of a cut text. */
const HALF = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;

/** The text around a mask, in one line: other secrets in it are masked too. */
function around(text: string, at: number) {
  const end = at + MASK.length;
  const oneLine = (part: string) => part.replace(HALF, "").replace(/\s+/g, " ");
  return { before: oneLine(text.slice(Math.max(0, at - AROUND), at)), after: oneLine(text.slice(end, end + AROUND)) };
}

/** A preview in a few lines of text. */
export function previewText({ texts, characters, masked, places }: ExportPreview): readonly string[] {
  const all = masked.reduce((sum, { count }) => sum + count, 0);
  const rules = masked.map(({ rule, count }) => `${rule} ${countText(count)}`).join(", ");
  return [
    `${countText(texts)} texts with ${countText(characters)} characters, likely secrets masked: ${countText(all)}${all === 0 ? "" : ` (${rules})`}.`,
    ...places.slice(0, PRINTED).map(({ before, after }) => `  … ${before}${MASK}${after} …`),
    "No rule finds every secret: look through what was written before you pass it on.",
  ];
}
