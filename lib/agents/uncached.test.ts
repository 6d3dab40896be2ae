import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings, type Settings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { uncachedAt, watched } from "@/lib/core/testing/sent-contexts";
import { POLICIES } from "./registry";

/** Windows in which a drawn session is compacted often, or only now and then; in the smallest one some policies fire before every request. */
const WINDOWS = [300, 3000, 12_000];
/** Settings that make a policy change its context between compactions too. */
const BETWEEN: Readonly<Record<string, Settings>> = {
  openclaw: { pruning: "cache-ttl", pruningTtlMinutes: 1 },
  opencode: { prune: true, pruneProtect: 0, pruneMinimum: 0 },
  custom: { clearToolResultsAfter: 2 },
};
const CASES = POLICIES.flatMap((policy) =>
  policy.presets.map((preset) => ({ name: `${policy.id}@${preset}`, policy, preset })),
);

describe.each(CASES)("the uncached tokens of $name", ({ policy, preset }) => {
  it.each(WINDOWS)("equal those from comparing consecutive contexts in a window of %d", (window) => {
    const specs = policy.settings(preset, { window, agent: null });
    const keys = new Set(specs.map(({ key }) => key));
    const between = Object.entries(BETWEEN[policy.id] ?? {}).filter(([key]) => keys.has(key));
    const settings = resolveSettings(specs, Object.fromEntries(between));
    fc.assert(
      fc.property(arbitraryDrawing, (drawing) => {
        const columns = drawColumns(drawing);
        const { policy: seen, sent } = watched(policy);
        const options = { preset, window, counting: "estimate" } as const;
        const { uncached, entered } = replay(countedBySize(columns, "bytes-4"), seen, settings, options);
        const isNew = (item: number, request: number) => entered[item] === request;
        expect(Array.from(uncached)).toEqual(uncachedAt(sent, isNew));
      }),
      { numRuns: 40 },
    );
  });

  it("are at most the recorded context while a replay follows the recording", () => {
    const columns = drawColumns("u10 c5 @5 r70 c5 @5 r70 c5 @5 r70 a5 @5 -1 u5 a5 @5 -2 u5 a5 @5");
    const settings = resolveSettings(policy.settings(preset, { window: 12_000, agent: policy.id }), {});
    const options = { preset, window: 12_000, counting: "anchored" } as const;
    const { uncached, context } = replay(countedBySize(columns, "bytes-4"), policy, settings, options);
    for (const [request, tokens] of uncached.entries()) expect(tokens).toBeLessThanOrEqual(context[request] ?? 0);
  });
});
