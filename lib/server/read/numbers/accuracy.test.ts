import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionSummary } from "@/lib/queries/contract/schemas";
import { counters } from "../../base/counters";
import { OpenedSession } from "../../sessions/opened-session";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";
import { accuracyChoice, accuracyEstimators } from "./accuracy";
import { ESTIMATOR_IDS } from "./estimators";
import { UnknownEstimatorError } from "./unknown-estimator-error";

const folder = temporaryFolder();

/** A session of twenty requests. Each adds a response and a question of 400 units each, which are 200 tokens by the estimate and recorded as 300. */
function session(): string {
  const text = "word".repeat(100);
  const lines = Array.from({ length: 20 }, (_, turn) => {
    const response = JSON.parse(assistantLine(text, `a${turn}`, `u${turn}`));
    response.message.usage = { input_tokens: 1000 + 300 * turn, output_tokens: 100 };
    return [userLine(text, `u${turn}`, turn === 0 ? null : `a${turn - 1}`), JSON.stringify(response)];
  });
  return lines.flat().join("\n");
}

describe("selected estimators", () => {
  const of = (agent: string | null, agentVersion: string | null = null) => ({
    agent,
    agentVersion,
    formatVersion: null,
    endedAt: null,
  });

  it("always include bytes-4 and chars-4, and each estimator once", () => {
    expect(accuracyEstimators("sizes", of("pi"))).toEqual(["bytes-4", "chars-4"]);
    expect(accuracyEstimators("own", of("pi"))).toEqual(["bytes-4", "chars-4", "pi"]);
    expect(accuracyEstimators("own", of(null))).toEqual(["bytes-4", "chars-4"]);
    expect(accuracyEstimators(accuracyChoice("o200k,bytes-4"), of("pi"))).toEqual(["bytes-4", "chars-4", "o200k"]);
    expect([...accuracyEstimators("all", of("pi"))].sort()).toEqual([...ESTIMATOR_IDS].sort());
  });

  it("include the agent's own, in the preset of the version that wrote the recording", () => {
    expect(accuracyEstimators("own", of("codex", "0.142.5"))).toEqual(["bytes-4", "chars-4", "codex@current"]);
    expect(accuracyEstimators("own", of("codex", "0.58.0"))).toEqual(["bytes-4", "chars-4", "codex@release-2026-01"]);
  });

  it("are rejected if unknown", () => {
    expect(() => accuracyChoice("o200k,nope")).toThrow(UnknownEstimatorError);
  });
});

describe("accuracy of a session", () => {
  const path = put(folder, "growing.jsonl", session());

  it("compares every estimator with the recorded usage", async () => {
    const { summary } = await new LocalRunner().ingest({ path, accuracy: "all" });
    expect(sessionSummary.parse(summary).accuracy).toHaveLength(ESTIMATOR_IDS.length);
    const rows = new Map(summary.accuracy?.map((row) => [row.estimator, row]));
    expect(rows.get("bytes-4")).toMatchObject({ pairs: 19, bias: 200 / 300 - 1, tokenizer: "rule" });
    expect(rows.get("bytes-4")?.mape).toBeCloseTo(1 / 3, 12);
    expect(rows.get("bytes-4")?.calibration?.factor).toBe(1.5);
    expect(rows.get("o200k")?.tokenizer).toBe("other-model");
    expect(rows.get("mini-claude-code")?.bias).toBeGreaterThan(0);
  });

  it("reads no text if sizes suffice, and reads it once for the agent's own rule", async () => {
    const passes = async (accuracy?: "sizes" | "own") => {
      const before = counters.filesCounted;
      const { summary } = await new LocalRunner().ingest({ path, ...(accuracy && { accuracy }) });
      return [counters.filesCounted - before, summary.accuracy?.map((row) => row.estimator)];
    };
    expect(await passes()).toEqual([0, undefined]);
    expect(await passes("sizes")).toEqual([0, ["bytes-4", "chars-4"]]);
    expect(await passes("own")).toEqual([1, ["bytes-4", "chars-4", "claude-code"]]);
  });

  it("is computed once for an opened session, from token columns that are counted once", async () => {
    const runner = new LocalRunner();
    const opened = new OpenedSession(path, await runner.ingest({ path }), runner);
    await opened.tokens("claude-code");
    const before = { ...counters };
    const [first, again] = await Promise.all([opened.accuracy("own"), opened.accuracy("own")]);
    expect(again).toBe(first);
    expect(first).toHaveLength(3);
    expect(counters).toEqual(before);
  });

  it("is null, without reading texts, if no usage is recorded", async () => {
    const without = put(folder, "without.jsonl", session().replaceAll("input_tokens", "no_tokens"));
    const before = counters.filesCounted;
    expect((await new LocalRunner().ingest({ path: without, accuracy: "all" })).summary.accuracy).toBeNull();
    expect(counters.filesCounted).toBe(before);
  });

  it("follows the contract for every fixture and every estimator", async () => {
    for (const file of fixtureFiles()) {
      const { summary } = await new LocalRunner().ingest({ path: file, name: join("x", "y"), accuracy: "all" });
      sessionSummary.parse(summary);
      for (const row of summary.accuracy ?? []) expect(Number.isFinite(row.bias) && row.mape >= 0).toBe(true);
    }
  });
});
