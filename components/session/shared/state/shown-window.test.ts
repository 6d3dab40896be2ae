import { expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { drawnWindow, shownWindow } from "./replay-choice";

const codex = policyById("codex") ?? customPolicy;
const recording = {
  agent: "codex",
  contextWindow: { tokens: 258_400, source: "recorded", whole: 272_000 },
} as const;

it("the effective window is shown for Codex over its own recording, and the full one otherwise", () => {
  const window = { tokens: 128_000, source: "user", effective: 121_600 } as const;
  expect(shownWindow({ policy: codex, window }, recording)).toBe(121_600);
  expect(shownWindow({ policy: customPolicy, window: { tokens: 128_000, source: "user" } }, recording)).toBe(128_000);
  expect(shownWindow({ policy: codex, window }, { ...recording, agent: "claude-code" })).toBe(128_000);
});

it("a window selected by the user replaces the recorded one", () => {
  const chosen = { policy: customPolicy, window: { tokens: 100_000, source: "user" } } as const;
  expect(drawnWindow(chosen, recording)).toEqual({ tokens: 100_000, source: "user", isEffective: false });
  const codexChosen = { policy: codex, window: { tokens: 128_000, source: "user", effective: 121_600 } } as const;
  expect(drawnWindow(codexChosen, recording)).toEqual({ tokens: 121_600, source: "user", isEffective: true });
  const byDefault = { policy: codex, window: { tokens: 272_000, source: "recorded", effective: 258_400 } } as const;
  expect(drawnWindow(byDefault, recording)).toEqual({ tokens: 258_400, source: "recorded", isEffective: true });
});
