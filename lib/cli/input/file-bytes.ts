import { statSync } from "node:fs";
import type { Bytes } from "@/lib/core/base/units";

/** The size of a file that a command was given, before it is read; `undefined` for standard input, for a pipe, and for what is not there. */
export function fileBytes(path: string): Bytes | undefined {
  try {
    const info = statSync(path);
    return info.isFile() ? info.size : undefined;
  } catch {
    return undefined; // Why it cannot be read is said when it is read.
  }
}
