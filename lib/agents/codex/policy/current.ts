import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG } from "@/lib/core/columns/columns";
import type { Compaction, ContextView, PolicyChosen, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy";
import { numberSetting } from "@/lib/core/compaction/settings";
import { EFFECTIVE_PERCENT, effectiveWindow, nineTenths } from "../constants";
import { RETAINED_LOCALLY_CURRENT, RETAINED_REMOTELY } from "./measures";
import type { Release } from "./release";
import { type Replacement, replaced, summarySize } from "./replaced";
import { afterResponse, earlierReasoning, lastTotal, mostAfterResponse } from "./usage";

/** The main branch of 12 August 2026: it counts what came after the last response too, and may leave the summary to a service. */
export const current: Release = {
  // With a prefix left out no one size fires: the one at which it does at the latest.
  threshold: (chosen) => limitsOf(chosen).full,
  begin: (plan) => new CurrentRun(plan),
};

/** What usage is compared with. */
interface Limits {
  readonly usage: Tokens;
  /** Whether the limit is one of what came after the first request since the last summary. */
  readonly afterPrefix: boolean;
  /** At this size it compacts whatever came after. */
  readonly full: Tokens;
}

/** A configured limit counts as far as nine tenths of the window, and as it is where it is one of what came after the prefix. */
function limitsOf({ window, settings }: PolicyChosen): Limits {
  const configured = numberSetting(settings, "autoCompactLimit");
  const afterPrefix = settings.limitScope === "body_after_prefix";
  const usage = afterPrefix ? configured : Math.min(configured, nineTenths(window));
  return { usage, afterPrefix, full: afterPrefix ? effectiveWindow(window, EFFECTIVE_PERCENT) : usage };
}

class CurrentRun implements PolicyRun {
  readonly #limits: Limits;
  /** Whether summaries are made by a service. */
  readonly #remote: boolean;
  readonly #replacement: Replacement;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    const remote = settings.remote === true;
    this.#limits = limitsOf(plan);
    this.#remote = remote;
    const budget = numberSetting(settings, remote ? "retainedTokens" : "userMessageTokens");
    const bit = remote ? RETAINED_REMOTELY : RETAINED_LOCALLY_CURRENT;
    this.#replacement = {
      selection: { remote, withIds: true, budget, bit },
      // What a service made is not looked into.
      summaryTokens: remote ? numberSetting(settings, "summaryTokens") : summarySize(settings),
      failSummary: settings.failSummary,
    };
  }

  before(view: ContextView): Compaction | undefined {
    return this.#isReached(view) ? replaced(view, this.#replacement) : undefined;
  }

  #isReached(view: ContextView): boolean {
    const usage = currentUsage(view);
    if (view.request === 0) return this.#reaches(view, usage);
    const most = mostAfterResponse(view);
    // It is looked at only where that decides.
    if (most !== undefined && !this.#reaches(view, usage + most)) return false;
    return this.#reaches(view, usage + afterResponse(view, this.#remote));
  }

  /**
   * The prefix is what the first request since the last summary sent, as the server counted it; before that one is answered
   * nothing came after it. Source: core/src/session/context_window.rs and core/src/state/auto_compact_window.rs of main.
   */
  #reaches(view: ContextView, usage: Tokens): boolean {
    const limits = this.#limits;
    if (!limits.afterPrefix) return usage >= limits.usage;
    const prefix = view.firstInput > 0 ? view.firstInput : usage;
    return usage - prefix >= limits.usage || usage >= limits.full;
  }
}

/** The last response's total, and the reasoning that the server did not count, item by item. */
export function currentUsage(view: ContextView): Tokens {
  return lastTotal(view) + earlierReasoning(view, startsTurn).tokens;
}

function startsTurn({ columns }: ContextView, item: ItemIndex): boolean {
  return ((columns.flags[item] ?? 0) & FLAG.TURN_START) !== 0;
}
