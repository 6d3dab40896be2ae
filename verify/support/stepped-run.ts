import type { Tokens } from "@/lib/core/base/units";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { Replay } from "@/lib/core/compaction/replay";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { CheckedRun } from "./checked-agent";
import type { Comparison, Span } from "./cross-check";
import type { LoadedRecording } from "./loaded-recording";
import { type Step, stepsOf } from "./steps";

/** Report of an agent's own rules on a compaction, without the kept rows. */
export interface CompactionFacts {
  readonly outcome: string;
  /** Trigger; the threshold if absent. */
  readonly trigger?: string;
  readonly summary: Tokens;
  /** Tokens sent for the summary, their tolerance and its reason; absent if they are not compared. */
  readonly sent?: readonly [tokens: Tokens, span: Span, reason: string];
}

/** True if a summary call, counted from 0, fails under the setting `failSummary`; a call with an empty answer does not fail. */
export function callFails({ failSummary }: Settings, call: number): boolean {
  return failSummary === "always" || failSummary === String(call + 1);
}

/**
 * A run of a policy by the engine, together with the agent's own rules: these take one step for each request, and both results are compared at each.
 */
export abstract class SteppedRun<Preset extends string = string> {
  protected readonly loaded: LoadedRecording;
  protected readonly settings: Settings;
  /** Result of the engine's replay. */
  protected readonly numbers: Replay;
  protected readonly comparison: Comparison;
  /** The engine's compactions, by the request before which they happen. */
  protected readonly byRequest: ReadonlyMap<number, SimulatedCompaction>;

  constructor(protected readonly choice: CheckedRun<Preset>) {
    this.loaded = choice.recording;
    this.settings = choice.settings;
    this.numbers = choice.numbers;
    this.comparison = choice.comparison;
    this.byRequest = new Map(this.numbers.compactions.map((compaction) => [compaction.request, compaction]));
  }

  /** Takes the agent's step before a request. */
  protected abstract step(step: Step): void;

  compare(): void {
    for (const step of stepsOf(this.loaded)) {
      this.step(step);
      // After the first difference, every later one is only its consequence.
      if (this.comparison.failed) break;
    }
  }

  /** Compares the report on a compaction, except its sizes. */
  protected sameFacts(
    where: string,
    got: SimulatedCompaction,
    { outcome, trigger = "threshold", summary, sent }: CompactionFacts,
  ): void {
    this.comparison.same(`${where}, outcome`, got.outcome, outcome);
    this.comparison.same(`${where}, trigger`, got.trigger, trigger);
    this.comparison.same(`${where}, summary`, got.summaryTokens, summary);
    if (sent === undefined) return;
    const [tokens, span, reason] = sent;
    this.comparison.close(`${where}, sent for the summary`, got.summaryCallTokens, tokens, span, reason);
  }

  /** Compares the rows that a compaction kept, in any order, and counts the compaction. */
  protected sameRows(where: string, got: SimulatedCompaction, rows: readonly number[]): void {
    const recorded = got.kept.filter((item) => item < this.loaded.columns.length);
    this.comparison.same(
      `${where}, kept rows`,
      recorded,
      rows.toSorted((a, b) => a - b),
    );
    this.comparison.compared();
  }
}
