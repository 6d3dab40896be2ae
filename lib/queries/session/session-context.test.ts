import { expect, test } from "vitest";
import { codexPolicy } from "@/lib/agents/codex/policy/policy";
import { piPolicy } from "@/lib/agents/pi/policy/policy";
import { ORIGIN } from "@/lib/core/columns/columns";
import { countedBySize, sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { type RecordingFacts, recordingOf } from "@/lib/core/context/recording";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { checkFidelity } from "../accuracy/fidelity";
import { recordedBreakdown } from "../contexts/breakdown";
import { replayPrepared, runReplay } from "../replays/replay-result";
import {
  chosenOf,
  ownThreshold,
  type PolicyChoice,
  policyWindow,
  preparePolicy,
  presetOfVersion,
} from "./session-context";

function codexSession(models: readonly string[], recorded: number): RecordingFacts {
  return {
    agent: "codex",
    agentVersion: "0.142.2",
    formatVersion: null,
    endedAt: null,
    models: [...models],
    contextWindow: { tokens: recorded, source: "recorded" },
  };
}

test("Codex's policy uses the full window, and states the recorded effective one", () => {
  expect(policyWindow(codexPolicy, codexSession(["gpt-5.5"], 258_400), undefined)).toEqual({
    tokens: 272_000,
    source: "recorded",
    effective: 258_400,
  });
  expect(policyWindow(codexPolicy, codexSession(["gpt-5.3-codex-spark"], 121_600), undefined).tokens).toBe(128_000);
});

test("the full window is derived from the recorded effective one, whatever models are named", () => {
  const models = ["gpt-5.3-codex-spark", "gpt-5.5"];
  expect(policyWindow(codexPolicy, codexSession(models, 258_400), undefined).tokens).toBe(272_000);
  expect(policyWindow(codexPolicy, codexSession(models, 121_600), undefined).tokens).toBe(128_000);
});

test("a window configured by the user is not replaced by the model's usual one", () => {
  expect(policyWindow(codexPolicy, codexSession(["gpt-5.5"], 190_000), undefined)).toEqual({
    tokens: 200_000,
    source: "recorded",
    effective: 190_000,
  });
});

test("a window set by the user is the full window for Codex's policy, recordings and breakdown", () => {
  const facts = codexSession(["gpt-5.5"], 258_400);
  // 97,000 tokens are more than the effective window of 100,000, and less than the whole one.
  const recording = recordingOf(facts, countedBySize(drawColumns("u97000 a1"), "bytes-4"));
  const recorded = (window: number) => runReplay({ policy: "recorded", window }, recording);
  const { prepared } = recorded(100_000);
  expect(prepared.window).toEqual({ tokens: 95_000, source: "user", whole: 100_000 });
  expect(policyWindow(codexPolicy, facts, 100_000)).toEqual({ tokens: 100_000, source: "user", effective: 95_000 });
  const breakdown = recordedBreakdown({ at: "last", window: 100_000 }, recording);
  expect(breakdown.window).toEqual(prepared.window);
  expect(breakdown.breakdown.rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(95_000);
  const over = [96_000, 100_000].map((window) => recorded(window).replay.totals.requestsOverWindow);
  expect(over).toEqual([1, 0]);
});

test("a policy without a preset uses its first one, even for a recording of a later version", () => {
  const columns = drawColumns("u10 a10");
  const presetOf = (facts: RecordingFacts, policy: string) =>
    preparePolicy({ policy }, recordingOf(facts, countedBySize(columns, "bytes-4"))).preset;
  expect(presetOf(codexSession(["gpt-5.5"], 258_400), "codex")).toBe("as-documented");
  const ofClaude = { ...codexSession([], 200_000), agent: "claude-code", agentVersion: "2.0.5" };
  expect(presetOf(ofClaude, "claude-code")).toBe("reported");
});

test("the fidelity check and the agent's own threshold use the preset of the agent's version", () => {
  const columns = drawColumns("u10 a10");
  const session = codexSession(["gpt-5.5"], 258_400);
  const recording = recordingOf(session, countedBySize(columns, "bytes-4"));
  expect(presetOfVersion(codexPolicy, session)).toBe("current");
  expect(presetOfVersion(codexPolicy, { ...session, agentVersion: null })).toBe("release-2026-01");
  expect(presetOfVersion(codexPolicy, { ...session, agent: "claude-code" })).toBe("as-documented");
  expect(checkFidelity(recording)?.prepared.preset).toBe("current");
  expect(ownThreshold(recording)?.preset).toBe("codex@current");
  expect(ownThreshold(recording, { preset: "as-documented" })?.preset).toBe("codex@as-documented");
});

test("format and last record determine the preset if a file names no version", () => {
  const session = { ...codexSession([], 200_000), agent: "pi", agentVersion: null, formatVersion: 1 };
  expect(presetOfVersion(piPolicy, session)).toBe("v0.51.0");
  expect(presetOfVersion(piPolicy, { ...session, formatVersion: 3 })).toBe("current");
  expect(presetOfVersion(piPolicy, { ...session, formatVersion: 3, endedAt: "2026-04-27T08:10:29.847Z" })).toBe(
    "v0.51.0",
  );
});

test("the preset's own window is used if no other source states one", () => {
  const recording = recordingOf(unknownFacts(200_000), countedBySize(drawColumns("u10 a10"), "bytes-4"));
  const windowOf = (preset: string | undefined) => preparePolicy({ policy: "qwen-code", preset }, recording).window;
  expect(windowOf(undefined)).toEqual({ tokens: 131_072, source: "default" });
  expect(windowOf("current")).toEqual({ tokens: 200_000, source: "default" });
});

test("policies use the expected window instead of a lower bound", () => {
  const columns = drawColumns("u10 a10 @150000 u10 a10 @250000 u10 a10 @260000");
  const bound = { tokens: 260_000, source: "inferred", exceeded: 200_000 } as const;
  for (const agent of ["claude-code", "openclaw", "pi", "codex"]) {
    const session = { ...codexSession(["acme"], 0), agent, agentVersion: null, contextWindow: bound };
    const recording = recordingOf(session, countedBySize(columns, "bytes-4"));
    for (const policy of [agent, "custom"]) {
      const { window } = preparePolicy({ policy }, recording);
      expect(window).toMatchObject({ tokens: 200_000, source: "default", atLeast: 260_000 });
    }
    expect(preparePolicy({ policy: agent, window: 300_000 }, recording).window).toMatchObject({ tokens: 300_000 });
    expect(preparePolicy({ policy: "recorded" }, recording).window).toEqual(bound);
    // The agent's trigger is unknown.
    expect(ownThreshold(recording)).toBeUndefined();
    expect(ownThreshold(recording, { window: 300_000 })?.tokens).toBeLessThan(300_000);
  }
});

test("the user's window takes precedence", () => {
  expect(policyWindow(codexPolicy, codexSession(["gpt-5.5"], 258_400), 128_000)).toEqual({
    tokens: 128_000,
    source: "user",
    effective: 121_600,
  });
});

test("Codex as documented has no limit for an unknown window, but its releases have one", () => {
  const columns = drawColumns("u10 a10 @250000 u10 a10 @260000 u10 a10 @270000");
  const unknown: RecordingFacts = {
    ...codexSession(["acme"], 0),
    contextWindow: { tokens: 272_000, source: "default" },
  };
  const recording = recordingOf(unknown, countedBySize(columns, "bytes-4"));
  const limitOf = (preset: string, choice: Partial<PolicyChoice> = {}) => {
    const prepared = preparePolicy({ policy: "codex", preset, ...choice }, recording);
    return [
      prepared.policy.threshold?.(chosenOf(prepared)),
      replayPrepared(prepared, "calibrated", recording).compactions.length,
    ];
  };
  expect(limitOf("as-documented")).toEqual([undefined, 0]);
  expect(limitOf("release-2026-01")).toEqual([244_800, 2]);
  expect(limitOf("as-documented", { window: 272_000 })).toEqual([244_800, 2]);
  expect(limitOf("as-documented", { settings: { autoCompactLimit: 249_000 } })).toEqual([249_000, 2]);
});

test("a recorded summary with masked text is not evidence of summary sizes", () => {
  const prepared = (drawing: string, masked: number) => {
    const columns = drawColumns(drawing);
    // A rule that measures a summary's JSON counts the text around the mask.
    const tokens = sizeTokenColumn(columns, "bytes-4").map((size, row) =>
      size === 0 && columns.origin[row] === ORIGIN.summary ? masked : size,
    );
    const recording = recordingOf(codexSession(["gpt-5.5"], 258_400), { columns, tokens });
    return preparePolicy({ policy: "custom" }, recording).settings.summaryTokens;
  };
  expect(prepared("u100 a300 B s0 u10 a10", 13)).toBe(1500);
  expect(prepared("u100 a300 B s0 u10 a10 B s60 u5 a5", 13)).toBe(60);
});

test("only policies with price-dependent defaults need prices", () => {
  const recording = recordingOf(unknownFacts(200_000), countedBySize(drawColumns("u10 a10"), "bytes-4"));
  let asked = 0;
  const prices = {
    get ratios() {
      asked += 1;
      return { write: 12.5, input: 10, output: 50 };
    },
  };
  for (const policy of ["codex", "claude-code", "custom", "none", "recorded"])
    preparePolicy({ policy }, recording, prices);
  expect(asked).toBe(0);
  preparePolicy({ policy: "rent-to-buy" }, recording, prices);
  expect(asked).toBeGreaterThan(0);
});
