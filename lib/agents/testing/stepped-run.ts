import type { Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy";
import type { Replay } from "@/lib/core/compaction/replay";
import type { SettingSpec, Settings } from "@/lib/core/compaction/settings";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import { columnarRun } from "./columnar-run";
import { Comparison, type CrossCheckRun, type Span } from "./cross-check";
import { type Draws, drawnChoices, FEW_DRAWS } from "./drawn-settings";
import type { LoadedRecording } from "./loaded-recording";
import { sumOf } from "./numbers";
import { type Step, stepsOf } from "./steps";

/** What is drawn of a policy's settings. */
interface DrawnOf {
  /** Settings that stay as they are. */
  readonly but: readonly string[];
  /** Least values, where they are not the settings' own. */
  readonly least?: Readonly<Record<string, number>>;
  readonly draws: Draws | undefined;
}

/** The choices, and some drawn from them. */
export function withDrawn<Choice extends SteppedChoice>(
  choices: readonly Choice[],
  policy: Policy,
  { name, tokens, agent }: LoadedRecording,
  { but, least = {}, draws = FEW_DRAWS }: DrawnOf,
): readonly Choice[] {
  const from = (spec: SettingSpec) => ("min" in spec ? { ...spec, min: least[spec.key] ?? spec.min } : spec);
  const specsOf = ({ preset }: Choice, window: Tokens) =>
    policy
      .settings(preset, { window, agent })
      .filter(({ key }) => !but.includes(key))
      .map(from);
  return [...choices, ...drawnChoices(choices, specsOf, { name, tokens: sumOf(tokens) }, draws)];
}

/** A choice of settings. */
export interface SteppedChoice {
  readonly preset: string;
  readonly label: string;
  readonly window: Tokens;
  readonly given: Readonly<Record<string, unknown>>;
}

/** What an agent's own rules make of a compaction, beside what stays. */
export interface CompactionFacts {
  readonly outcome: string;
  /** The threshold, where nothing else is said. */
  readonly trigger?: string;
  readonly summary: Tokens;
  /** Tokens sent for the summary, how far numbers may be off them and why; absent where that is not compared. */
  readonly sent?: readonly [tokens: Tokens, span: Span, reason: string];
}

/** Whether a summary call, counted from 0, fails under the setting `failSummary`; an empty answer is an answer. */
export function callFails({ failSummary }: Settings, call: number): boolean {
  return failSummary === "always" || failSummary === String(call + 1);
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
    const run = { preset: choice.preset, window: choice.window, given: { summaryTokens, ...choice.given } };
    const { settings, numbers } = columnarRun(loaded, policy, run, this.comparison);
    this.settings = settings;
    this.numbers = numbers;
    this.byRequest = new Map(numbers.compactions.map((compaction) => [compaction.request, compaction]));
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

  /** Compares what a compaction says of itself beside its sizes. */
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
