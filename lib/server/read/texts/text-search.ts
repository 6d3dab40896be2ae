import { LRUCache } from "lru-cache";
import type { Bytes } from "@/lib/core/base/units";
import { eachMessage, type LoadedFile } from "./each-message";

/** Maximum text that a thread holds for searches. A larger session is read from its file for every search. */
const HELD_BYTES: Bytes = 256 << 20;
/** Text per search step. */
const BLOCK_BYTES: Bytes = 4 << 20;
/** Separates texts: no UTF-8 has this byte, so no match spans two of them. */
const SEPARATOR = 0xff;

/** Matches of a text: the rows of the columns, ascending, and the number of matches in each. */
export interface FoundRows {
  readonly rows: Int32Array;
  readonly counts: Int32Array;
}

/** Texts of rows in lower case, concatenated. */
interface TextBlock {
  readonly bytes: Buffer;
  readonly rows: readonly number[];
  /** End of each text, including its separator. */
  readonly ends: readonly number[];
}

/** Finds texts in sessions. The last searched ones are held as plain text, so that the next search reads no file. */
export class TextSearch {
  readonly #held = new LRUCache<string, readonly TextBlock[]>({
    maxSize: HELD_BYTES,
    sizeCalculation: (blocks) => 1 + blocks.reduce((sum, { bytes }) => sum + bytes.length, 0),
  });

  /**
   * The rows with a text, ignoring case. Throws `InputError` if the file has changed.
   * @param key names the file and its version
   */
  find(key: string, loaded: LoadedFile, query: string): FoundRows {
    const needle = Buffer.from(query.toLowerCase(), "utf8");
    const found = { rows: [] as number[], counts: [] as number[] };
    const held = this.#held.get(key);
    if (held !== undefined) for (const block of held) searchBlock(block, needle, found);
    else this.#readAndFind(key, loaded, (block) => searchBlock(block, needle, found));
    return { rows: Int32Array.from(found.rows), counts: Int32Array.from(found.counts) };
  }

  #readAndFind(key: string, loaded: LoadedFile, search: (block: TextBlock) => void): void {
    const blocks: TextBlock[] = [];
    let bytes = 0;
    eachBlock(loaded, (block) => {
      search(block);
      bytes += block.bytes.length;
      if (bytes <= HELD_BYTES) blocks.push(block);
      else blocks.length = 0;
    });
    if (bytes < HELD_BYTES) this.#held.set(key, blocks);
  }
}

/** The texts of a file in blocks, in the order of the rows. The payload of an image is not text. */
function eachBlock(loaded: LoadedFile, onBlock: (block: TextBlock) => void): void {
  let texts: Buffer[] = [];
  let rows: number[] = [];
  let ends: number[] = [];
  let length = 0;
  const flush = (): void => {
    if (rows.length > 0) onBlock({ bytes: Buffer.concat(texts, length), rows, ends });
    [texts, rows, ends, length] = [[], [], [], 0];
  };
  const add = (row: number, text: string): void => {
    if (text === "") return;
    const bytes = Buffer.from(text.toLowerCase(), "utf8");
    texts.push(bytes, Buffer.of(SEPARATOR));
    length += bytes.length + 1;
    rows.push(row);
    ends.push(length);
    if (length >= BLOCK_BYTES) flush();
  };
  eachMessage(loaded, {
    overhead: add,
    message: (message, contents, firstRow) => {
      for (const [at, { text }] of contents.entries()) {
        if (message.blocks[at]?.kind !== "image") add(firstRow + at, text);
      }
    },
  });
  flush();
}

function searchBlock(
  block: TextBlock,
  needle: Buffer,
  found: { readonly rows: number[]; readonly counts: number[] },
): void {
  const { bytes, rows, ends } = block;
  let text = 0;
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    while ((ends[text] ?? bytes.length) <= at) text += 1;
    const end = ends[text] ?? bytes.length;
    let count = 0;
    for (; at >= 0 && at < end; at = bytes.indexOf(needle, at + needle.length)) count += 1;
    found.rows.push(rows[text] ?? 0);
    found.counts.push(count);
  }
}
