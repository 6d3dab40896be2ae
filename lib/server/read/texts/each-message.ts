import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { counters } from "../../base/counters";
import type { SourceFile } from "../source-file";
import { RecordLoader } from "./record-loader";

export interface LoadedFile {
  readonly file: SourceFile;
  readonly transcript: Transcript;
  readonly reader: Reader;
}

/** A result that is made from the contents of a whole file. */
export interface Pass<Result> extends ContentVisitor {
  result(): Result;
}

interface ContentVisitor {
  /** Called with the text of a recorded overhead entry. */
  overhead?(row: number, text: string): void;
  /** Called with a message, the contents of its blocks, and the row of its first block. */
  message(message: Message, contents: readonly BlockContent[], firstRow: number): void;
}

/**
 * Makes one more pass over the file, in order and in bounded memory. Throws `InputError` if the file has changed.
 * @param from the first wanted row; a message that ends before it is skipped
 */
export function eachMessage({ file, transcript, reader }: LoadedFile, visitor: ContentVisitor, from = 0): void {
  counters[from === 0 ? "filesCounted" : "tailsCounted"] += 1;
  const loader = new RecordLoader(file, reader);
  const firstRow = overheadRows(transcript);
  if (visitor.overhead !== undefined) {
    for (const [row, entry] of transcript.overhead.entries()) {
      if (row < from) continue;
      visitor.overhead(row, entry.text.value ?? loader.content(entry.source).text);
    }
  }
  const { list } = transcript;
  for (let index = 0; index < list.length; index++) {
    const row = firstRow + list.firstBlock(index);
    if (row < from && firstRow + list.firstBlock(index + 1) <= from) continue;
    const message = list.message(index);
    const contents = message.blocks.map((block) => loader.content(block.source));
    visitor.message(message, contents, row);
  }
}

/** Several passes as one. Those with another first row run separately. */
export function eachMessageOf(
  loaded: LoadedFile,
  passes: readonly { readonly from: number; readonly pass: ContentVisitor }[],
): void {
  for (const from of new Set(passes.map((one) => one.from))) {
    const visitors = passes.flatMap((one) => (one.from === from ? [one.pass] : []));
    eachMessage(loaded, together(visitors), from);
  }
}

/** Several visitors as one. */
export function together(visitors: readonly ContentVisitor[]): ContentVisitor {
  const readers = visitors.flatMap(({ overhead }) => overhead ?? []);
  return {
    ...(readers.length > 0 && {
      overhead: (row, text) => {
        for (const overhead of readers) overhead(row, text);
      },
    }),
    message: (message, contents, firstRow) => {
      for (const visitor of visitors) visitor.message(message, contents, firstRow);
    },
  };
}

export function rowCount(transcript: Transcript): number {
  return overheadRows(transcript) + transcript.list.blocks.length;
}

/** Number of overhead rows: the recorded ones, and one for the inferred overhead. */
function overheadRows(transcript: Transcript): number {
  return transcript.overhead.length + 1;
}
