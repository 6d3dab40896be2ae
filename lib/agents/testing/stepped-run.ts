import type { Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy";
import { type Replay, replay } from "@/lib/core/compaction/replay";
import { resolveSettings, type Settings } from "@/lib/core/compaction/settings";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import { Comparison, type CrossCheckRun } from "./cross-check";
import type { LoadedRecording } from "./loaded-recording";
import { type Step, stepsOf } from "./steps";

/** A choice of settings. */
export interface SteppedChoice {
  readonly preset: string;
  readonly label: string;
  readonly window: Tokens;
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * A policy run by the engine, beside which an agent's own rules take one step a request and compare at each what both did.
 * @param summaryTokens unless the choice says otherwise
 */
export abstract class SteppedRun<Choice extends SteppedChoice = SteppedChoice> {
  protected readonly comparison = new Comparison();
  protected readonly settings: Settings;
  /** What the engine made of the numbers. */
  protected readonly numbers: Replay;
  /** The same's compactions, by the request before which they are. */
  protected readonly byRequest: ReadonlyMap<number, SimulatedCompaction>;

  constructor(
    protected readonly loaded: LoadedRecording,
    policy: Policy,
    protected readonly choice: Choice,
    summaryTokens: Tokens,
  ) {
    const { preset, window, given } = choice;
    const { columns, tokens, agent } = loaded;
    this.settings = resolveSettings(policy.settings(preset, { window, agent }), { summaryTokens, ...given });
    this.numbers = replay(columns, tokens, policy, this.settings, { window, counting: "estimate" });
    this.byRequest = new Map(this.numbers.compactions.map((compaction) => [compaction.request, compaction]));
  }

  /** The agent's step before a request. */
  protected abstract step(step: Step): void;

  compare(): CrossCheckRun {
    for (const step of stepsOf(this.loaded)) {
      this.step(step);
      // What follows a difference follows from it.
      if (this.comparison.failed) break;
    }
    return this.comparison.run(this.choice.preset, this.choice.label);
  }

  /** Compares the rows that a compaction kept, whatever the agent's order of them, and notes the compaction. */
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
