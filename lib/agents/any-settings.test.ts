import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { inputSettings } from "@/lib/core/compaction/input-settings";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { resolveSettings } from "@/lib/core/compaction/settings";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { POLICIES } from "./policies";
import { arbitraryValue } from "./testing/drawn-settings";

/** From one in which nearly everything compacts to one in which nothing does. */
const WINDOWS = [300, 1000, 5000, 40_000, 1_000_000] as const;

const CASES = POLICIES.flatMap((policy) =>
  policy.presets.map((preset) => ({ name: `${policy.id}@${preset}`, policy, preset })),
);

describe.each(CASES)("$name, under any settings", ({ policy, preset }) => {
  it("breaks no rule of the engine, and its figures hold together", () => {
    const drawn = fc
      .tuple(
        arbitraryDrawing,
        fc.constantFrom(...WINDOWS),
        fc.constantFrom<CountingMode>("estimate", "calibrated", "anchored"),
      )
      .chain(([drawing, window, counting]) => {
        const columns = drawColumns(drawing);
        const specs = [...policy.settings(preset, { window, agent: null }), ...inputSettings(columns)];
        const values = Object.fromEntries(specs.map((spec) => [spec.key, arbitraryValue(spec)]));
        return fc
          .record(values, { requiredKeys: [] })
          .map((given) => ({ columns, window, counting, settings: resolveSettings(specs, given) }));
      });
    let happened = 0;
    fc.assert(
      fc.property(drawn, ({ columns, window, counting, settings }) => {
        const tokens = sizeTokenColumn(columns, "bytes-4");
        // What a retention must keep to is asserted by the engine itself.
        const run = replay(columns, tokens, policy, settings, { window, counting });
        happened += run.compactions.length;
        for (const [point, context] of run.context.entries()) {
          const parts = run.byCategory.reduce((sum, column) => sum + (column[point] ?? 0), 0);
          expect(parts + (run.unattributed[point] ?? 0)).toBe(context);
          expect(context).toBeGreaterThanOrEqual(0);
        }
        const clears = run.compactions.some(({ outcome, cleared }) => outcome === "clear" || cleared.length > 0);
        const shortens = run.compactions.some(({ outcome, truncated }) => outcome === "trim" && truncated.length > 0);
        if (clears || shortens) expect(policy.looksBack?.(settings)).toBe(true);
        expect(run.totals.tokensSent).toBe(run.context.reduce((sum, context) => sum + context, 0));
        const { compactions, context, totals } = replay(columns, tokens, policy, settings, { window, counting });
        expect([compactions.length, context, totals]).toEqual([run.compactions.length, run.context, run.totals]);
      }),
      { numRuns: 400 },
    );
    if (policy.id !== "none" && policy.id !== "recorded") expect(happened).toBeGreaterThan(20);
  });
});
