import type { Chars, ItemIndex } from "@/lib/core/base/units";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import { CHARS_PER_TOKEN, EMBEDDED_FILE, LISTED_FILES, RESTORED_FILE_TOKENS, RESTORED_TOKENS } from "../constants";
import { CALL } from "./history";

/** Files that a compaction restores, and how many characters they take. */
export interface RestoredFiles {
  readonly paths: readonly string[];
  readonly chars: Chars;
}

/** The files of a history that were touched last, as far as the recording shows their contents. */
export function lastTouchedFiles(columns: SessionColumns, history: readonly ItemIndex[], most: number): RestoredFiles {
  const shown = columns.measures["qwen-code.fileChars"];
  const last = history.findLast((item) => item < columns.length) ?? -1;
  const touched: number[] = [];
  for (let at = history.length - 1; at >= 0 && touched.length < most; at--) {
    const item = history[at] ?? -1;
    const file = columns.file[item] ?? -1;
    const isCall = file >= 0 && columns.kind[item] === CALL && (shown?.[item] ?? 0) > 0;
    // A result that is about to be sent does not count as known yet.
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

/** For each file, the last row that shows its content up to a row, whether or not the context still holds it. */
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

/** A file that may be restored. */
interface RestoredFile {
  readonly content: Chars;
  readonly path: Chars;
  readonly fence: Chars;
}

function restoredFile({ measures }: SessionColumns, row: ItemIndex, path: Chars): RestoredFile {
  const content = (measures["qwen-code.fileChars"]?.[row] ?? 1) - 1;
  return { content, path, fence: measures["qwen-code.fence"]?.[row] ?? FENCE };
}

/** A file above 20,000 characters, or one that no longer fits into 200,000, is only listed. */
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
