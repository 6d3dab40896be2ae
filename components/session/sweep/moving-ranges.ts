import { triggerHandle } from "@/components/settings/trigger-setting";
import type { Replay } from "@/lib/core/compaction/replay";
import type { SweepSet, VaryRange } from "@/lib/core/metrics/grid";
import { chosenOf } from "@/lib/questions/session/session-context";
import { type Axis, rangeBetween, type SweptPolicy, usualAxes } from "./axes";

/** What a replay comes to at some values of the settings. */
type TotalsAt = (set: SweepSet) => Replay["totals"];

/** The least threshold of a range, beside the largest context. */
const LOWEST = 0.25;

/**
 * The ranges to sweep where nobody has chosen any, such that they move what a recording comes to: the trigger's, brought to where the recording reaches it,
 * and that of the first other setting which then matters. Where none does, the trigger alone.
 */
export function movingRanges(choice: SweptPolicy, totalsAt: TotalsAt): readonly VaryRange[] {
  const [usual, ...rest] = usualAxes(choice);
  if (usual === undefined) return [];
  const first = movingTrigger(choice, usual, totalsAt);
  const { rising } = triggerHandle(choice.policy, [first.spec], chosenOf(choice)) ?? { rising: true };
  // The end of its range at which most is compacted: there another setting has most to say.
  const often = { [first.spec.key]: rising ? first.range.from : first.range.to };
  const second = rest.find(({ spec: { key }, range: { from, to } }) =>
    differs(totalsAt({ ...often, [key]: from }), totalsAt({ ...often, [key]: to })),
  );
  return [first, second].flatMap((axis) => (axis === undefined ? [] : [axis.range]));
}

/** The trigger's usual range where it moves something, else one around the contexts that the recording has. */
function movingTrigger(choice: SweptPolicy, axis: Axis, totalsAt: TotalsAt): Axis {
  const { spec, range } = axis;
  const handle = triggerHandle(choice.policy, [spec], chosenOf(choice));
  const [low, high] = [totalsAt({ [spec.key]: range.from }), totalsAt({ [spec.key]: range.to })];
  if (handle === undefined || differs(low, high)) return axis;
  const ends = [handle.valueFor(high.peak * LOWEST), handle.valueFor(high.peak)];
  const near = rangeBetween(spec, Math.min(...ends), Math.max(...ends));
  return near.to > near.from ? { spec, range: near } : axis;
}

function differs(a: Replay["totals"], b: Replay["totals"]): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
