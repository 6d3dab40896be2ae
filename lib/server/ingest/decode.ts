import { isAscii } from "node:buffer";

/** Bytes as text: UTF-8, invalid bytes as U+FFFD. ASCII, which most lines are, takes the fast way. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(isAscii(buffer) ? "latin1" : "utf8");
}
