import { describe, expect, it } from "vitest";
import { triggerHandle } from "@/components/settings/trigger-setting";
import { POLICIES } from "@/lib/agents/registry";
import { rangeValues, sweepPoints } from "@/lib/core/analysis/grid";
import { assertDefined } from "@/lib/core/base/assert";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import { chosenOf } from "@/lib/queries/session/session-context";
import { policyChoice, withSettings } from "../shared/state/replay-choice";
import { sweepAxes, valueInForce } from "./axes";
import { firstAxes, movingRanges } from "./sweep-data";

/** Forty turns of 400 tokens by bytes: the recording stays far below any documented trigger. */
const recording = recordingOf(
  unknownFacts(200_000, "recorded"),
  countedBySize(drawColumns(Array.from({ length: 40 }, () => "u800 a800").join(" ")), "bytes-4"),
);

function found(policy: string, window: number | null = null) {
  const asked = { policy, preset: null, counting: null, window };
  const choice = withSettings(policyChoice(asked, "custom", recording), {});
  let replays = 0;
  const totalsAt = (set: Readonly<Record<string, number>>) => {
    replays += 1;
    const own = { ...choice, settings: { ...choice.settings, ...set } };
    return replayPrepared(own, choice.counting, recording).totals;
  };
  const outcomes = (ranges: Parameters<typeof sweepPoints>[0]) =>
    new Set(sweepPoints(ranges).map((set) => JSON.stringify(totalsAt(set))));
  return { choice, outcomes, ranges: movingRanges(choice, totalsAt), replays: () => replays };
}

describe("default ranges of a sweep", () => {
  it.each(["custom", "codex", "pi"])(
    "change the result of a small session under %s, although the general ranges do not",
    (policy) => {
      const { choice, outcomes, ranges } = found(policy);
      const usual = sweepAxes(choice, []).map(({ range }) => range);
      expect(outcomes(usual).size).toBe(1);
      expect(outcomes(ranges).size).toBeGreaterThan(1);
      for (const range of ranges)
        expect(outcomes(ranges).size).toBeGreaterThan(outcomes([{ ...range, to: range.from }]).size);
      expect(ranges[0]?.key).toBe(usual[0]?.key);
    },
  );

  it.each(["claude-code", "codex", "custom", "pi"])(
    "of %s cover thresholds from small contexts to large ones",
    (policy) => {
      const { choice } = found(policy);
      // A recording in which every value of the usual range changes something.
      const totals = { requests: 9, tokensSent: 9, summaryCallTokens: 0, tokensRewritten: 0, requestsOverWindow: 0 };
      const [range] = movingRanges(choice, (set) => ({ ...totals, peak: 170_000, final: Object.values(set)[0] ?? 0 }));
      const handle = assertDefined(triggerHandle(choice.policy, choice.specs, chosenOf(choice)), "a trigger");
      expect(range?.key).toBe(handle.spec.key);
      const { from, to } = assertDefined(range, "a range");
      expect(Math.abs(handle.thresholdAt(to) - handle.thresholdAt(from))).toBeGreaterThan(50_000);
    },
  );

  it("need few replays, and none if a policy has nothing to vary", () => {
    expect(found("custom").replays()).toBeLessThan(30);
    const { ranges, replays } = found("recorded");
    expect([ranges, replays()]).toEqual([[], 0]);
  });
});

describe("the default grid", () => {
  const cases = POLICIES.flatMap(({ id }) => [50_000, 200_000, 400_000, 1_000_000].map((window) => ({ id, window })));

  it.each(cases)(
    "of $id in a window of $window contains the current setting and the recommended one",
    ({ id, window }) => {
      const { choice, ranges } = found(id, window);
      for (const share of [undefined, 0.1, 0.5, 0.95]) {
        for (const { spec } of firstAxes(choice, ranges, undefined)) {
          const value = spec.min + Math.round(((share ?? 0) * (spec.max - spec.min)) / spec.step) * spec.step;
          const now = share === undefined ? choice : withSettings(choice, { [spec.key]: value });
          const best = { key: spec.key, value: spec.max - Math.round((value - spec.min) / spec.step) * spec.step };
          const axis = firstAxes(now, ranges, best).find((one) => one.spec.key === spec.key);
          if (axis === undefined) throw new Error("the axes follow from the policy");
          const values = rangeValues(axis.range);
          expect(values.length).toBeLessThanOrEqual(20);
          expect(values, `${spec.key} by default`).toContain(valueInForce(choice, spec));
          for (const wanted of [valueInForce(now, spec), best.value]) {
            const nearest = Math.min(...values.map((one) => Math.abs(one - wanted)));
            expect(nearest, `${spec.key} ${wanted}`).toBeLessThanOrEqual(axis.range.step);
          }
        }
      }
    },
  );
});
