import { isAscii } from "node:buffer";

/** Bytes as text: UTF-8, invalid bytes as U+FFFD. ASCII, which most lines are, takes the fast way. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = bufferOf(bytes);
  return buffer.toString(isAscii(buffer) ? "latin1" : "utf8");
}

/** Bytes as text where they are ASCII throughout. */
export function decodeAscii(bytes: Uint8Array): string | undefined {
  const buffer = bufferOf(bytes);
  return isAscii(buffer) ? buffer.toString("latin1") : undefined;
}

/**
 * The text of bytes of which only the ASCII characters matter, a byte order mark left out: a tenth of what decoding takes.
 * What is not ASCII stands as other characters, none of them ASCII, one a byte.
 */
export function decodeSigns(bytes: Uint8Array, end = bytes.length): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bufferOf(bytes).toString("latin1", start, end);
}

/** The same bytes with a buffer's methods: those of a file are one already. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether a byte is among these. `Uint8Array.includes` looks at one byte at a time. */
export function includesByte(bytes: Uint8Array, byte: number): boolean {
  return bufferOf(bytes).includes(byte);
}
