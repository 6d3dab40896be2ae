import { createParser, parseAsArrayOf, parseAsStringLiteral } from "nuqs";
import { clamp, niceStep } from "@/components/charts/scale";
import { hasEffect } from "@/components/settings/setting-rows";
import { type NumberSpec, triggerHandle } from "@/components/settings/trigger-setting";
import { numberOf } from "@/components/settings/use-words";
import { rangeValues, type VaryRange } from "@/lib/core/analysis/grid";
import { isSharedKey } from "@/lib/core/compaction/policy/pause-settings";
import { isInEffect, SettingError } from "@/lib/core/compaction/policy/settings";
import type { Spent } from "@/lib/core/metrics/registry";
import { SWEPT_METRICS } from "@/lib/core/metrics/values";
import { chosenOf } from "@/lib/queries/session/session-context";
import type { ReplayChoice } from "../shared/state/replay-choice";

/** Maximum number of values of one setting: more would be indistinguishable in the map. */
export const MAX_VALUES = 40;
/** Approximate number of steps in a default range. */
const STEPS = 12;

/** A setting that is varied, with its range. */
export interface Axis {
  readonly spec: NumberSpec;
  readonly range: VaryRange;
}

/** A policy with its settings, over a recording or over none: default ranges come from it. */
export type SweptPolicy = Pick<ReplayChoice, "policy" | "preset" | "specs" | "settings" | "window">;

/** The settings of a policy that can be varied: its numbers. */
export function variable({ specs, policy }: Pick<SweptPolicy, "specs" | "policy">): readonly NumberSpec[] {
  return specs.filter(
    (spec): spec is NumberSpec => spec.type === "number" && spec.max > spec.min && hasEffect(spec, policy),
  );
}

/**
 * The settings offered for an axis. Settings without effect are left out, as in the panel, because every point would have the same result. A setting
 * that depends on the other axis's setting does have an effect; the axis's own setting always stays.
 */
export function offered(choice: SweptPolicy, other?: string, own?: string): readonly NumberSpec[] {
  return variable(choice).filter(
    (spec) =>
      spec.key === own || (spec.needs !== undefined && spec.needs.key === other) || isInEffect(spec, choice.settings),
  );
}

/**
 * A range from half the documented value to twice that value, on round steps within the setting's limits. If the documented value
 * is not a usable number (0, or -1 for a limit that is off), the range lies around half the setting's maximum.
 */
export function defaultRange(spec: NumberSpec): VaryRange {
  const around = spec.default <= 0 ? spec.max / 2 : spec.default;
  return rangeBetween(spec, around / 2, around * 2);
}

/** A range on round steps between two values, and within the setting's limits. */
export function rangeBetween(spec: NumberSpec, least: number, most: number): VaryRange {
  const from = Math.max(spec.min, least);
  const to = Math.min(spec.max, most);
  const fine = spec.step < 1 ? 1 / spec.step : 1;
  const step = niceStep((to - from) * fine, STEPS, spec.step * fine) / fine;
  const onStep = (value: number, round: (value: number) => number): number =>
    clean(Math.min(spec.max, Math.max(spec.min, round(clean(value / step)) * step)));
  return { key: spec.key, from: onStep(from, Math.ceil), to: onStep(to, Math.floor), step: clean(step) };
}

/**
 * A range that contains some values of its setting. The first of them, the value under the policy's defaults, is one of its points; another may lie
 * between two points, or less than a step outside where the setting's limits leave no further point.
 */
export function rangeWith({ spec, range }: Axis, values: readonly [number, ...number[]]): VaryRange {
  const [first, ...others] = values.map((value) => clamp(value, spec.min, spec.max));
  const wanted = [first ?? spec.min, ...others];
  const [low, high] = [Math.min(range.from, ...wanted), Math.max(range.to, ...wanted)];
  const isWider = low < range.from || high > range.to;
  const fine = spec.step < 1 ? 1 / spec.step : 1;
  const step = isWider ? niceStep((high - low) * fine, STEPS, spec.step * fine) / fine : range.step;
  const through = wanted[0] ?? spec.min;
  const steps = (distance: number, most: number): number =>
    Math.min(Math.ceil(clean(distance / step)), Math.floor(clean(most / step)));
  return {
    key: spec.key,
    from: clean(through - steps(through - low, through - spec.min) * step),
    to: clean(through + steps(high - through, spec.max - through) * step),
    step: clean(step),
  };
}

/** The value of a setting in force. If a value outside the scale switches the trigger off, the value that gives the same threshold. */
export function valueInForce(choice: SweptPolicy, spec: NumberSpec): number {
  const value = numberOf(spec, choice.settings[spec.key]);
  const chosen = chosenOf(choice);
  const handle = triggerHandle(choice.policy, [spec], chosen);
  const threshold = choice.policy.threshold?.(chosen);
  return handle !== undefined && threshold !== undefined && value < handle.spec.min
    ? handle.valueFor(threshold)
    : value;
}

