import { DRAWN_WINDOWS, type DrawnRun } from "@/lib/agents/testing/drawn-run";
import type { Policy } from "@/lib/core/compaction/policy";
import type { CountingMode } from "@/lib/core/compaction/replay";
import { resolveSettings, type SettingSpec, type SettingValue } from "@/lib/core/compaction/settings/settings";

/** Numbers from 0 to 1 that follow from a seed (mulberry32): what is drawn once can be drawn again. */
export class Chance {
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

/** The most elements of a drawn session. */
const MOST_ELEMENTS = 40;
const COUNTING = ["estimate", "calibrated", "anchored"] as const satisfies readonly CountingMode[];

/** A session with any values for the policy's settings. Of its shapes: parallel and unanswered calls, recorded boundaries, usage, turns that are taken back. */
export function drawRun(chance: Chance, policy: Policy, preset: string): DrawnRun {
  const scale = chance.of([1, 1, 30], 1);
  const elements = Array.from({ length: chance.below(MOST_ELEMENTS + 1) }, () => element(chance, scale));
  const window = chance.of(DRAWN_WINDOWS, 1000);
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

/** One element of a drawing, as `drawTranscript` reads it. */
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
  // In small windows, small values are the ones that make a difference.
  const at = chance.next() < 0.5 ? chance.below(Math.min(steps, 20) + 1) : chance.below(steps + 1);
  return chance.of([min, max, ...Array.from({ length: 4 }, () => Math.min(max, min + at * step))], min);
}
