import fc from "fast-check";
import type { Tokens } from "@/lib/core/base/units";
import type { SettingSpec, SettingValue } from "@/lib/core/compaction/policy/settings";
import type { CountingMode } from "@/lib/core/compaction/replay";
import type { Variant } from "./variant";

/**
 * Any value that a setting may have, including its extremes.
 * @param near sizes in the recording near which a setting in tokens makes a difference
 */
export function arbitraryValue(spec: SettingSpec, near: readonly Tokens[] = []): fc.Arbitrary<SettingValue> {
  if (spec.type === "boolean") return fc.boolean();
  if (spec.type === "choice") return fc.constantFrom(...spec.choices, ...(spec.orCount === true ? ["7"] : []));
  const number = arbitraryNumber(spec, near);
  return spec.type === "optional-number" ? fc.option(number) : number;
}

type NumberSpec = Extract<SettingSpec, { min: number }>;

function arbitraryNumber({ unit, min, max, step }: NumberSpec, near: readonly Tokens[]): fc.Arbitrary<number> {
  const steps = Math.floor((max - min) / step);
  const within = (value: number) => Math.max(min, Math.min(max, value));
  // In small windows, small values are the ones that make a difference.
  const any = fc.oneof(fc.integer({ min: 0, max: Math.min(steps, 20) }), fc.integer({ min: 0, max: steps }));
  const values = [any.map((at) => within(min + at * step)), fc.constantFrom(min, max)];
  if (unit === "tokens" || unit === "chars") {
    const sizes = fc.tuple(fc.constantFrom(...near, 1000), fc.double({ min: -6, max: 1, noNaN: true }));
    values.push(sizes.map(([size, power]) => within(Math.round(size * 2 ** power))));
  }
  return fc.oneof(...values);
}

/** Number of generated choices of settings for a recording and each preset, and their seed. */
export interface Sampling {
  readonly cases: number;
  readonly seed: number;
  /** Number of an agent's own choices to run; all of them if absent. */
  readonly chosen?: number;
}

/** The default: few, since a whole check generates them for every file. */
export const DEFAULT_SAMPLING: Sampling = { cases: 2, seed: 1 };

/** For recordings that take long: a few of an agent's own choices, and one generated one. */
export const SAMPLED: Sampling = { cases: 1, seed: 1, chosen: 3 };

/** Input of the generated choices. */
interface VariedFor {
  /** Names the preset and the recording: another name gives other choices. */
  readonly of: string;
  /** Tokens of the whole recording. */
  readonly tokens: Tokens;
  /** The settings to vary, for a window. */
  readonly settingsIn: (window: Tokens) => readonly SettingSpec[];
  /** Counting modes to vary; if absent, each choice keeps its own. */
  readonly counting?: readonly CountingMode[] | undefined;
}

/** The sample of an agent's own choices to run: always the same for the same recording. */
export function someOf<Choice>(choices: readonly Choice[], of: string, { seed, chosen }: Sampling): readonly Choice[] {
  if (chosen === undefined || chosen >= choices.length) return choices;
  const some = fc.shuffledSubarray([...choices.keys()], { minLength: chosen, maxLength: chosen });
  const [indices = []] = fc.sample(some, { numRuns: 1, seed: seedOf(`chosen ${seed} ${of}`) });
  return choices.filter((_, index) => indices.includes(index));
}

/**
 * Choices generated from a seed and a recording's name. Each is one of the given choices with another window of similar size and with other
 * values for some of its settings.
 */
export function variedChoices(
  choices: readonly Variant[],
  variedFor: VariedFor,
  { cases, seed }: Sampling,
): readonly Variant[] {
  if (cases === 0) return [];
  const varied = fc.constantFrom(...choices).chain((choice) => arbitraryChoice(choice, variedFor));
  return fc.sample(varied, { numRuns: cases, seed: seedOf(`${seed} ${variedFor.of}`) });
}

function arbitraryChoice(choice: Variant, { tokens, settingsIn, counting }: VariedFor): fc.Arbitrary<Variant> {
  const scale = fc.oneof(fc.constant(0), fc.double({ min: -2, max: 2, noNaN: true }));
  const windows = scale.map((power) => Math.max(1, Math.round(choice.window * 2 ** power)));
  return windows.chain((window) => {
    const specs = settingsIn(window);
    const modes = fc.constantFrom(...(counting ?? [choice.counting ?? "estimate"]));
    return fc.tuple(arbitraryValues(specs, [window, tokens]), modes).map(([values, mode]) => {
      const label = `varied from ${choice.label}: a window of ${window}, counted by ${mode}, ${JSON.stringify(values)}`;
      return { label, window, counting: mode, given: { ...withinBounds(choice.given, specs), ...values } };
    });
  });
}

function arbitraryValues(specs: readonly SettingSpec[], near: readonly Tokens[]) {
  // Varying many settings at once often hides the effects of single ones.
  const density = fc.constantFrom(1, 3, 8);
  const any = density.chain((freq) =>
    fc.tuple(...specs.map((spec) => fc.option(arbitraryValue(spec, near), { freq, nil: NOT_VARIED }))),
  );
  return any.map((values) =>
    Object.fromEntries(specs.flatMap(({ key }, at) => (values[at] === NOT_VARIED ? [] : [[key, values[at]]]))),
  );
}

/** Clamps the given values to the bounds, which may depend on the window. */
function withinBounds(given: Variant["given"], specs: readonly SettingSpec[]): Variant["given"] {
  const bounds = new Map(specs.flatMap((spec) => ("max" in spec ? [[spec.key, spec]] : [])));
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const bound = bounds.get(key);
      return [
        key,
        bound === undefined || typeof value !== "number" ? value : Math.max(bound.min, Math.min(bound.max, value)),
      ];
    }),
  );
}

/** A marker of our own, since `null` is a value that a setting may have. */
const NOT_VARIED = Symbol("not varied");

/** A seed made from a text (FNV-1a). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
