import fc from "fast-check";
import { inputSettings } from "@/lib/core/compaction/policy/input-settings";
import { pauseSettings } from "@/lib/core/compaction/policy/pause-settings";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import type { CountingMode } from "@/lib/core/compaction/replay";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { GENERATED_WINDOWS, type GeneratedRun } from "@/lib/policy-check/policy-invariants";
import { arbitraryValue } from "./varied-settings";

export const arbitraryCounting = fc.constantFrom<CountingMode>("estimate", "calibrated", "anchored");

/** Generated sessions in which a user may take turns back. */
const withTurnsTakenBack = fc
  .tuple(arbitraryDrawing, fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 6 })), { maxLength: 2 }))
  .map(([drawing, taken]) =>
    taken.reduce((elements, [at, count]) => elements.toSpliced(at, 0, `<${count}`), drawing.split(" ")).join(" "),
  );

/** Any session, with any values for the policy's settings and for the settings on inputs. */
export function arbitraryRun(policy: Policy, preset: string): fc.Arbitrary<GeneratedRun> {
  const drawings = fc.oneof(arbitraryDrawing, withTurnsTakenBack);
  return fc
    .tuple(drawings, fc.constantFrom(...GENERATED_WINDOWS), arbitraryCounting)
    .chain(([drawing, window, counting]) => {
      const own = [...policy.settings(preset, { window, agent: null }), ...pauseSettings(policy, preset, { window })];
      const specs = [...own, ...inputSettings(drawColumns(drawing))];
      const values = Object.fromEntries(specs.map((spec) => [spec.key, arbitraryValue(spec)]));
      return fc
        .record(values, { requiredKeys: [] })
        .map((given) => ({ drawing, preset, window, counting, settings: resolveSettings(specs, given) }));
    });
}

export { type GeneratedRun, replayed } from "@/lib/policy-check/policy-invariants";
