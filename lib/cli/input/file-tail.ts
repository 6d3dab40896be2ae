import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegularFile } from "@/lib/server/base/regular-file";

/** The last lines of a file. */
interface FileTail {
  readonly lines: readonly string[];
  /** True if these are all lines of the file. */
  readonly whole: boolean;
}

/**
 * Reads the lines that begin in a file's last `bytes`. Omits the rest of a line that begins earlier.
 * @throws `InputError` if the file cannot be read, or is a pipe or a device, which could block
 */
export function fileTail(path: string, bytes: number): FileTail {
  const { fd: file } = openRegularFile(path);
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
