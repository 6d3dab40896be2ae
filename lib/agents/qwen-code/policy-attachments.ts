import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import {
  CHARS_PER_TOKEN,
  EMBEDDED_FILE,
  IMAGE_TOKENS,
  LISTED_FILES,
  RESTORED_FILE_TOKENS,
  RESTORED_PICTURES,
  RESTORED_TOKENS,
  USER_PICTURE,
} from "./constants";
import { ASSISTANT, CALL, CLEARED_MEDIA_TOKENS, isMark, isPicture, RESPONSE } from "./policy-view";

/** Files that were touched last, as far as the recording shows what they hold, and the newest pictures: one content. */
export function attachments(
  view: ContextView,
  history: readonly ItemIndex[],
  most: { readonly files: number; readonly pictures: number },
): readonly SyntheticItem[] {
  const files = restoredFiles(view, history, most.files);
  const pictures = restoredPictures(view, history, most.pictures);
  const filesTokens = Math.ceil(files.chars / CHARS_PER_TOKEN);
  const all = Math.ceil((files.chars + pictures.chars) / CHARS_PER_TOKEN);
  const category = "attachments";
  return [
    ...(files.chars === 0
      ? []
      : [
          {
            ...({ kind: "attachment", name: "filesPutBack", category, label: "files put back" } as const),
            tokens: filesTokens,
            files: files.paths,
          } as const,
        ]),
    ...(pictures.count === 0
      ? []
      : [
          {
            ...({ kind: "attachment", name: "picturesPutBack", category } as const),
            tokens: pictures.tokens + all - filesTokens,
            label: `${pictures.count} pictures put back`,
            count: pictures.count,
          } as const,
        ]),
  ];
}

/** Pictures that an earlier compaction put back with an item. */
function carriedPictures(synthetic: SyntheticItem | undefined): number {
  return synthetic?.name === "picturesPutBack" ? (synthetic.count ?? 0) : 0;
}

/** The pictures that an item is or carries, and what they come to without the text about them. */
export function picturesOf(view: ContextView, item: ItemIndex): { readonly count: number; readonly tokens: Tokens } {
  const carried = carriedPictures(view.synthetic(item));
  const isThere = isPicture(view.columns, item) && view.tokensOf(item) > CLEARED_MEDIA_TOKENS;
  const count = carried > 0 ? carried : isThere ? 1 : 0;
  // Beside the pictures a carried item holds the text about them, and a picture's share of its message is rounded.
  const each = count === 0 ? 0 : Math.min(IMAGE_TOKENS, Math.floor(view.tokensOf(item) / count));
  return { count, tokens: count * each };
}

/** The newest pictures; those that an earlier compaction put back are in the history like any other. */
function restoredPictures(view: ContextView, history: readonly ItemIndex[], most: number) {
  let [count, tokens, chars] = [0, 0, 0];
  // Looked up where there is a picture at all.
  let turns: readonly number[] | undefined;
  for (let at = history.length - 1; at >= 0 && count < most; at--) {
    const item = history[at] ?? -1;
    const carried = carriedPictures(view.synthetic(item));
    const { count: found, tokens: all } = picturesOf(view, item);
    const taken = Math.min(most - count, found);
    if (taken === 0) continue;
    tokens += taken * Math.floor(all / found);
    const source = carried > 0 ? USER_PICTURE.length : sourceChars(view, history, at);
    turns ??= contentNumbers(view, history);
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
        : isMark(synthetic) || (before?.category === "attachments" && synthetic.category === "attachments");
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

function restoredFiles(view: ContextView, history: readonly ItemIndex[], most: number) {
  const { columns } = view;
  const shown = columns.measures["qwen-code.fileChars"];
  const last = history.findLast((item) => item < columns.length) ?? -1;
  const touched: number[] = [];
  for (let at = history.length - 1; at >= 0 && touched.length < most; at--) {
    const item = history[at] ?? -1;
    const file = columns.file[item] ?? -1;
    const isCall = file >= 0 && columns.kind[item] === CALL && (shown?.[item] ?? 0) > 0;
    // A result that is about to be sent is not known yet.
    const result = columns.pair[item] ?? -1;
    const failed = result <= last && ((columns.flags[result] ?? 0) & FLAG.ERROR) !== 0;
    if (isCall && !failed && !touched.includes(file)) touched.push(file);
  }
  const contents = lastShown(columns, last, touched);
  const known = touched.filter((file) => contents.has(file));
  const paths = known.map((file) => columns.tables.files[file] ?? "");
  const shownAt = known.map((file) => contents.get(file) ?? -1);
  return { paths, chars: restoredChars(shownAt.map((row, at) => restoredFile(columns, row, paths[at]?.length ?? 0))) };
}

/** Rows that show what the files held when it compacted, as far as the recording showed it by then, in the context or not. */
function lastShown(columns: SessionColumns, from: ItemIndex, files: readonly number[]): ReadonlyMap<number, ItemIndex> {
  const shown = columns.measures["qwen-code.fileChars"];
  const contents = new Map<number, ItemIndex>();
  for (let row = from; row >= columns.overheadRows && contents.size < files.length; row--) {
    const value = shown?.[row] ?? 0;
    const file = columns.file[row] ?? -1;
    const isRecordedOnly = ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0;
    if (value > 1 && !isRecordedOnly && files.includes(file) && !contents.has(file)) contents.set(file, row);
  }
  return contents;
}

/** `\n\n## `, `\n\n`, and the line ends of the fence around the content. */
const EMBEDDED_CHARS: Chars = EMBEDDED_FILE.length + "\n\n## \n\n\n\n".length;
/** The shortest fence. */
const FENCE: Chars = "```".length;

/** A file that may be put back. */
interface RestoredFile {
  readonly content: Chars;
  readonly path: Chars;
  readonly fence: Chars;
}

function restoredFile({ measures }: SessionColumns, row: ItemIndex, path: Chars): RestoredFile {
  const content = (measures["qwen-code.fileChars"]?.[row] ?? 1) - 1;
  return { content, path, fence: measures["qwen-code.fence"]?.[row] ?? FENCE };
}

/** A file above 20,000 characters, or for which there is no room among 200,000, is listed only. */
function restoredChars(files: readonly RestoredFile[]): Chars {
  let [used, chars, listed] = [0, 0, 0];
  for (const { content, path, fence } of files) {
    const isListed =
      content > RESTORED_FILE_TOKENS * CHARS_PER_TOKEN || used + content > RESTORED_TOKENS * CHARS_PER_TOKEN;
    if (isListed) listed += path + "\n- ".length;
    else {
      used += content;
      chars += content + path + 2 * fence + EMBEDDED_CHARS;
    }
  }
  return chars + (listed > 0 ? LISTED_FILES.length + 1 + listed : 0);
}