/**
 * The value of an axis for the user's own settings. For a trigger it is the value with their threshold, else the stated value or the default.
 * `undefined` if the axis does not reach their threshold.
 * @param own the policy with the user's own settings
 */
export function valueOfOwn(choice: SweptPolicy, own: SweptPolicy, spec: NumberSpec): number | undefined {
  const handle = triggerHandle(choice.policy, [spec], chosenOf(choice));
  const threshold = own.policy.threshold?.(chosenOf(own));
  if (handle === undefined || threshold === undefined) return numberOf(spec, own.settings[spec.key]);
  const value = handle.valueFor(threshold);
  return Math.abs(handle.thresholdAt(value) - threshold) <= threshold * SAME_THRESHOLD ? value : undefined;
}

/** Maximum distance of equal thresholds, as a share: the setting of an axis moves in steps. */
const SAME_THRESHOLD = 0.01;

function clean(value: number): number {
  return Number(value.toFixed(6));
}

/** Error of an invalid range; absent for a valid one. */
type RangeProblem = "none" | "outside" | "many";

export function rangeProblem({ spec, range }: Axis): RangeProblem | undefined {
  if (range.from < spec.min || range.to > spec.max) return "outside";
  try {
    return rangeValues(range).length > MAX_VALUES ? "many" : undefined;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return "none";
  }
}

/** The axes to sweep: the selected ones that the policy has; else its trigger and its first other number. Empty if it has no numbers. */
export function sweepAxes(choice: SweptPolicy, asked: readonly VaryRange[]): readonly Axis[] {
  const specs = variable(choice);
  const wanted = asked.flatMap((range) => {
    const spec = specs.find(({ key }) => key === range.key);
    return spec === undefined ? [] : [{ spec, range }];
  });
  const distinct = wanted.filter(({ spec }, index) => wanted.findIndex((one) => one.spec === spec) === index);
  if (distinct.length > 0) return distinct.slice(0, 2);
  return usualAxes(choice).slice(0, 2);
}

/**
 * The settings that can be an axis, in order of preference: the first one that moves the trigger, then those that do not, then the others that do.
 */
export function usualAxes(choice: SweptPolicy): readonly Axis[] {
  const inEffect = offered(choice);
  const own = inEffect.filter(({ key }) => !isSharedKey(key));
  // A policy without numbers of its own still has the numbers of its input.
  const chosen = own.length > 0 ? inOrder(choice, own) : inEffect.slice(0, 1);
  return chosen.map((spec) => ({ spec, range: defaultRange(spec) }));
}

function inOrder(choice: SweptPolicy, specs: readonly NumberSpec[]): readonly NumberSpec[] {
  const { policy } = choice;
  const chosen = chosenOf(choice);
  const trigger = triggerHandle(policy, specs, chosen)?.spec ?? specs[0];
  const rest = specs.filter(({ key }) => key !== trigger?.key);
  const moves = (spec: NumberSpec): boolean => triggerHandle(policy, [spec], chosen) !== undefined;
  // The second axis is a setting that users of the agent can change, if any is known: others would be useless advice.
  const isKnown = specs.some(({ inAgent }) => inAgent != null);
  const others = isKnown
    ? rest.filter((spec) => spec.inAgent != null && !moves(spec))
    : [...rest.filter((spec) => !moves(spec)), ...rest.filter(moves)];
  return [trigger, ...others].filter((spec) => spec !== undefined);
}

/** A range as on the command line: `triggerShare=0.5:0.95:0.05`. */
export function varyText({ key, from, to, step }: VaryRange): string {
  return `${key}=${from}:${to}:${step}`;
}

/** The range in a text; `null` if there is none. */
export function parseVary(text: string): VaryRange | null {
  const [, key, ...parts] = /^(\w+)=([^:]+):([^:]+):([^:]+)$/.exec(text) ?? [];
  const [from = Number.NaN, to = Number.NaN, step = Number.NaN] = parts.map(Number);
  return key === undefined || ![from, to, step].every(Number.isFinite) ? null : { key, from, to, step };
}

const varyParser = createParser<VaryRange>({
  parse: parseVary,
  serialize: varyText,
  eq: (a, b) => varyText(a) === varyText(b),
});

/** Metrics that the front can compare with the tokens kept. */
export const SPENT = ["tokensSent", "costUsd"] as const satisfies readonly Spent[];

/** The sweep in the address: the ranges, separated by `~`, and the metrics of the map and of the front. */
export const SWEEP_PARSERS = {
  vary: parseAsArrayOf(varyParser, "~").withDefault([]),
  metric: parseAsStringLiteral(SWEPT_METRICS.map(({ key }) => key)),
  front: parseAsStringLiteral(SPENT),
};
