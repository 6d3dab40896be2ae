import type { Reader } from "@/lib/core/transcript/reader";
import type { ItemText } from "@/lib/queries/contract/schemas";
import { InputError } from "../../base/input-error";
import type { SourceFile } from "../source-file";
import type { PlacedItem } from "./item-places";
import { RecordLoader, type TextSource } from "./record-loader";

/** Replaces an item's text if the file was rewritten after it had been read. */
export const CHANGED_TEXT = "[this part of the file has changed since it was read]";

export interface ItemRange {
  readonly from: number;
  readonly to: number;
  /** Maximum characters of one item. */
  readonly maxChars: number;
}

/** The items from `from` on with their texts, from a file that is unchanged since their positions were found. */
export function loadItems(
  file: SourceFile,
  reader: Reader,
  items: readonly PlacedItem[],
  { from, maxChars }: Pick<ItemRange, "from" | "maxChars">,
): ItemText[] {
  const loader = new RecordLoader(file, reader);
  return items.map(({ role, kind, callId, source }, at) => {
    // An image's payload is measured, never shown.
    const whole = kind === "image" || source === null ? "" : textAt(loader, source);
    const text = clip(whole, maxChars);
    return { index: from + at, role, kind, text, callId, truncated: whole.length - text.length };
  });
}

function textAt(loader: RecordLoader, source: TextSource): string {
  try {
    return loader.content(source).text;
  } catch (error) {
    if (error instanceof InputError) return CHANGED_TEXT;
    throw error;
  }
}

/** The first characters, never ending in half a surrogate pair. */
function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}
