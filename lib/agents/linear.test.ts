import { expect, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { withCountedReads } from "@/lib/core/testing/counted-reads";
import { drawColumns } from "@/lib/core/testing/draw";
import { POLICIES } from "./registry";

const WINDOW = 200_000;

/** A user message, and three calls that each read another file with a large result: some ten of these fill the window. */
const TURN = "u50 c30 r5000 c30 r4000 a40 c30 r7000 a60";

/** Number of column values that a replay of `turns` turns reads, including reads by the engine. */
function readsOf(policy: Policy, preset: string, given: Readonly<Record<string, unknown>>, turns: number): number {
  const { recording, reads } = withCountedReads(countedBySize(drawColumns(`${TURN} `.repeat(turns)), "bytes-4"));
  const settings = resolveSettings(policy.settings(preset, { window: WINDOW, agent: null }), given);
  const { compactions } = replay(recording, policy, settings, { preset, window: WINDOW, counting: "estimate" });
  expect(compactions.length).toBeGreaterThan(turns / 60);
  return reads();
}

/** Settings that make policies look back although they do not by default. */
const LOOKING_BACK: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  custom: { clearToolResultsAfter: 20 },
  opencode: { prune: true },
};

const CASES = POLICIES.filter(({ summarises }) => summarises !== false).flatMap((policy) =>
  policy.presets.flatMap((preset) =>
    [{}, LOOKING_BACK[policy.id] ?? []].flat().map((given) => ({
      name: [`${policy.id}@${preset}`, ...Object.keys(given)].join(" "),
      policy,
      preset,
      given,
    })),
  ),
);

test.each(CASES)("$name reads as much for a late turn as for an early one", (one) => {
  const reads = (turns: number) => readsOf(one.policy, one.preset, one.given, turns);
  const early = reads(150) - reads(50);
  const late = reads(500) - reads(400);
  // The number of compactions varies a little; a policy that looks at the whole history would read more than twice as much.
  expect(late / early).toBeLessThan(1.5);
});
