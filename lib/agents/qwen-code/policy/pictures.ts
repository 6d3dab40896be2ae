import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { CHARS_PER_TOKEN, IMAGE_TOKENS, RESTORED_PICTURES, USER_PICTURE } from "../base/constants";
import { CALL, IMAGE, RESPONSE } from "./history";
import { PART } from "./measures";
import { partBits } from "./parts";

/** Length of the placeholder for a cleared medium: all media are treated as PNG pictures. */
const CLEARED_MEDIUM: Chars = "[Old inline media cleared: image/png]".length;
export const CLEARED_MEDIUM_TOKENS: Tokens = Math.ceil(CLEARED_MEDIUM / CHARS_PER_TOKEN);

/** The name of the item of pictures that a compaction restored. */
const PUT_BACK = "picturesPutBack";

/** The item of restored pictures. @param tokens of the pictures and of the text about them */
export function picturesPutBack(count: number, tokens: Tokens): SyntheticItem {
  const label = `${count} pictures put back`;
  return { kind: "attachment", name: PUT_BACK, category: "attachments", tokens, label, count };
}

/** A history, and its number of restored pictures. */
export interface PicturedHistory {
  readonly items: readonly ItemIndex[];
  readonly putBack: number;
}

/** A number of media, and their tokens without the text about them. */
interface Media {
  readonly count: number;
  readonly tokens: Tokens;
}

/**
 * The pictures of an item.
 * @param putBack number of pictures that an earlier compaction restored
 */
function picturesOf(view: ContextView, item: ItemIndex, putBack: number): Media {
  const isPicture = item < view.columns.length && (partBits(view.columns, item) & PART.PICTURE) !== 0;
  return heldBy(view, item, isPicture, putBack);
}

/** The same including sounds, documents and links. */
export function mediaOf(view: ContextView, item: ItemIndex, putBack: number): Media {
  return heldBy(view, item, view.columns.kind[item] === IMAGE, putBack);
}

function heldBy(view: ContextView, item: ItemIndex, isOne: boolean, putBack: number): Media {
  const isThere = isOne && view.tokensOf(item) > CLEARED_MEDIUM_TOKENS;
  const count = isPutBack(view.synthetic(item)) ? putBack : Number(isThere);
  // The item of restored pictures also holds a text about them, and a picture's share of its message's size is rounded; hence the bound.
  const each = count === 0 ? 0 : Math.min(IMAGE_TOKENS, Math.floor(view.tokensOf(item) / count));
  return { count, tokens: count * each };
}

/** True if an item holds restored pictures. */
export function isPutBack(synthetic: SyntheticItem | undefined): boolean {
  return synthetic?.name === PUT_BACK;
}

/** Size of such an item after some of its pictures were cleared. */
export function withoutPictures(tokens: Tokens, cleared: number): Tokens {
  return Math.max(0, tokens - cleared * IMAGE_TOKENS) + Math.ceil((cleared * CLEARED_MEDIUM) / CHARS_PER_TOKEN);
}

/** The newest pictures of a history, and the characters of the text about them. */
export function newestPictures(
  view: ContextView,
  { items, putBack }: PicturedHistory,
  most: number,
): Media & { readonly chars: Chars } {
  let [count, tokens, chars] = [0, 0, 0];
  // Computed only once a picture is found.
  let contents: readonly number[] | undefined;
  for (let at = items.length - 1; at >= 0 && count < most; at--) {
    const item = items[at] ?? -1;
    const { count: found, tokens: all } = picturesOf(view, item, putBack);
    const taken = Math.min(most - count, found);
    if (taken === 0) continue;
    tokens += taken * Math.floor(all / found);
    contents ??= contentNumbers(view, items);
    const content = contents[at] ?? 0;
    const before = items.slice(contents.indexOf(content - 1), contents.indexOf(content));
    chars += taken * (`\n- turn ${content}: `.length + sourceChars(view, before));
    count += taken;
  }
  return { count, tokens, chars: count === 0 ? 0 : RESTORED_PICTURES.length + 1 + chars };
}

/** Gives every item the number of its content: everything restored is one content, and calls may join the acknowledgement's. */
function contentNumbers(view: ContextView, history: readonly ItemIndex[]): readonly number[] {
  const { columns } = view;
  let content = -1;
  let before: SyntheticItem | undefined;
  // The kept part of a response is one content, even if it was recorded as several messages.
  let keepsResponse = false;
  return history.map((item, at) => {
    const synthetic = view.synthetic(item);
    const isResponse = synthetic === undefined && columns.origin[item] === RESPONSE;
    const continues = columns.message[item] === columns.message[history[at - 1] ?? -1] || (keepsResponse && isResponse);
    const joins =
      synthetic === undefined
        ? at > 0 && (before === undefined ? continues : joinsCall(view, before, item))
        : before?.kind === "attachment" && synthetic.kind === "attachment";
    if (!joins) content += 1;
    keepsResponse = synthetic !== undefined || (keepsResponse && isResponse);
    before = synthetic;
    return content;
  });
}

function joinsCall(view: ContextView, before: SyntheticItem, item: ItemIndex): boolean {
  return before.kind === "acknowledgement" && view.columns.kind[item] === CALL;
}

/** Length of a picture's source: the first call in the content before its own, with its arguments. */
function sourceChars({ columns }: ContextView, before: readonly ItemIndex[]): Chars {
  const call = before.find((item) => columns.kind[item] === CALL);
  if (call === undefined) return USER_PICTURE.length;
  const name = columns.tables.tools[columns.tool[call] ?? -1] ?? "";
  const chars = columns.measures["qwen-code.callChars"]?.[call] ?? name.length + (columns.chars[call] ?? 0);
  return chars + " args=".length;
}
