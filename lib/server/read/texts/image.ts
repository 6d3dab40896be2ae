import type { Bytes } from "@/lib/core/base/units";
import type { Reader } from "@/lib/core/transcript/reader";
import type { SourceFile } from "../source-file";
import type { PlacedItem } from "./item-places";
import { RecordLoader } from "./record-loader";

/** Maximum bytes of an image that providers accept. */
const MAX_BYTES: Bytes = 32 << 20;
/** A payload in base64, within a data URL, or the JSON of a content part. */
const PAYLOAD = /[A-Za-z0-9+/]{32,}={0,2}/;

/** The kinds of shown images, by their first bytes. None of them can hold a script. */
const KINDS = [
  ["image/png", (start: string) => start.startsWith("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (start: string) => start.startsWith("\xff\xd8\xff")],
  ["image/gif", (start: string) => /^GIF8[79]a/.test(start)],
  ["image/webp", (start: string) => /^RIFF.{4}WEBP/s.test(start)],
] as const;

type ImageType = (typeof KINDS)[number][0];
export const IMAGE_TYPES: readonly ImageType[] = KINDS.map(([type]) => type);

/** The kind of an image by its own bytes, regardless of the file's claim; `undefined` for content that is not shown. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return KINDS.find(([, is]) => is(start))?.[0];
}

/** The payload of an image item; empty if the file holds none. Throws `InputError` if the file has changed. */
export function loadImage(file: SourceFile, reader: Reader, item: PlacedItem | undefined): Uint8Array<ArrayBuffer> {
  if (item?.kind !== "image" || item.source === null) return new Uint8Array(0);
  const [payload = ""] = PAYLOAD.exec(new RecordLoader(file, reader).content(item.source).text) ?? [];
  return new Uint8Array(Buffer.from(payload, "base64"));
}
