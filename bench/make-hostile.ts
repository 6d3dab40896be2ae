import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { HOSTILE_FILES, writeHostile } from "./support/hostile/files";

/** `npm run bench make-hostile -- FOLDER`: writes the hostile files. */
export async function main([folder]: readonly string[]): Promise<void> {
  if (folder === undefined) {
    console.error("usage: npm run bench make-hostile -- FOLDER");
    process.exitCode = 2;
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const file of HOSTILE_FILES) {
    const path = join(folder, file.name);
    await writeHostile(file, path);
    console.log(`${path}  ${(statSync(path).size / 1e6).toFixed(2)} MB  ${file.about}`);
  }
}
