import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy";
import type { Settings } from "@/lib/core/compaction/settings";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import { columnarRun } from "./columnar-run";
import { Comparison, type CrossCheckRun } from "./cross-check";
import { type Draws, drawnChoices, FEW_DRAWS } from "./drawn-settings";
import { ItemList } from "./item-list";
import type { LoadedRecording } from "./loaded-recording";
import { sumOf } from "./numbers";
import { recordedFigures } from "./recorded-figures";
import { stepsOf } from "./steps";

/** A choice of settings. */
export interface ListedChoice {
  readonly preset: string;
  readonly label: string;
  readonly window: Tokens;
  readonly given: Readonly<Record<string, unknown>>;
  /** Sizes scaled to recorded usage; without it the estimate. Where the session does not allow it nothing is run. */
  readonly calibrated?: true;
}

/** What a rule over a list of items did before a request. */
export interface ListedChange {
  readonly outcome: "summary" | "failed" | "clear";
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Rows that became smaller, and what is left of them. */
  readonly truncated?: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared?: readonly (readonly [ItemIndex, Tokens])[];
}

/** A policy written out over a list of items: looks at the list before a request, and changes it. */
export type ListedRule = (list: ItemList, settings: Settings, window: Tokens) => ListedChange | undefined;

/** Bounds of the sliders only. */
const LARGEST: Tokens = 100_000_000;

/**
 * Runs a policy over numbers by the engine, and the same rule over a list of items, and compares them to the token: which
 * requests change the context and how, what stays, what became smaller, the context at every request.
 * @param ruleOf the rule with what it remembers, anew for every run
 */
export function listedRuns(
  recording: LoadedRecording,
  policy: Policy,
  choices: readonly ListedChoice[],
  ruleOf: () => ListedRule,
  draws: Draws = FEW_DRAWS,
): readonly CrossCheckRun[] {
  const { name, tokens, agent } = recording;
  const specsOf = ({ preset }: ListedChoice) => policy.settings(preset, { window: LARGEST, agent });
  const drawn = drawnChoices(choices, specsOf, { name, tokens: sumOf(tokens) }, draws);
  return [...choices, ...drawn].flatMap((choice) => {
    const counting = choice.calibrated === true ? "calibrated" : "estimate";
    const factor = choice.calibrated === true ? recordedFigures(recording).factor : 1;
    if (factor === undefined) return [];
    const comparison = new Comparison();
    const given = { summaryTokens: SUMMARY_TOKENS, ...choice.given };
    const run = { preset: choice.preset, window: choice.window, given, boundsOf: LARGEST, counting } as const;
    const { settings, numbers } = columnarRun(recording, policy, run, comparison);
    const list = new ItemList(recording, factor);
    const byRequest = new Map(numbers.compactions.map((compaction) => [compaction.request, compaction]));
    const rule = ruleOf();
    for (const step of stepsOf(recording)) {
      list.enter(step);
      const before = list.size;
      const change = rule(list, settings, choice.window);
      const where = `request ${step.request}`;
      compareChange(comparison, where, { got: byRequest.get(step.request), change, before, list });
      comparison.same(`${where}, context`, numbers.context[step.request] ?? 0, list.size);
      // What follows a difference follows from it.
      if (comparison.failed) break;
    }
    return [comparison.run(choice.preset, choice.label)];
  });
}

const SUMMARY_TOKENS: Tokens = 40;

interface Compared {
  readonly got: SimulatedCompaction | undefined;
  readonly change: ListedChange | undefined;
  readonly before: Tokens;
  /** As it is behind the change. */
  readonly list: ItemList;
}

function compareChange(comparison: Comparison, where: string, { got, change, before, list }: Compared): void {
  comparison.same(`${where}, outcome`, got?.outcome ?? "none", change?.outcome ?? "none");
  if (got === undefined || change === undefined || comparison.failed) return;
  comparison.compared();
  comparison.same(`${where}, trigger`, got.trigger, "threshold");
  comparison.same(`${where}, size before`, got.tokensBefore, before);
  comparison.same(`${where}, size after`, got.tokensAfter, list.size);
  comparison.same(`${where}, summary`, got.summaryTokens, change.summaryTokens);
  comparison.same(`${where}, sent for it`, got.summaryCallTokens, change.summaryCallTokens);
  comparison.same(`${where}, items kept`, got.keptItems + got.added.length, list.items.length);
  comparison.same(`${where}, rows truncated`, inOrder(got.truncated), inOrder(change.truncated ?? []));
  comparison.same(`${where}, rows cleared`, inOrder(got.cleared), inOrder(change.cleared ?? []));
  // Where nothing leaves, their number has said it: a clearing before every request of a long session would take minutes.
  if (change.outcome === "summary") comparison.same(`${where}, rows kept`, recorded(got, list), list.rows);
}

function inOrder(sizes: readonly (readonly [ItemIndex, Tokens])[]): readonly number[] {
  return sizes.toSorted(([a], [b]) => a - b).flat();
}

function recorded({ kept }: SimulatedCompaction, { recording }: ItemList): readonly ItemIndex[] {
  return kept.filter((item) => item < recording.columns.length);
}
