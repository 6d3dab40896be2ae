import { statSync } from "node:fs";
import type { Bytes } from "@/lib/core/base/units";

/** Size of an input file before it is read; `undefined` for standard input, pipes and missing files. */
export function fileBytes(path: string): Bytes | undefined {
  try {
    const info = statSync(path);
    return info.isFile() ? info.size : undefined;
  } catch {
    return undefined; // Reading the file reports the reason.
  }
}
