/**
 * Compression or encoding of a file's bytes. A zip file is read as the lines of its evaluation log's samples. UTF-16 is treated as packed UTF-8, so
 * offsets count UTF-8 bytes.
 */
export type Packing = "gzip" | "zstd" | "brotli" | "zip" | Utf16;

/** Byte orders of UTF-16, by the names of the WHATWG encoding standard. */
export type Utf16 = "utf-16le" | "utf-16be";

/** Outcome of unpacking; the part before a break is read. */
export type UnpackingEnd = "whole" | "cut off" | "damaged";

/** Bytes of a beginning that identify the packing. */
export const PACKING_HEAD_BYTES = 4;

/**
 * The packing, detected from the first bytes whatever the file's name. Only Brotli is detected from the name, since its bytes have no mark. Sources: RFC 1952 §2.3.1, RFC 8878 §3.1,
 * RFC 7932; zip: PKWARE's APPNOTE 4.3.7; the byte order marks of UTF-16: RFC 2781 §3.2.
 */
export function packingOf(head: Uint8Array, name: string): Packing | undefined {
  const [a, b, c, d] = head;
  if (a === 0x1f && b === 0x8b && c === 0x08) return "gzip";
  if (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04) return "zip";
  if (b === 0xb5 && c === 0x2f && d === 0xfd && a === 0x28) return "zstd";
  // A skippable frame may come first; its lowest four bits are free.
  const skippable = a !== undefined && (a & 0xf0) === 0x50 && b === 0x2a && c === 0x4d && d === 0x18;
  if (skippable) return "zstd";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return /\.br$/i.test(name) ? "brotli" : undefined;
}
