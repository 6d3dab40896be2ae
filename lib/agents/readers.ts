import type { DocumentList, Reader } from "@/lib/core/transcript/reader";
import { signatureOf } from "./known-signatures";
import { SERVER_HALVES } from "./server-halves";

const all: Reader[] = Object.values(SERVER_HALVES).map(({ reader }) => reader);
const lists = all.flatMap(({ documentList }) => (documentList === undefined ? [] : [documentList]));

/** Every format's reader, and those that were added. A file is offered to them in this order. */
export const READERS: readonly Reader[] = all;

/** Where in a document the list lies whose objects are the records. */
export const DOCUMENT_LISTS: readonly DocumentList[] = lists;

/** Adds somebody else's reader, for this process. Its sessions belong to no agent that is known here. Throws where its format is taken. */
export function addReader(reader: Reader): void {
  if (readerOf(reader.format) !== undefined) throw new Error(`There is a reader of ${reader.format} already.`);
  all.push(reader);
  if (reader.documentList !== undefined) lists.push(reader.documentList);
}

/** The reader that recognises the first records; `undefined` when none does, or when another program is known to write them. */
export function sniffReader(head: readonly Readonly<Record<string, unknown>>[]): Reader | undefined {
  return signatureOf(head) === undefined ? READERS.find((reader) => reader.sniff(head)) : undefined;
}

/** The reader of a format; `undefined` for ids that this build does not know. */
export function readerOf(format: string): Reader | undefined {
  return all.find((reader) => reader.format === format);
}
