import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import type { RecordingSource } from "./recording-sources";
import type { Sampling } from "./varied-settings";

/**
 * The cross-check of the two layers: an agent's exact rules over its own messages against its policy over numbers, on any recording. The code
 * here is the same for every agent; `verify/agents/<agent>/cross-check.ts` drives that agent's rules.
 */

/** An unavoidable difference, and its size. */
export interface AllowedDifference {
  /** The reason in a few words, always the same words for the same reason. */
  readonly reason: string;
  /** Number of values that differed for this reason. */
  readonly places: number;
  /** The largest difference. */
  readonly most: Tokens;
}

/** One preset and one choice of settings, run on one recording. */
export interface CrossCheckRun {
  readonly preset: string;
  /** Names the choice of settings. */
  readonly label: string;
  /** Number of compared compactions. */
  readonly compactions: number;
  /** The differences, one sentence each, with numbers only; empty if the layers agree. */
  readonly differences: readonly string[];
  readonly allowed?: readonly AllowedDifference[];
  /** Counts of the cases that a check must meet to prove anything, by name. */
  readonly met?: Readonly<Record<string, number>>;
}

/** Runs an agent's two layers over a recording, with settings that the agent chose and with varied ones. */
export type CrossCheck = (
  source: RecordingSource,
  sampling?: Sampling,
) => readonly CrossCheckRun[] | Promise<readonly CrossCheckRun[]>;

/** Tolerance of a size, as signed differences. */
export type Span = readonly [least: Tokens, most: Tokens];

/** The span by which a sum of such sizes may differ. */
export function joinedSpans(spans: readonly Span[]): Span {
  return [sumOf(spans.map(([least]) => least)), sumOf(spans.map(([, most]) => most))];
}

/** Collects the differences between the layers in one run. */
export class Comparison {
  readonly #differences: string[] = [];
  readonly #allowed = new Map<string, { places: number; most: Tokens }>();
  readonly #met = new Map<string, number>();
  #compactions = 0;

  /** Counts a case: a route that was taken, an output that was truncated. */
  met(what: string, times = 1): void {
    if (times > 0) this.#met.set(what, times + (this.#met.get(what) ?? 0));
  }

  /** Counts a compaction that both layers made. */
  compared(): void {
    this.#compactions += 1;
  }

  /** Compares values that must be equal: numbers, texts, or lists of numbers. */
  same(where: string, got: number | string | readonly number[], exact: number | string | readonly number[]): void {
    const [a, b] = [got, exact].map((value) => (Array.isArray(value) ? value.join(" ") : String(value)));
    if (a !== b) this.#differences.push(`${where}: numbers ${shortened(a, b)}`);
  }

  /** Compares a size that may differ for a reason, within a span. */
  close(where: string, got: Tokens, exact: Tokens, [least, most]: Span, reason: string): void {
    const by = got - exact;
    if (by === 0) return;
    if (by >= least && by <= most) this.allow(reason, Math.abs(by));
    else this.#differences.push(`${where}: numbers ${got}, exact ${exact}, allowed ${least} to ${most}`);
  }

  /** Records an unavoidable difference. */
  allow(reason: string, by: Tokens): void {
    const known = this.#allowed.get(reason) ?? { places: 0, most: 0 };
    this.#allowed.set(reason, { places: known.places + 1, most: Math.max(known.most, by) });
  }

  differs(sentence: string): void {
    this.#differences.push(sentence);
  }

  /** True if anything differed: differences after the first one are only its consequence. */
  get failed(): boolean {
    return this.#differences.length > 0;
  }

  run(preset: string, label: string): CrossCheckRun {
    return {
      preset,
      label,
      compactions: this.#compactions,
      differences: this.#differences,
      allowed: [...this.#allowed].map(([reason, { places, most }]) => ({ reason, places, most })),
      met: Object.fromEntries(this.#met),
    };
  }
}

/** Both lists, shortened to their differences. */
function shortened(a = "", b = ""): string {
  const [left, right] = [a.split(" "), b.split(" ")];
  const first = left.findIndex((word, index) => word !== right[index]);
  const at = first < 0 ? left.length : first;
  const part = (words: readonly string[]) => `[${words.length}] ${words.slice(at, at + 4).join(" ")}`;
  return left.length === 1 && right.length === 1 ? `${a}, exact ${b}` : `${part(left)} …, exact ${part(right)} …`;
}

/** Number of compactions that the runs compared, for a test that asserts a minimum. */
export function compactionsOf(runs: readonly CrossCheckRun[]): number {
  return sumOf(runs.map(({ compactions }) => compactions));
}

/** The cases that the runs met, with their numbers. */
export function metIn(runs: readonly CrossCheckRun[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [what, times] of runs.flatMap(({ met = {} }) => Object.entries(met)))
    all.set(what, times + (all.get(what) ?? 0));
  return all;
}

/** The differences of all runs, each with the run in which it was found. */
export function differencesOf(runs: readonly CrossCheckRun[]): readonly string[] {
  return runs.flatMap(({ preset, label, differences }) => differences.map((text) => `${preset}, ${label}: ${text}`));
}
