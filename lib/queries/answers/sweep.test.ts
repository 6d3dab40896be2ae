import { describe, expect, it } from "vitest";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { builtProgram } from "@/lib/server/testing/bundles";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { PoolRunner } from "@/lib/server/threads/pool";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import { type SweepInput, sweepAll } from "./sweep";

const root = builtProgram();
/** One recording of some hundred items, whose points make several tasks, and a short one. */
const FILES = [
  "public/samples/claude-code-duplicate-shipments.jsonl",
  "lib/agents/claude-code/fixtures/compaction.jsonl",
];
const POINTS = 49 * 69;

/** More points than one task takes over the longer recording. */
const SWEEP = {
  policy: "custom",
  settings: { summaryTokens: 900 },
  vary: [
    { key: "triggerShare", from: 0.5, to: 0.98, step: 0.01 },
    { key: "keepRecentTokens", from: 500, to: 50_000, step: 725 },
  ],
} as const;

interface Swept {
  readonly id: string;
  /** Each row as JSON. */
  readonly result: readonly string[] | Error;
}

async function rowsBy(runner: TaskRunner, pieces: number[] = []): Promise<Swept[]> {
  const inputs = FILES.map(
    (path): SweepInput => ({
      id: path,
      use: async (work) => work(new OpenedSession(path, await runner.run("ingest", { path }), runner)),
    }),
  );
  const rows: Swept[] = [];
  const listener = { onReplays: (count: number) => pieces.push(count) };
  for await (const { id, result } of sweepAll(inputs, SWEEP, runner, listener))
    rows.push({ id, result: result instanceof Error ? result : [...result] });
  await runner.close();
  return rows;
}

describe("a sweep over recordings", () => {
  it("gives the same rows in the same order, byte for byte, from several threads as from this one", async () => {
    const alone = await rowsBy(new LocalRunner());
    expect(alone.map(({ id }) => id)).toEqual(FILES);
    expect(alone.map(({ result }) => (result instanceof Error ? result : result.length))).toEqual([POINTS, POINTS]);
    const bytes = JSON.stringify(alone.map(({ result }) => result));
    const pieces: number[] = [];
    const rows = await rowsBy(new PoolRunner(root, { threads: 3 }), pieces);
    expect(rows).toEqual(alone);
    // Compared as sent, so that the keys are in the same order too.
    expect(JSON.stringify(rows.map(({ result }) => result)) === bytes).toBe(true);
    // There were several tasks; otherwise the threads would have had nothing to share.
    expect(pieces.length).toBeGreaterThan(FILES.length);
    expect(pieces.reduce((sum, count) => sum + count, 0)).toBe(2 * POINTS);
  });
});
