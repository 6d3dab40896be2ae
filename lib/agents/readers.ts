import type { Reader } from "@/lib/core/transcript/reader";
import { SERVER_HALVES, serverHalfOf } from "./server-halves";

/** Every format's reader, in the order in which they are asked whether a file is theirs. */
export const READERS: readonly Reader[] = Object.values(SERVER_HALVES).map(({ reader }) => reader);

/** Where documents hold a list whose objects are their records. */
export const DOCUMENT_LISTS = READERS.flatMap(({ documentList }) => (documentList === undefined ? [] : [documentList]));

/** The reader that recognises the first records; `undefined` when none does. */
export function sniffReader(head: readonly Readonly<Record<string, unknown>>[]): Reader | undefined {
  return READERS.find((reader) => reader.sniff(head));
}

/** The reader of a format; `undefined` for ids that this build does not know. */
export function readerOf(format: string): Reader | undefined {
  return serverHalfOf(format)?.reader;
}
