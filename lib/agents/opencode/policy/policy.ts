import type { Tokens } from "@/lib/core/base/units";
import { recordedContext } from "@/lib/core/columns/columns";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Retention,
} from "@/lib/core/compaction/policy";
import { bySummary, callSize, clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { endWithCalls, runEnd, tokensBetween } from "@/lib/core/compaction/selection";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/settings/common-settings";
import { numberSetting, optionalNumberSetting } from "@/lib/core/compaction/settings/settings";
import { OPENCODE_PRESETS, opencodeSettings } from "../presets";
import { CONTINUE, EMPTY_SUMMARY_TOKENS, QUESTION } from "./added";
import { OPENCODE_MEASURES } from "./measures";
import { usable, usableOf2025 } from "./overflow";
import { clearedResults } from "./pruning";
import { tailPosition } from "./tail";

/**
 * opencode's compaction over numbers. It fires when the last response's total reached the usable part of the window (by the rule of 2025:
 * exceeded it), summarises everything except a short tail of the newest turns, and asks the model to go on. Where pruning is switched on, it
 * clears old tool outputs after every turn. Source: README.md, "Preset current (1.18.15)".
 */
export const opencodePolicy: Policy = {
  id: "opencode",
  label: "opencode",
  presets: OPENCODE_PRESETS,
  presetDates: { current: "2026-08" },
  measures: OPENCODE_MEASURES,
  settings: opencodeSettings,
  clearsBy: "pruning",
  threshold: (chosen) => Math.max(0, limitsOf(chosen).overflow),
  looksBack: ({ settings }) => settings.prune === true,
  begin: (plan) => new OpencodeRun(plan),
};

/** The limits that follow from the settings and a window. */
interface Limits {
  /** The usable part of the window, from which the tail's budget follows under either rule. */
  readonly usable: Tokens;
  /** What a response's tokens are compared with. */
  readonly overflow: Tokens;
}

/** A reserve counts only below a model's input limit: where a reserve is set, the window is taken for that limit. */
function limitsOf({ window, settings }: PolicyChosen): Limits {
  const reserved = optionalNumberSetting(settings, "reserved") ?? undefined;
  const config = { reserved, maxOutput: numberSetting(settings, "maxOutputTokens") };
  // The model's own output limit is unknown, so the longest requested answer counts.
  const limit = { context: window, output: 0, input: reserved === undefined ? undefined : window };
  const now = usable(limit, config);
  return { usable: now, overflow: settings.overflowRule === "2025" ? usableOf2025(limit, config) : now };
}

class OpencodeRun implements PolicyRun {
  readonly #limits: Limits;
  /** Whether the rule of 2025 applies: above the limit instead of at it. */
  readonly #is2025: boolean;
  readonly #tail: { readonly turns: number; readonly tokens: Tokens | undefined };
  /** Absent where nothing is cleared. */
  readonly #pruning: { readonly protect: Tokens; readonly minimum: Tokens } | undefined;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    const number = (key: string) => numberSetting(settings, key);
    this.#limits = limitsOf(plan);
    this.#is2025 = settings.overflowRule === "2025";
    const tokens = optionalNumberSetting(settings, "preserveRecentTokens") ?? undefined;
    this.#tail = { turns: number("tailTurns"), tokens };
    const pruning = { protect: number("pruneProtect"), minimum: number("pruneMinimum") };
    this.#pruning = settings.prune === true ? pruning : undefined;
    this.#summaryTokens = summaryIsEmpty(settings.failSummary) ? EMPTY_SUMMARY_TOKENS : number("summaryTokens");
    this.#failSummary = settings.failSummary;
  }

  /** Compacts where the last response overflowed; otherwise clears old outputs after a turn. */
  before(view: ContextView): Compaction | undefined {
    if (this.#overflows(view)) return this.compact(view);
    if (this.#pruning === undefined || !view.turnStart) return undefined;
    const cleared = clearedResults(view, this.#pruning);
    return cleared.length === 0 ? undefined : clearing(view, cleared);
  }

  #overflows(view: ContextView): boolean {
    if (view.lastInput <= 0) return false;
    const count = view.lastInput + view.lastOutput;
    const { overflow } = this.#limits;
    return this.#is2025 ? count - writtenToCache(view) > overflow : count >= overflow;
  }

  compact(view: ContextView): Retention {
    // opencode decides when a step has ended: what the person types next is not in the session yet.
    const end = view.turnStart ? runEnd(view) : view.items.length;
    const from = tailPosition(view, end, this.#limits.usable, this.#tail);
    // A recorded context may be smaller than its counted parts.
    const callTokens = callSize(view.history - view.overhead - tokensBetween(view, from, view.items.length));
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
    return bySummary({
      kept: endWithCalls(view, from),
      added: [QUESTION, summaryItem(this.#summaryTokens), CONTINUE],
      // In the order of the session, on which later decisions depend. When sent, question and summary come first.
      addedAt: "back",
      entering: view.items.length - end,
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callTokens,
    });
  }
}

/** What the last request wrote to the cache, where its input is the recorded one; for a simulated input nobody knows. */
function writtenToCache(view: ContextView): Tokens {
  const last = view.request - 1;
  if (recordedContext(view.columns, last) !== view.lastInput) return 0;
  return Math.max(0, view.columns.requests.cacheWrite[last] ?? 0);
}
