import { describe, expect, it } from "vitest";
import type { Policy, ThresholdRule } from "./policy/policy";
import type { SimulatedCompaction } from "./simulation/simulated-compaction";
import { thresholdRuleAt, thresholdRuleOf } from "./threshold-rule";

const chosen = { preset: "current", settings: {}, window: 1000 };

function policyWith(rule: ThresholdRule | undefined): Policy {
  const base = { id: "test", label: "Test", presets: ["current"], settings: () => [] };
  return { ...base, threshold: () => 500, thresholdRule: () => rule, begin: () => ({ before: () => undefined }) };
}

function compaction(request: number, tokensBefore: number, trigger: "threshold" | "overflow" = "threshold") {
  const sizes = { tokensBefore, tokensAfter: 100, summaryTokens: 50, summaryCallTokens: 60, uncached: 0 };
  const items = { keptItems: 1, kept: [0], droppedItems: 1, truncated: [], cleared: [], added: [] };
  const kind = { outcome: "summary", trigger, thrash: false, shrunk: true } as const;
  return { request, ...sizes, ...items, ...kind } satisfies SimulatedCompaction;
}

const run = (context: readonly number[], ...compactions: SimulatedCompaction[]) => ({
  context: Int32Array.from(context),
  compactions,
});

describe("the threshold rule that explains a whole replay", () => {
  it("explains a context that stays above the threshold", () => {
    const late = run([300, 600, 700, 100], compaction(3, 720));
    expect(thresholdRuleOf(policyWith("beforePrompts"), chosen, late)).toBe("beforePrompts");
    expect(thresholdRuleOf(policyWith("hiddenReasoning"), chosen, late)).toBeUndefined();
    expect(thresholdRuleOf(policyWith(undefined), chosen, late)).toBeUndefined();
  });

  it("explains a compaction below the threshold, unless the window caused it", () => {
    const early = run([300, 400, 100], compaction(2, 420));
    expect(thresholdRuleOf(policyWith("hiddenReasoning"), chosen, early)).toBe("hiddenReasoning");
    expect(thresholdRuleOf(policyWith("betweenTurns"), chosen, early)).toBeUndefined();
    const refused = run([300, 400, 100], compaction(2, 420, "overflow"));
    expect(thresholdRuleOf(policyWith("hiddenReasoning"), chosen, refused)).toBeUndefined();
  });

  it("is absent if the request after the threshold is compacted", () => {
    const prompt = run([300, 600, 100], compaction(2, 620));
    expect(thresholdRuleOf(policyWith("beforePrompts"), chosen, prompt)).toBeUndefined();
  });
});

describe("the threshold rule that explains one compaction", () => {
  it("is stated only for late and early compactions", () => {
    const [late, prompt] = [compaction(3, 720), compaction(5, 520)];
    const replay = run([300, 600, 700, 100, 510, 100], late, prompt);
    expect(thresholdRuleAt(late, policyWith("beforePrompts"), chosen, replay)).toBe("beforePrompts");
    expect(thresholdRuleAt(prompt, policyWith("beforePrompts"), chosen, replay)).toBeUndefined();
    const early = compaction(2, 420);
    expect(thresholdRuleAt(early, policyWith("turnSum"), chosen, run([300, 400, 100], early))).toBe("turnSum");
  });
});
