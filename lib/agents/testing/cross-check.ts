import type { Tokens } from "@/lib/core/base/units";
import type { Draws } from "./drawn-settings";
import { sumOf } from "./numbers";
import type { RecordingSource } from "./recording-sources";

/**
 * The cross-check of the two layers: an agent's exact rules over its own messages against its policy over numbers, on any
 * recording. What is here is the same for every agent; `lib/agents/<agent>/testing/cross-check.ts` drives that agent's rules.
 */

/** A difference that has to be, and how far it went. */
export interface AllowedDifference {
  /** Why, in a few words: the same words wherever it is the same reason. */
  readonly reason: string;
  /** Figures that differed for it. */
  readonly places: number;
  /** The largest. */
  readonly most: Tokens;
}

/** One preset and choice of settings on one recording. */
export interface CrossCheckRun {
  readonly preset: string;
  /** The choice of settings. */
  readonly label: string;
  /** Compactions that were compared. */
  readonly compactions: number;
  /** What differs, one sentence each, figures only; empty where the layers agree. */
  readonly differences: readonly string[];
  readonly allowed?: readonly AllowedDifference[];
  /** How often something was met that a run has to meet to say anything of it, by name. */
  readonly met?: Readonly<Record<string, number>>;
}

/** Runs an agent's two layers over a recording, with settings of its own choice and with drawn ones. */
export type CrossCheck = (
  source: RecordingSource,
  draws?: Draws,
) => readonly CrossCheckRun[] | Promise<readonly CrossCheckRun[]>;

/** From how much below to how much above a size may be. */
export type Span = readonly [least: Tokens, most: Tokens];

/** By how much a sum of such sizes may differ. */
export function joinedSpans(spans: readonly Span[]): Span {
  return [sumOf(spans.map(([least]) => least)), sumOf(spans.map(([, most]) => most))];
}

/** Collects what differs between the layers in one run. */
export class Comparison {
  readonly #differences: string[] = [];
  readonly #allowed = new Map<string, { places: number; most: Tokens }>();
  readonly #met = new Map<string, number>();
  #compactions = 0;

  /** Notes what was met: a route that was taken, an output that was cut. */
  met(what: string, times = 1): void {
    if (times > 0) this.#met.set(what, times + (this.#met.get(what) ?? 0));
  }

  /** Notes a compaction that both layers made. */
  compared(): void {
    this.#compactions += 1;
  }

  /** What must be the same: numbers, and lists of them. */
  same(where: string, got: number | string | readonly number[], exact: number | string | readonly number[]): void {
    const [a, b] = [got, exact].map((value) => (Array.isArray(value) ? value.join(" ") : String(value)));
    if (a !== b) this.#differences.push(`${where}: numbers ${shortened(a, b)}`);
  }

  /** A size that may differ, for a reason: by how much at least and at most. */
  close(where: string, got: Tokens, exact: Tokens, [least, most]: Span, reason: string): void {
    const by = got - exact;
    if (by === 0) return;
    if (by >= least && by <= most) this.allow(reason, Math.abs(by));
    else this.#differences.push(`${where}: numbers ${got}, exact ${exact}, allowed ${least} to ${most}`);
  }

  /** Notes a difference that has to be. */
  allow(reason: string, by: Tokens): void {
    const known = this.#allowed.get(reason) ?? { places: 0, most: 0 };
    this.#allowed.set(reason, { places: known.places + 1, most: Math.max(known.most, by) });
  }

  differs(sentence: string): void {
    this.#differences.push(sentence);
  }

  /** Whether anything differed: what comes after the first difference follows from it. */
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

/** Two lists as far as they differ. */
function shortened(a = "", b = ""): string {
  const [left, right] = [a.split(" "), b.split(" ")];
  const first = left.findIndex((word, index) => word !== right[index]);
  const at = first < 0 ? left.length : first;
  const part = (words: readonly string[]) => `[${words.length}] ${words.slice(at, at + 4).join(" ")}`;
  return left.length === 1 && right.length === 1 ? `${a}, exact ${b}` : `${part(left)} …, exact ${part(right)} …`;
}

/** What a run's results say together: for a test that asserts that it said something. */
export function compactionsOf(runs: readonly CrossCheckRun[]): number {
  return sumOf(runs.map(({ compactions }) => compactions));
}

/** What runs met, and how often. */
export function metIn(runs: readonly CrossCheckRun[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [what, times] of runs.flatMap(({ met = {} }) => Object.entries(met)))
    all.set(what, times + (all.get(what) ?? 0));
  return all;
}

/** The differences of runs, with what they were found in. */
export function differencesOf(runs: readonly CrossCheckRun[]): readonly string[] {
  return runs.flatMap(({ preset, label, differences }) => differences.map((text) => `${preset}, ${label}: ${text}`));
}
