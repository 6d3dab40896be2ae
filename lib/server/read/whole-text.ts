import { decodeUtf8 } from "./decode";
import type { SourceFile } from "./source-file";

/** The part of ES2024 that Node 20 has. */
interface ResizableBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}
const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ResizableBuffer;

/** The bytes of a file up to this size are not released early: releasable memory is slower to allocate. */
const SMALL_BYTES = 16 * 1024 * 1024;

/**
 * All of a file as text, and its length in bytes. The bytes of a large file are released at once: otherwise the engine would hold them until its next
 * full collection, which may come only after the document was parsed and read. Throws `InputError`.
 */
export function wholeText(file: SourceFile): { readonly text: string; readonly bytes: number } {
  if (file.size <= SMALL_BYTES) {
    const whole = file.head.length === file.size ? file.head : file.read(0, file.size);
    return { text: decodeUtf8(whole), bytes: whole.length };
  }
  const memory = new Resizable(file.size, { maxByteLength: file.size });
  const bytes = file.readInto(new Uint8Array(memory));
  const text = decodeUtf8(new Uint8Array(memory, 0, bytes));
  memory.resize(0);
  return { text, bytes };
}
