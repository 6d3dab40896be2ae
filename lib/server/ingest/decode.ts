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

/** The same bytes with a buffer's methods: those of a file are one already. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether a byte is among these. `Uint8Array.includes` looks at one byte at a time. */
export function includesByte(bytes: Uint8Array, byte: number): boolean {
  return bufferOf(bytes).includes(byte);
}
