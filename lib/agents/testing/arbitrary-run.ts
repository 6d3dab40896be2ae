import fc from "fast-check";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { Policy, PolicyChosen } from "@/lib/core/compaction/policy";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { inputSettings } from "@/lib/core/compaction/settings/input-settings";
import { resolveSettings } from "@/lib/core/compaction/settings/settings";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { arbitraryValue } from "./drawn-settings";

/** A drawn session, and everything that it is replayed with. */
export interface DrawnRun extends PolicyChosen {
  readonly drawing: string;
  readonly counting: CountingMode;
}

/** From a window in which nearly everything compacts to one in which nothing does. */
const WINDOWS = [300, 1000, 5000, 40_000, 1_000_000] as const;

export const arbitraryCounting = fc.constantFrom<CountingMode>("estimate", "calibrated", "anchored");

/** Drawn sessions in which a person may take turns back. */
const withTurnsTakenBack = fc
  .tuple(arbitraryDrawing, fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 6 })), { maxLength: 2 }))
  .map(([drawing, taken]) =>
    taken.reduce((elements, [at, count]) => elements.toSpliced(at, 0, `<${count}`), drawing.split(" ")).join(" "),
  );

/** Any session, with any values for the policy's settings and for the settings on inputs. */
export function arbitraryRun(policy: Policy, preset: string): fc.Arbitrary<DrawnRun> {
  const drawings = fc.oneof(arbitraryDrawing, withTurnsTakenBack);
  return fc.tuple(drawings, fc.constantFrom(...WINDOWS), arbitraryCounting).chain(([drawing, window, counting]) => {
    const specs = [...policy.settings(preset, { window, agent: null }), ...inputSettings(drawColumns(drawing))];
    const values = Object.fromEntries(specs.map((spec) => [spec.key, arbitraryValue(spec)]));
    return fc
      .record(values, { requiredKeys: [] })
      .map((given) => ({ drawing, preset, window, counting, settings: resolveSettings(specs, given) }));
  });
}

/** Replays the session, made anew, under a policy. */
export function replayed({ drawing, preset, window, counting, settings }: DrawnRun, policy: Policy) {
  const columns = drawColumns(drawing);
  const run = replay(countedBySize(columns, "bytes-4"), policy, settings, { preset, window, counting });
  return { columns, run };
}
