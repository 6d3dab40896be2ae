import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import {
  isInEffect,
  resolveSettings,
  type SettingSpec,
  type SettingValue,
} from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { runs } from "@/lib/core/testing/runs";
import { POLICIES } from "./registry";

const WINDOWS = [1000, 5000, 40_000] as const;

/** Any value of a setting from its smallest up to a few steps above it, or its largest value. */
function anyValue(spec: SettingSpec): fc.Arbitrary<SettingValue> {
  if (spec.type === "boolean") return fc.boolean();
  if (spec.type === "choice") return fc.constantFrom(...spec.choices);
  const { min, max, step } = spec;
  return fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((steps) => Math.min(max, min + steps * step)),
    fc.constant(max),
  );
}

const CASES = POLICIES.flatMap((policy) =>
  policy.presets.map((preset) => ({ name: `${policy.id}@${preset}`, policy, preset })),
).filter(({ policy, preset }) =>
  policy.settings(preset, { window: 1000, agent: null }).some(({ needs }) => needs !== undefined),
);

describe.each(CASES)("$name", ({ policy, preset }) => {
  it("does not depend on settings without effect", () => {
    const drawn = fc.tuple(arbitraryDrawing, fc.constantFrom(...WINDOWS)).chain(([drawing, window]) => {
      const specs = policy.settings(preset, { window, agent: null });
      const values = fc.record(Object.fromEntries(specs.map((spec) => [spec.key, anyValue(spec)])));
      return fc.record({
        columns: fc.constant(drawColumns(drawing)),
        window: fc.constant(window),
        one: values,
        other: values,
      });
    });
    let compared = 0;
    fc.assert(
      fc.property(drawn, ({ columns, window, one, other }) => {
        const specs = policy.settings(preset, { window, agent: null });
        const settings = resolveSettings(specs, one);
        const idle = specs.filter((spec) => !isInEffect(spec, settings)).map(({ key }) => [key, other[key]]);
        if (idle.length === 0) return;
        const tokens = sizeTokenColumn(columns, "bytes-4");
        const run = (given: Readonly<Record<string, SettingValue>>) =>
          replay({ columns, tokens }, policy, given, { preset, window, counting: "estimate" });
        const [as, changed] = [run(settings), run({ ...settings, ...Object.fromEntries(idle) })];
        expect(changed.context).toEqual(as.context);
        expect(changed.totals).toEqual(as.totals);
        compared += as.compactions.length;
      }),
      { numRuns: runs(200) },
    );
    expect(compared).toBeGreaterThan(5);
  });
});
