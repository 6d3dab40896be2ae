import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { assertDefined } from "@/lib/core/base/assert";
import type { Replay } from "@/lib/core/compaction/replay";
import { runs } from "@/lib/core/testing/runs";
import { arbitraryRun, replayed } from "@/verify/support/arbitrary-run";
import { ownOf, restated } from "./testing/policies";

/** All results of a replay. */
function numbersOf(run: Replay): unknown {
  return { ...run, shared: run.shared };
}

describe.each([
  ["custom", "@/lib/core/compaction/policies/custom", "customPolicy"],
  ["rent-to-buy", "@/lib/core/compaction/policies/rent-to-buy", "rentToBuyPolicy"],
  ["codex", "@/lib/agents/codex/policy/policy", "codexPolicy"],
  ["claude-code", "@/lib/agents/claude-code/policy/policy", "claudeCodePolicy"],
  ["gemini-cli", "@/lib/agents/gemini-cli/policy/policy", "geminiPolicy"],
  ["pi", "@/lib/agents/pi/policy/policy", "piPolicy"],
])("%s, restated as a user's policy", (id, module, exported) => {
  const ours = assertDefined(policyById(id), id);

  it("gives the same results", async () => {
    const own = await ownOf(restated(module, exported));
    expect(own.presets).toEqual(ours.presets);
    let happened = 0;
    for (const preset of ours.presets) {
      const property = fc.property(arbitraryRun(ours, preset), (given) => {
        const { run } = replayed(given, ours);
        happened += run.compactions.length;
        expect(numbersOf(replayed(given, own).run)).toEqual(numbersOf(run));
        expect(own.threshold?.(given)).toEqual(ours.threshold?.(given));
        expect(own.looksBack?.(given)).toEqual(ours.looksBack?.(given));
      });
      fc.assert(property, { numRuns: runs(30), seed: 3 });
    }
    expect(happened).toBeGreaterThan(5);
    own.dispose();
  });
});
