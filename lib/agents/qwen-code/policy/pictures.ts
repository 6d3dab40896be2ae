import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import { CHARS_PER_TOKEN, IMAGE_TOKENS, RESTORED_PICTURES, USER_PICTURE } from "../constants";
import { ASSISTANT, CALL, IMAGE, RESPONSE } from "./history";

/** What stands in the place of a picture that was cleared. */
export const CLEARED_MEDIA_TOKENS: Tokens = Math.ceil("[Old inline media cleared: image/png]".length / CHARS_PER_TOKEN);

/** A picture, no sound or document; without the measure every image is taken for one. */
export function isPicture(columns: SessionColumns, item: ItemIndex): boolean {
  return columns.kind[item] === IMAGE && (columns.measures["qwen-code.image"]?.[item] ?? 1) === 1;
}

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

/** Pictures, and what they come to without the text about them. */
interface Pictures {
  readonly count: number;
  readonly tokens: Tokens;
}

/** The pictures that an item is or holds. @param putBack how many an earlier compaction put back */
export function picturesOf(view: ContextView, item: ItemIndex, putBack: number): Pictures {
  const isThere = isPicture(view.columns, item) && view.tokensOf(item) > CLEARED_MEDIA_TOKENS;
  const count = isPutBack(view.synthetic(item)) ? putBack : isThere ? 1 : 0;
  // Beside the pictures those that were put back hold the text about them, and a picture's share of its message is rounded.
  const each = count === 0 ? 0 : Math.min(IMAGE_TOKENS, Math.floor(view.tokensOf(item) / count));
  return { count, tokens: count * each };
}

function isPutBack(synthetic: SyntheticItem | undefined): boolean {
  return synthetic?.name === PUT_BACK;
}

/** The newest pictures of a history, and the characters of the text about them. */
export function newestPictures(
  view: ContextView,
  { items, putBack }: PicturedHistory,
  most: number,
): Pictures & { readonly chars: Chars } {
  let [count, tokens, chars] = [0, 0, 0];
  // Looked up where there is a picture at all.
  let turns: readonly number[] | undefined;
  for (let at = items.length - 1; at >= 0 && count < most; at--) {
    const item = items[at] ?? -1;
    const { count: found, tokens: all } = picturesOf(view, item, putBack);
    const taken = Math.min(most - count, found);
    if (taken === 0) continue;
    tokens += taken * Math.floor(all / found);
    const source = isPutBack(view.synthetic(item)) ? USER_PICTURE.length : sourceChars(view, items, at);
    turns ??= contentNumbers(view, items);
    chars += taken * (`\n- turn ${turns[at]}: `.length + source);
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

/** Where a picture comes from: the first call of the response that stands before its message, with its arguments. */
function sourceChars(view: ContextView, history: readonly ItemIndex[], at: number): Chars {
  const { columns } = view;
  const end = contentStart(view, history, at);
  const response = end === 0 ? -1 : (history[end - 1] ?? -1);
  if (response < 0 || columns.role[response] !== ASSISTANT) return USER_PICTURE.length;
  for (let position = contentStart(view, history, end - 1); position < end; position++) {
    const row = history[position] ?? -1;
    if (columns.kind[row] !== CALL) continue;
    const name = columns.tables.tools[columns.tool[row] ?? -1] ?? "";
    const chars = columns.measures["qwen-code.callChars"]?.[row] ?? name.length + (columns.chars[row] ?? 0);
    return chars + " args=".length;
  }
  return USER_PICTURE.length;
}

/** Where the message of an item begins. */
function contentStart({ columns }: ContextView, history: readonly ItemIndex[], at: number): number {
  let start = at;
  while (start > 0 && columns.message[history[start - 1] ?? -1] === columns.message[history[at] ?? -1]) start -= 1;
  return start;
}
