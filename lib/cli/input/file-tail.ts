import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The last lines of a file. */
export interface FileTail {
  readonly lines: readonly string[];
  /** Whether these are all of its lines. */
  readonly whole: boolean;
}

/**
 * Reads the last lines of a file: those that begin in its last `bytes`. What stands before the first line break there is the end of a line that
 * begins earlier, and is left out.
 * @throws what the file system says, where the file cannot be read
 */
export function fileTail(path: string, bytes: number): FileTail {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString("utf8", 0, read).split("\n");
    const whole = buffer.length === size;
    return { lines: whole ? lines : lines.slice(1), whole };
  } finally {
    closeSync(file);
  }
}
