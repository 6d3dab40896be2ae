import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import { CHARS_PER_TOKEN, IMAGE_TOKENS, RESTORED_PICTURES, USER_PICTURE } from "../constants";
import { CALL, IMAGE, RESPONSE } from "./history";
import { PART } from "./measures";
import { partBits } from "./parts";

/** What stands in the place of a medium that was cleared: media are taken for PNG pictures. */
const CLEARED_MEDIUM: Chars = "[Old inline media cleared: image/png]".length;
export const CLEARED_MEDIUM_TOKENS: Tokens = Math.ceil(CLEARED_MEDIUM / CHARS_PER_TOKEN);

/** The name of the item that holds the pictures that a compaction put back. */
const PUT_BACK = "picturesPutBack";

/** That item. @param tokens of the pictures and the text about them */
export function picturesPutBack(count: number, tokens: Tokens): SyntheticItem {
  const label = `${count} pictures put back`;
  return { kind: "attachment", name: PUT_BACK, category: "attachments", tokens, label, count };
}

/** A history, and how many pictures an earlier compaction put back into it. */
export interface PicturedHistory {
  readonly items: readonly ItemIndex[];
  readonly putBack: number;
}

/** Media, and what they come to without the text about them. */
interface Media {
  readonly count: number;
  readonly tokens: Tokens;
}

/** The pictures that an item is or holds. @param putBack how many an earlier compaction put back */
export function picturesOf(view: ContextView, item: ItemIndex, putBack: number): Media {
  const isPicture = item < view.columns.length && (partBits(view.columns, item) & PART.PICTURE) !== 0;
  return heldBy(view, item, isPicture, putBack);
}

/** The same with sounds, documents and links. */
export function mediaOf(view: ContextView, item: ItemIndex, putBack: number): Media {
  return heldBy(view, item, view.columns.kind[item] === IMAGE, putBack);
}

function heldBy(view: ContextView, item: ItemIndex, isOne: boolean, putBack: number): Media {
  const isThere = isOne && view.tokensOf(item) > CLEARED_MEDIUM_TOKENS;
  const count = isPutBack(view.synthetic(item)) ? putBack : Number(isThere);
  // Beside the pictures those that were put back hold the text about them, and a picture's share of its message is rounded.
  const each = count === 0 ? 0 : Math.min(IMAGE_TOKENS, Math.floor(view.tokensOf(item) / count));
  return { count, tokens: count * each };
}

/** Whether an item holds the pictures that were put back. */
export function isPutBack(synthetic: SyntheticItem | undefined): boolean {
  return synthetic?.name === PUT_BACK;
}

/** What such an item comes to once so many of its pictures are cleared. */
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
  // Looked up where there is a picture at all.
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

/** For every item the number of its content: what is put back is one, and calls may stand in the acknowledgement's. */
function contentNumbers(view: ContextView, history: readonly ItemIndex[]): readonly number[] {
  const { columns } = view;
  let content = -1;
  let before: SyntheticItem | undefined;
  // What a compaction kept of a response is one content, in however many messages it was recorded.
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

/** Where a picture comes from: the first call of the content before its own, with its arguments. */
function sourceChars({ columns }: ContextView, before: readonly ItemIndex[]): Chars {
  const call = before.find((item) => columns.kind[item] === CALL);
  if (call === undefined) return USER_PICTURE.length;
  const name = columns.tables.tools[columns.tool[call] ?? -1] ?? "";
  const chars = columns.measures["qwen-code.callChars"]?.[call] ?? name.length + (columns.chars[call] ?? 0);
  return chars + " args=".length;
}
