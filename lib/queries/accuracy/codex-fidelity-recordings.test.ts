import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FidelityWire } from "@/lib/queries/contract/types";
import { LocalRunner } from "@/lib/server/threads/local-runner";

const FOLDER = join(process.cwd(), "..", "shared", "transcripts", "codex");
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl")) : [];

/** The fidelity check of every recording, by file. */
async function checks(): Promise<readonly FidelityWire[]> {
  const runner = new LocalRunner();
  const found: FidelityWire[] = [];
  for (const name of files) {
    const { summary } = await runner.ingest({ path: join(FOLDER, name), fidelity: {} });
    if (summary.fidelity) found.push(summary.fidelity);
  }
  await runner.close();
  return found;
}

describe.skipIf(files.length === 0)("Codex's recordings", () => {
  it("are predicted without false alarms, and manual compactions are counted separately", async () => {
    const found = await checks();
    const sum = (of: (check: FidelityWire) => number) => found.reduce((total, check) => total + of(check), 0);
    expect(sum(({ recorded }) => recorded)).toBeGreaterThanOrEqual(6);
    expect(sum(({ manual }) => manual)).toBe(1);
    expect(sum(({ reanchored }) => reanchored.falseAlarms)).toBe(0);
    expect(sum(({ reanchored }) => reanchored.hits)).toBeGreaterThanOrEqual(4);
    const hits = found.flatMap(({ boundaries }) => boundaries.filter(({ reanchored }) => reanchored.verdict === "hit"));
    expect(hits.map(({ request, reanchored }) => (reanchored.prediction?.request ?? 0) - request)).toEqual(
      hits.map(() => 0),
    );
  });
});
