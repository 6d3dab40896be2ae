import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCode } from "../base/input-error";
import { diskRefusal } from "../base/refusal";

/**
 * Writes a value as JSON: under a temporary name, synced, then renamed, so that a server killed meanwhile leaves the old file. Rejects with `RefusedError` if
 * the disk is full or the folder is not writable.
 */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const temporary = join(dirname(path), `.tmp-${basename(path)}-${randomUUID()}`);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(value));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw diskRefusal(error, "nothing was changed");
  }
}

/** The JSON value of a file; `undefined` if it is missing or not JSON: only this program writes it. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
