import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SAMPLES = fileURLToPath(new URL("../../public/samples", import.meta.url));

/** The sessions to test with: the bundled samples. */
export const ENGLISH = "claude-code-duplicate-shipments.jsonl";
export const CHINESE = "claude-code-report-timezone.jsonl";
export const ROLLOUT = "codex-sliding-window.jsonl";

export function samplePath(file: string): string {
  return join(SAMPLES, file);
}

export function sampleLines(file: string): string[] {
  return readFileSync(samplePath(file), "utf8").trimEnd().split("\n");
}

export function copySamples(folder: string, files: readonly string[]): void {
  for (const file of files) copyFileSync(samplePath(file), join(folder, file));
}
