import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { ExactSide } from "./checked-agent";
import type { Comparison } from "./cross-check";
import { ItemList } from "./item-list";
import { recordedMetrics } from "./recorded-metrics";
import { stepsOf } from "./steps";

/** Change of the list by a rule before a request. */
export interface ListedChange {
  readonly outcome: "summary" | "failed" | "clear";
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Rows that became smaller, and their new sizes. */
  readonly truncated?: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared?: readonly (readonly [ItemIndex, Tokens])[];
}

/** A policy written out over a list of items: it reads the list before a request, and may change it. */
export type ListedRule = (list: ItemList, settings: Settings, window: Tokens) => ListedChange | undefined;

/** The default; the settings may say otherwise. */
export const LISTED_SUMMARY_TOKENS: Tokens = 40;

/**
 * Makes a rule over a list of items the exact side of a policy. Both sides must agree to the token: the requests that change the context and the
 * changes, the kept and reduced rows, and the context at every request. Sizes are estimates, or scaled to recorded usage.
 * @param ruleOf creates the rule for every run, with its own state
 * @param standIn tokens of the result generated for a call without one
 */
export function listedSide(ruleOf: () => ListedRule, standIn: Tokens = 0): ExactSide {
  return ({ recording, settings, window, counting, numbers, comparison }) => {
    const factor = counting === "calibrated" ? recordedMetrics(recording).factor : undefined;
    const list = new ItemList(recording, factor, standIn);
    const byRequest = new Map(numbers.compactions.map((compaction) => [compaction.request, compaction]));
    const rule = ruleOf();
    for (const step of stepsOf(recording)) {
      list.enter(step);
      const before = list.size;
      const change = rule(list, settings, window);
      const where = `request ${step.request}`;
      compareChange(comparison, where, { got: byRequest.get(step.request), change, before, list });
      comparison.same(`${where}, context`, numbers.context[step.request] ?? 0, list.size);
      // After the first difference, every later one is only its consequence.
      if (comparison.failed) break;
    }
  };
}

interface Compared {
  readonly got: SimulatedCompaction | undefined;
  readonly change: ListedChange | undefined;
  readonly before: Tokens;
  /** The list after the change. */
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
  // If nothing is dropped, the number of kept items was enough: comparing rows for a clearing before every request of a long session would
  // take minutes.
  if (change.outcome === "summary") comparison.same(`${where}, rows kept`, recorded(got, list), list.rows);
}

function inOrder(sizes: readonly (readonly [ItemIndex, Tokens])[]): readonly number[] {
  return sizes.toSorted(([a], [b]) => a - b).flat();
}

function recorded({ kept }: SimulatedCompaction, { recording }: ItemList): readonly ItemIndex[] {
  return kept.filter((item) => item < recording.columns.length);
}
