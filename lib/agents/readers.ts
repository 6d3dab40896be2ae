import type { Reader } from "@/lib/core/transcript/reader";
import { SERVER_HALVES, serverHalfOf } from "./server-halves";

/** Every format's reader. A file is offered to them in this order. */
export const READERS: readonly Reader[] = Object.values(SERVER_HALVES).map(({ reader }) => reader);

/** Where in a document the list lies whose objects are the records. */
export const DOCUMENT_LISTS = READERS.flatMap(({ documentList }) => (documentList === undefined ? [] : [documentList]));

/** The reader that recognises the first records; `undefined` when none does. */
export function sniffReader(head: readonly Readonly<Record<string, unknown>>[]): Reader | undefined {
  return READERS.find((reader) => reader.sniff(head));
}

/** The reader of a format; `undefined` for ids that this build does not know. */
export function readerOf(format: string): Reader | undefined {
  return serverHalfOf(format)?.reader;
}
