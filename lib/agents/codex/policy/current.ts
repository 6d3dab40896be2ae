import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG } from "@/lib/core/columns/columns";
import type { Compaction, ContextView, PolicyChosen, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy";
import { numberSetting } from "@/lib/core/compaction/settings/settings";
import { EFFECTIVE_PERCENT, effectiveWindow, nineTenths } from "../constants";
import { RETAINED_LOCALLY_CURRENT, RETAINED_REMOTELY } from "./measures";
import type { Release } from "./release";
import { type Replacement, replaced, summarySize } from "./replaced";
import { afterResponse, earlierReasoning, lastTotal, mostAfterResponse } from "./usage";

/** The main branch of 12 August 2026: it also counts what came after the last response, and a service may make the summary. */
export const current: Release = {
  // Where the limit leaves out a prefix, no single size triggers: this is the size at which it compacts at the latest.
  threshold: (chosen) => limitsOf(chosen).full,
  begin: (plan) => new CurrentRun(plan),
};

/** The limits that usage is compared with. */
interface Limits {
  readonly usage: Tokens;
  /** Whether the limit counts only what came after the first request since the last summary. */
  readonly afterPrefix: boolean;
  /** The size at which it compacts in any case. */
  readonly full: Tokens;
}

/** A configured limit is capped at nine tenths of the window, unless it counts only what came after the prefix. */
function limitsOf({ window, settings }: PolicyChosen): Limits {
  const configured = numberSetting(settings, "autoCompactLimit");
  const afterPrefix = settings.limitScope === "body_after_prefix";
  const usage = afterPrefix ? configured : Math.min(configured, nineTenths(window));
  return { usage, afterPrefix, full: afterPrefix ? effectiveWindow(window, EFFECTIVE_PERCENT) : usage };
}

class CurrentRun implements PolicyRun {
  readonly #limits: Limits;
  /** Whether a service makes the summaries. */
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
      // The size of a service's summary is taken as it is set.
      summaryTokens: remote ? numberSetting(settings, "summaryTokens") : summarySize(settings),
      failSummary: settings.failSummary,
    };
  }

  before(view: ContextView): Compaction | undefined {
    return this.#isReached(view) ? this.compact(view) : undefined;
  }

  compact(view: ContextView): Compaction {
    return replaced(view, this.#replacement);
  }

  #isReached(view: ContextView): boolean {
    const usage = currentUsage(view);
    if (view.request === 0) return this.#reaches(view, usage);
    const most = mostAfterResponse(view);
    // The exact size is computed only where it decides.
    if (most !== undefined && !this.#reaches(view, usage + most)) return false;
    return this.#reaches(view, usage + afterResponse(view, this.#remote));
  }

  /**
   * Whether usage reaches a limit. The prefix is what the first request since the last summary sent, as the server counted it; until that request
   * is answered, nothing came after the prefix. Source: core/src/session/context_window.rs and core/src/state/auto_compact_window.rs of main.
   */
  #reaches(view: ContextView, usage: Tokens): boolean {
    const limits = this.#limits;
    if (!limits.afterPrefix) return usage >= limits.usage;
    const prefix = view.firstInput > 0 ? view.firstInput : usage;
    return usage - prefix >= limits.usage || usage >= limits.full;
  }
}

/** The last response's total, plus the reasoning that the server did not count, rounded item by item. */
export function currentUsage(view: ContextView): Tokens {
  return lastTotal(view) + earlierReasoning(view, startsTurn).tokens;
}

function startsTurn({ columns }: ContextView, item: ItemIndex): boolean {
  return ((columns.flags[item] ?? 0) & FLAG.TURN_START) !== 0;
}
