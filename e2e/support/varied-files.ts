import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeChangedSamples } from "./changed-samples";
import { copySamples, ENGLISH, ROLLOUT } from "./files";
import { writeQwenFiles } from "./qwen-files";
import { writeReader } from "./reader-file";
import { ENDS_COMPACTED } from "./recordings";
import { writeRelatedFiles } from "./related-files";
import { writeShop } from "./shop";

/** A file that is not a transcript. */
export const NO_TRANSCRIPT = "MANIFEST.jsonl";

/**
 * Writes the sessions that several test files use, each under a name of its own, a file beside them that is not a transcript, and a database that cannot be
 * opened.
 */
export function writeVariedFiles(folder: string, home: string): void {
  copySamples(folder, [ENGLISH, ROLLOUT]);
  writeChangedSamples(folder);
  writeReader(folder);
  writeQwenFiles(folder);
  writeRelatedFiles(folder);
  writeShop(folder);
  if (ENDS_COMPACTED !== undefined) copyFileSync(ENDS_COMPACTED, join(folder, basename(ENDS_COMPACTED)));
  writeFileSync(join(folder, NO_TRANSCRIPT), '{"path":"a.jsonl","bytes":5}\n{"path":"b.jsonl","bytes":7}\n');
  const data = join(home, ".local", "share", "opencode");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "opencode.db"), "SQLite format 3\0");
}
