import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { FidelityWire } from "@/lib/queries/contract/types";
import { LocalRunner } from "@/lib/server/threads/local-runner";

/** OpenClaw's folder: `agent/models.json`, beside the sessions, holds the windows of its models. */
const root = mkdtempSync(join(tmpdir(), "openclaw-fidelity-"));
const runner = new LocalRunner();
afterAll(async () => {
  await runner.close();
  rmSync(root, { recursive: true });
});

const MODELS = {
  providers: {
    ollama: { models: [{ id: "llama3", contextWindow: 8192 }] },
    deepseek: { models: [{ id: "deepseek-chat", contextWindow: 128_000 }] },
  },
};

/** A user message and one response, with its recorded input and output, or a refusal by the provider. */
type Step =
  | { readonly input: number; readonly output: number; readonly prompt?: string }
  | { readonly error: string }
  | "compaction";

let made = 0;

/** The check of a session of 2026.5 with these runs and compactions. */
async function checkOf(model: string, steps: readonly Step[]): Promise<FidelityWire> {
  const agent = join(root, `home${made++}`, "agents", "main");
  mkdirSync(join(agent, "agent"), { recursive: true });
  mkdirSync(join(agent, "sessions"));
  writeFileSync(join(agent, "agent", "models.json"), JSON.stringify(MODELS));
  const timestamp = (at: number) => new Date(Date.UTC(2026, 4, 10, 9, at)).toISOString();
  const records: object[] = [{ type: "session", version: 3, id: "s", timestamp: timestamp(0), cwd: "/home/mia" }];
  const put = (more: object) => {
    const at = records.length;
    records.push({ id: `e${at}`, parentId: at === 1 ? null : `e${at - 1}`, timestamp: timestamp(at), ...more });
  };
  const say = (message: object) => put({ type: "message", message });
  put({ type: "custom", customType: "model-snapshot", data: {} });
  let used = 0;
  let prompt = 0;
  for (const step of steps) {
    if (step === "compaction") {
      const kept = { firstKeptEntryId: `e${prompt}`, tokensBefore: used, fromHook: true };
      put({ type: "compaction", summary: "Pears were compared with apples.", ...kept });
      continue;
    }
    prompt = records.length;
    const asked = "prompt" in step && step.prompt !== undefined ? step.prompt : "Go on with the orchard.";
    say({ role: "user", content: [{ type: "text", text: asked }] });
    if ("error" in step) {
      const usage = { input: 0, output: 0, totalTokens: 0 };
      say({ role: "assistant", model, content: [], usage, stopReason: "error", errorMessage: step.error });
      continue;
    }
    const { input, output } = step;
    used = input + output;
    const usage = { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: used };
    const content = [{ type: "text", text: "Pears. ".repeat(Math.ceil(output / 8)) }];
    say({ role: "assistant", model, content, usage, stopReason: "stop" });
  }
  const path = join(agent, "sessions", "s.jsonl");
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join("\n"));
  const { summary } = await runner.ingest({ path, fidelity: {} });
  if (!summary.fidelity) throw new Error("the session was not checked");
  return summary.fidelity;
}

async function verdictsOf(model: string, steps: readonly Step[]) {
  const { boundaries, reanchored, overflow } = await checkOf(model, steps);
  return {
    verdicts: boundaries.map((boundary) => boundary.reanchored.verdict),
    hits: reanchored.hits,
    misses: reanchored.misses,
    falseAlarms: reanchored.falseAlarms,
    overflow,
  };
}

const OVERFLOW = "400 This model's maximum context length is 131072 tokens. However, you requested 140210 tokens";
const FLUSH = "Pre-compaction memory flush. Store durable memories now.";

describe("the check of OpenClaw's own sessions", () => {
  it("predicts a compaction from 108,001 tokens on, with and without a memory flush", async () => {
    for (const flush of [[], [{ input: 106_600, output: 8, prompt: FLUSH }]]) {
      const steps = [
        { input: 90_000, output: 100 },
        { input: 105_000, output: 100 },
        { input: 106_500, output: 100 },
        ...flush,
        { input: 107_700, output: 301 },
        "compaction" as const,
        { input: 20_000, output: 100 },
      ];
      const { boundaries } = await checkOf("deepseek-chat", steps);
      expect(boundaries).toMatchObject([{ tokensBefore: 108_001, reanchored: { verdict: "hit" } }]);
      const expected = { verdicts: ["hit"], hits: 1, misses: 0, falseAlarms: 0, overflow: 0 };
      expect(await verdictsOf("deepseek-chat", steps)).toEqual(expected);
    }
  });

  it("predicts no compaction at 108,000 tokens", async () => {
    const steps = [
      { input: 105_000, output: 100 },
      { input: 107_700, output: 300 },
      { input: 107_800, output: 100 },
    ];
    expect(await verdictsOf("deepseek-chat", steps)).toMatchObject({ verdicts: [], falseAlarms: 0 });
  });

  it("with a window of 8,192 tokens, predicts a compaction after every run above 4,096 tokens", async () => {
    const runs = Array.from({ length: 12 }, (_, at) => [
      { input: 3_000 + at, output: 50 },
      { input: 4_000 + at, output: 97 },
      "compaction" as const,
    ]).flat();
    const expected = { verdicts: runs.filter((step) => step === "compaction").map(() => "hit"), misses: 0 };
    expect(await verdictsOf("llama3", runs)).toMatchObject({ ...expected, hits: 12, falseAlarms: 0 });
  });

  it("counts compactions after overflow errors separately", async () => {
    const steps = [
      { input: 90_000, output: 100 },
      { error: OVERFLOW },
      "compaction" as const,
      { input: 9_000, output: 100 },
      { error: OVERFLOW },
      "compaction" as const,
      { input: 9_000, output: 100 },
    ];
    const expected = { verdicts: ["overflow", "overflow"], hits: 0, misses: 0, falseAlarms: 0, overflow: 2 };
    expect(await verdictsOf("deepseek-chat", steps)).toEqual(expected);
  });
});
