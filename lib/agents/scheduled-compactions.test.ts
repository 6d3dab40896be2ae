import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allSteps } from "@/lib/core/base/steps";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { type Uncompacted, uncompacted } from "@/lib/core/compaction/policies/left-behind";
import { canBeScheduled, scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, type Settings } from "@/lib/core/compaction/policy/settings";
import { type Replay, replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { runs } from "@/lib/core/testing/runs";
import { arbitraryRun, type GeneratedRun } from "@/verify/support/arbitrary-run";
import { arbitraryValue } from "@/verify/support/varied-settings";
import { POLICIES } from "./registry";

/** Policies accept compactions at given requests instead of their own decisions: the hindsight optimum depends on that. */

const ALL = POLICIES.flatMap((policy) =>
  policy.presets.map((preset) => ({ name: `${policy.id}@${preset}`, policy, preset })),
);

const CASES = ALL.filter(({ policy, preset }) => {
  const settings = resolveSettings(policy.settings(preset, { window: 1000, agent: null }), {});
  return canBeScheduled(policy, { preset, settings, window: 1000 });
});

it("every policy that makes summaries and clears no older results can be scheduled", () => {
  const names = new Set(CASES.map(({ name }) => name));
  expect(ALL.flatMap(({ name }) => (names.has(name) ? [] : [name]))).toEqual([
    ...[
      "cline@v3.89.2",
      "dsh@current",
      "gemini-cli@current",
      "openclaw@current",
      "qwen-code@current",
      "none@default",
      "recorded@default",
    ],
  ]);
});

describe.each(CASES)("$name", ({ policy, preset }) => {
  const arbitrary = arbitraryRun(policy, preset).filter((given) => canBeScheduled(policy, given));

  it("reaches the context size computed from an uncompacted history", () => {
    let happened = 0;
    const property = fc.property(arbitrary, fc.nat(), ({ drawing, counting, settings, ...given }, place) => {
      const recording = countedBySize(drawColumns(drawing), "bytes-4");
      // OpenHands cuts by the sizes that it sees, which are recorded ones while it follows a recording.
      const isCutByRecorded = policy.id === "openhands" && counting === "anchored";
      const options = { ...given, counting: isCutByRecorded ? "calibrated" : counting };
      const { replay: never, left } = allSteps(uncompacted(recording, policy, settings, options));
      expect(never.compactions).toEqual([]);
      // Usually possible if there is something to summarise, which is rare in short recordings.
      const possible = [...left.tokens.keys()].filter((one) => (left.tokens[one] ?? -1) >= 0);
      const at = (place % 4 === 0 ? undefined : possible[place % possible.length]) ?? place % never.context.length;
      const once = replay(recording, scheduledPolicy(policy, new Set([at])), settings, options);
      const made = once.compactions.filter(({ outcome }) => outcome === "summary" || outcome === "fallback");
      happened += made.length;
      expect(made.length).toBe((left.tokens[at] ?? -1) < 0 ? 0 : 1);
      for (const { tokensAfter, summaryTokens, summaryCallTokens } of made) {
        expect([tokensAfter, summaryTokens]).toEqual([left.tokens[at], left.summaryTokens[at]]);
        // A replay that follows the recording has contexts of the recorded size.
        if (counting === "anchored") continue;
        expect(summaryCallTokens).toBe(left.callTokens[at]);
        // A rollback shortens the shared prefix too.
        if (at > 0 && never.shared?.[at] === never.context[at - 1]) {
          const [before, sent] = [once.context[at - 1] ?? 0, once.context[at] ?? 0];
          expect(once.shared?.[at]).toBe(Math.min(left.shared[at] ?? 0, before, sent));
        }
      }
    });
    fc.assert(property, { numRuns: runs(120) });
    expect(happened).toBeGreaterThan(0);
  });

  it("replays the same with or without pause actions if no request follows a pause", () => {
    const property = fc.property(arbitrary, ({ settings, ...given }) => {
      const replayed = (own: Settings) => {
        const {
          keptAlive: _none,
          calibration: _same,
          ...run
        } = replayOf(policy, { ...given, settings: { ...settings, ...own } });
        return { ...run, byCategory: run.byCategory, shared: run.shared, compactions: [...run.compactions] };
      };
      const acting = { idleMinutes: 1, idleTokens: 0, keepAliveMinutes: 60 };
      expect(replayed(acting)).toEqual(replayed({ idleMinutes: 0, keepAliveMinutes: 0 }));
    });
    fc.assert(property, { numRuns: runs(10) });
  });

  it("reaches the same context under any settings that decide when it compacts", () => {
    const specs = policy
      .settings(preset, { window: 1000, agent: null })
      .filter(({ decidesWhen }) => decidesWhen === true);
    const others = fc.record(Object.fromEntries(specs.map((spec) => [spec.key, arbitraryValue(spec)])));
    const property = fc.property(arbitrary, others, (given, other) => {
      expect(leftBy(policy, { ...given, settings: { ...given.settings, ...other } })).toEqual(leftBy(policy, given));
    });
    fc.assert(property, { numRuns: runs(20) });
  });
});

function replayOf(policy: Policy, { drawing, counting, settings, ...given }: GeneratedRun): Replay {
  return replay(countedBySize(drawColumns(drawing), "bytes-4"), policy, settings, { ...given, counting });
}

function leftBy(policy: Policy, { drawing, counting, settings, ...given }: GeneratedRun): Uncompacted["left"] {
  const recording = countedBySize(drawColumns(drawing), "bytes-4");
  return allSteps(uncompacted(recording, policy, settings, { ...given, counting })).left;
}
