import { AssertionError } from "@/lib/core/base/assert";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import { resolveSettings, type SettingSpec, type SettingValue } from "@/lib/core/compaction/policy/settings";
import type { CountingMode } from "@/lib/core/compaction/replay";
import { GENERATED_WINDOWS, type GeneratedRun, POLICY_INVARIANTS, type PolicyInvariant } from "./policy-invariants";

/** Result of an invariant under one preset. */
export interface CheckedInvariant {
  readonly name: string;
  readonly preset: string;
  /** Number of generated sessions, and of the policy's compactions in them. */
  readonly runs: number;
  readonly compactions: number;
  /** The first counterexample, made as short as possible. */
  readonly failure?: { readonly message: string } & Pick<GeneratedRun, "drawing" | "window" | "counting" | "settings">;
}

/**
 * Checks a policy's invariants on generated sessions. Deterministic: the same seed generates the same sessions. Throws `PolicyError` if the policy
 * was stopped.
 */
export function checkPolicy(policy: Policy, seed: number): readonly CheckedInvariant[] {
  return policy.presets.flatMap((preset) => POLICY_INVARIANTS.map((one) => tried(policy, preset, one, seed)));
}

function tried(policy: Policy, preset: string, invariant: PolicyInvariant, seed: number): CheckedInvariant {
  const chance = new Chance(seed);
  const { name } = invariant;
  let compactions = 0;
  for (let run = 0; run < invariant.runs; run++) {
    const given = generatedRun(chance, policy, preset);
    const found = outcomeOf(policy, invariant, given);
    if (typeof found !== "number") {
      const { drawing, window, counting, settings } = shortest(policy, invariant, given);
      const message = messageOf(policy, invariant, { ...given, drawing });
      return { name, preset, runs: run + 1, compactions, failure: { message, drawing, window, counting, settings } };
    }
    compactions += found;
  }
  return { name, preset, runs: invariant.runs, compactions };
}

/** Number of compactions, or the error that shows a broken invariant. */
function outcomeOf(policy: Policy, { holds }: PolicyInvariant, given: GeneratedRun): number | Error {
  try {
    return holds(policy, given).compactions.length;
  } catch (error) {
    if (error instanceof AssertionError || error instanceof PolicyError) return error;
    throw error;
  }
}

function messageOf(policy: Policy, invariant: PolicyInvariant, given: GeneratedRun): string {
  const found = outcomeOf(policy, invariant, given);
  if (typeof found === "number") return "it holds now, and did not before: the policy remembers earlier replays";
  return found.message;
}

/** The same session without irrelevant elements. */
function shortest(policy: Policy, invariant: PolicyInvariant, given: GeneratedRun): GeneratedRun {
  let elements = given.drawing.split(" ");
  for (let at = elements.length - 1; at >= 0; at--) {
    const shorter = elements.toSpliced(at, 1);
    const found = outcomeOf(policy, invariant, { ...given, drawing: shorter.join(" ") });
    if (typeof found !== "number") elements = shorter;
  }
  return { ...given, drawing: elements.join(" ") };
}

/** Random numbers from 0 to 1 from a seed (mulberry32), so that every session can be regenerated. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below a number. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  of<T>(list: readonly T[], otherwise: T): T {
    return list[this.below(list.length)] ?? otherwise;
  }
}

/** Maximum elements of a generated session. */
const MAX_ELEMENTS = 40;
const COUNTING = ["estimate", "calibrated", "anchored"] as const satisfies readonly CountingMode[];

/** A session with any values for the policy's settings: parallel and unanswered calls, recorded boundaries, usage, abandoned turns. */
function generatedRun(chance: Chance, policy: Policy, preset: string): GeneratedRun {
  const scale = chance.of([1, 1, 30], 1);
  const elements = Array.from({ length: chance.below(MAX_ELEMENTS + 1) }, () => element(chance, scale));
  const window = chance.of(GENERATED_WINDOWS, 1000);
  const specs = policy.settings(preset, { window, agent: null });
  const given = Object.fromEntries(
    specs.flatMap((spec) => (chance.next() < 0.5 ? [[spec.key, settingValue(chance, spec)]] : [])),
  );
  return {
    drawing: elements.join(" "),
    preset,
    window,
    counting: chance.of(COUNTING, "estimate"),
    settings: resolveSettings(specs, given),
  };
}

/** One generated element, as `drawTranscript` reads it. */
function element(chance: Chance, scale: number): string {
  const size = () => chance.below(401) * scale;
  const kind = chance.below(13);
  if (kind < 3) return `u${size()}`;
  if (kind < 6) return `a${size()}${chance.next() < 0.5 ? "" : ` @${1 + chance.below(3000) * scale}`}`;
  if (kind < 10) {
    const calls = Array.from({ length: 1 + chance.below(3) }, () => `c${size()}`);
    const results = calls.slice(0, chance.below(calls.length + 1)).map(() => `r${size()}`);
    return ["|", ...calls, ...results].join(" ");
  }
  if (kind === 10) return `x${size()}`;
  return kind === 11 ? `B s${size()}` : `<${1 + chance.below(6)}`;
}

function settingValue(chance: Chance, spec: SettingSpec): SettingValue {
  if (spec.type === "boolean") return chance.next() < 0.5;
  if (spec.type === "choice") return chance.of(spec.choices, spec.default);
  if (spec.type === "optional-number" && chance.next() < 0.5) return null;
  const { min, max, step } = spec;
  const steps = Math.floor((max - min) / step);
  // In small windows, small values make a difference.
  const at = chance.next() < 0.5 ? chance.below(Math.min(steps, 20) + 1) : chance.below(steps + 1);
  return chance.of([min, max, ...Array.from({ length: 4 }, () => Math.min(max, min + at * step))], min);
}
