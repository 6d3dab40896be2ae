import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Identifies the code that reads recordings: its bundle names every part by its content.
 * @param root folder of the program, with `dist/` below it
 * @param basis data that this code depends on, such as a price list
 */
export function makerOf(root: string, basis: string): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "dist", "worker.mjs")));
  return hash.update("\0").update(basis).digest("base64url").slice(0, 22);
}
