import { expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { shownWindow } from "./replay-choice";

const codex = policyById("codex") ?? customPolicy;
const recording = {
  agent: "codex",
  contextWindow: { tokens: 258_400, source: "recorded", whole: 272_000 },
} as const;

it("draws the effective window for Codex over a recording of Codex, and the whole one otherwise", () => {
  const window = { tokens: 128_000, source: "user", effective: 121_600 } as const;
  expect(shownWindow({ policy: codex, window }, recording)).toBe(121_600);
  expect(shownWindow({ policy: customPolicy, window: { tokens: 128_000, source: "user" } }, recording)).toBe(128_000);
  expect(shownWindow({ policy: codex, window }, { ...recording, agent: "claude-code" })).toBe(128_000);
});
