import { nearestStep, stepValue } from "@/lib/core/compaction/policy/nearest-step";
import type { Policy, PolicyChosen } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec } from "@/lib/core/compaction/policy/settings";

export type NumberSpec = Extract<SettingSpec, { type: "number" }>;

/** The trigger of a policy, and the setting that moves it: the handle on the token axis drags it. */
interface TriggerHandle {
  readonly spec: NumberSpec;
  /** The value of the setting, on its own steps, that brings the threshold nearest to a number of tokens. */
  readonly valueFor: (tokens: number) => number;
  readonly thresholdAt: (value: number) => number;
  /** True if a larger value means a higher threshold. */
  readonly rising: boolean;
}

/**
 * The first number setting that moves the policy's threshold. It is found by trying the policy, so no policy is named here.
 * `undefined` if the policy has no threshold or no setting moves it.
 */
export function triggerHandle(
  policy: Policy,
  specs: readonly SettingSpec[],
  chosen: PolicyChosen,
): TriggerHandle | undefined {
  const { threshold } = policy;
  if (threshold === undefined) return undefined;
  const at = (spec: NumberSpec, value: number): number =>
    threshold({ ...chosen, settings: { ...chosen.settings, [spec.key]: value } }) ?? Number.POSITIVE_INFINITY;
  const spec = specs
    .filter((one): one is NumberSpec => one.type === "number")
    .map((one) => withoutOff(one, (value) => at(one, value)))
    .find((one) => at(one, one.min) !== at(one, one.max));
  if (spec === undefined) return undefined;
  const rising = at(spec, spec.max) > at(spec, spec.min);
  const thresholdAt = (value: number): number => at(spec, value);
  return { spec, rising, thresholdAt, valueFor: (tokens) => nearestStep(spec, thresholdAt, rising, tokens) };
}

/** The setting without a first value outside the scale: at 0 some agents never compact, so the threshold jumps to the other end. */
function withoutOff(spec: NumberSpec, threshold: (value: number) => number): NumberSpec {
  const second = stepValue(spec, 1);
  const [first, next, last] = [threshold(spec.min), threshold(second), threshold(spec.max)];
  return (first - next) * (last - next) > 0 ? { ...spec, min: second } : spec;
}
