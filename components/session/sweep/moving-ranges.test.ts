import { describe, expect, it } from "vitest";
import { sweepPoints } from "@/lib/core/analysis/grid";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import { policyChoice, withSettings } from "../shared/state/replay-choice";
import { sweepAxes } from "./axes";
import { movingRanges } from "./sweep-data";

/** Forty turns of 400 tokens by bytes: the recording stays far below any documented trigger. */
const recording = recordingOf(
  unknownFacts(200_000, "recorded"),
  countedBySize(drawColumns(Array.from({ length: 40 }, () => "u800 a800").join(" ")), "bytes-4"),
);

function found(policy: string) {
  const asked = { policy, preset: null, counting: null, window: null };
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
    "change the result of a small session under %s, which the general ranges do not",
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

  it("take few replays, and none if a policy has nothing to vary", () => {
    expect(found("custom").replays()).toBeLessThan(30);
    const { ranges, replays } = found("recorded");
    expect([ranges, replays()]).toEqual([[], 0]);
  });
});
