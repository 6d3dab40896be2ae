import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import { givesNoSummary } from "@/lib/core/compaction/policy/common-settings";
import type { Compaction, ContextView, PolicyChosen, PolicyPlan, Retention } from "@/lib/core/compaction/policy/policy";
import { keepingAll, unchanged } from "@/lib/core/compaction/retention";
import { countBetween } from "@/lib/core/compaction/selection";
import { itemsAt } from "@/lib/core/compaction/simulation/positions";
import {
  budgetScale,
  CURRENT_BLOCK_BELOW_TOKENS,
  effectiveReserve,
  PRESSURE_MARGIN,
  promptRoute,
} from "../base/constants";
import {
  chunkRatioOf,
  endsWithin,
  hasMuchNewContent,
  isOversizedSize,
  MIN_MESSAGES_FOR_SPLIT,
  SAFETY_MARGIN,
  shareEnds,
} from "./chunk-sizes";
import { plannedMessages, runEnd, unitSums } from "./context-units";
import { currentCut } from "./cut";
import { groupsOf, type PlannedMessage, repaired } from "./planned-messages";
import { pruning202696 } from "./pruning";
import { reducedResults } from "./reduced-results";
import { type Release, reserveOf } from "./release";
import { resultChars202696 } from "./result-chars";
import { OpenClawRun, type PlannedCut, type RunRule, summarised } from "./run";
import { chunkTokens, type Summarised, summaryPlan } from "./summary-calls";

/** Release 2026.9.6: it estimates before every prompt, and shortens results if that is enough. */
export const release202696: Release = {
  threshold: thresholdOf,
  // It shortens results before a prompt, whatever the setting of pruning.
  looksBack: () => true,
  results: resultChars202696,
  begin: (plan) => new Run202696(plan),
};

function thresholdOf(chosen: PolicyChosen): Tokens {
  return Math.max(1, chosen.window - effectiveReserve(chosen.window, reserveOf(chosen)));
}

export class Run202696 extends OpenClawRun {
  constructor(plan: PolicyPlan, rule: Partial<RunRule> = {}) {
    super(plan, {
      threshold: thresholdOf(plan),
      leastWindow: CURRENT_BLOCK_BELOW_TOKENS,
      pruning: pruning202696,
      ...rule,
    });
  }

  protected override tokensAbove(view: ContextView): Tokens {
    return this.used(view) + addedPressure(view) - this.threshold;
  }

  /** Shortens results alone if that is enough, after a compaction, or not at all. */
  protected override fitted(view: ContextView, above: Tokens): Compaction | undefined {
    const reduced = reducedResults(view, this.settings, view.items.results());
    const route = promptRoute(above, reduced.chars);
    if (route === "truncate_tool_results_only" && reduced.truncated.length > 0) {
      return keepingAll(view, "trim", { truncated: reduced.truncated });
    }
    const compaction = this.compacted(view, "threshold");
    if (route !== "compact_then_truncate" || compaction === undefined) return compaction;
    const left = itemsAt(view, compaction.kept);
    return { ...compaction, truncated: reducedResults(view, this.settings, left).truncated };
  }

  /** The range begins after the last summary. Keeps less if the provider counts more than the estimate. */
  protected override cutAfterSummary(view: ContextView, to: number): PlannedCut | undefined {
    const range = { from: Math.min(this.summary === undefined ? 0 : 1, to), to };
    const keep = this.keepRecentTokens;
    const held = this.held(view);
    const cut = currentCut(held, range, keep / budgetScale(this.used(view), countBetween(held, 0, to), keep));
    return cut.at > range.from ? { ...cut, range } : undefined;
  }

  /** If every call fails, or the answer is empty, it gives up. */
  protected override replaced(view: ContextView, cut: PlannedCut): Retention {
    const { history, prefix } = summarised(cut);
    const held = this.held(view);
    const limits = {
      window: view.window,
      maxHistoryShare: this.maxHistoryShare,
      tokensBefore: view.history,
      previousSummary: this.summary?.tokens ?? 0,
    };
    if (givesNoSummary(this.settings.failSummary, view.summaryCalls)) {
      const [messages, turnPrefix] = [plannedMessages(held, history), plannedMessages(held, prefix)];
      const { tokens } = failedAttempts({ history: messages, turnPrefix, ...limits });
      return unchanged(view, "failed", tokens);
    }
    const { tokens: callTokens, ...metrics } = summaryPlan({
      history: unitSums(held, history, true),
      turnPrefix: unitSums(held, prefix, true),
      ...limits,
      summary: this.summaryTokens,
      current: true,
    });
    const summary = { tokens: this.summaryTokens, chars: undefined, isNote: false, carries: this.summary?.files };
    return this.put(view, cut, { ...summary, callTokens, figures: metrics });
  }
}

/** The assumed cost of messages after the last response; before the first response, of all messages. */
function addedPressure(view: ContextView): Tokens {
  if (view.request === 0) return Math.ceil(view.history * PRESSURE_MARGIN);
  const measured = view.columns.measures["openclaw.pressure"];
  if (measured === undefined) return Math.ceil(view.added * PRESSURE_MARGIN);
  let tokens = 0;
  for (let position = runEnd(view); position < view.items.length; position++) {
    const item = view.items.at(position);
    tokens += measured[item] ?? view.tokensOf(item);
  }
  return Math.ceil(tokens * PRESSURE_MARGIN);
}

/**
 * Tokens that release 2026.9.6 sends for a summary whose calls all fail: it gives up after the first chunk. Computed from sizes alone, without the
 * prompts. Browser-safe. Source: README.md, "Summaries"; openclaw@2026.9.6, agents/compaction.
 */
interface FailedAttemptsInput extends Summarised<readonly PlannedMessage[]> {
  /** Size of the previous summary; 0 if there is none. It is summarised with the rest. */
  readonly previousSummary: Tokens;
}

interface FailedAttempts {
  readonly calls: number;
  readonly tokens: Tokens;
}

/** Number of attempts for every call. Source: openclaw@2026.9.6, agents/compaction, `attempts`. */
const ATTEMPTS = 3;

export function failedAttempts(input: FailedAttemptsInput): FailedAttempts {
  const { history, turnPrefix, window } = input;
  const dropped = droppedOf(input);
  const stage = [dropped, history, turnPrefix].find(({ length }) => length > 0) ?? [];
  const measured = stage === dropped ? dropped : [...history, ...turnPrefix];
  const previous = stage === turnPrefix || input.previousSummary === 0 ? [] : [{ tokens: input.previousSummary }];
  const most = chunkTokens(chunkRatioOf(tokensOf(measured), measured.length, window), window, true);
  const part = firstPart([...previous, ...stage], most);
  const small = withoutOversized(part, window);
  const tries = small.length > 0 && small.length < part.length ? [part, small] : [part];
  const sent = tries.map((messages) => firstChunk(messages, most));
  return { calls: ATTEMPTS * tries.length, tokens: ATTEMPTS * sumOf(sent) };
}

function tokensOf(messages: readonly PlannedMessage[]): Tokens {
  return sumOf(messages.map(({ tokens }) => tokens));
}

/** The separately summarised part: the oldest messages, until the rest is within its share, and the results that lose their call through that. */
function droppedOf(input: FailedAttemptsInput): readonly PlannedMessage[] {
  const { history, turnPrefix, window, maxHistoryShare } = input;
  const summarizable = tokensOf(history) + tokensOf(turnPrefix);
  if (!hasMuchNewContent(input.tokensBefore, summarizable, window, maxHistoryShare)) return [];
  const budget = Math.max(1, Math.floor(window * maxHistoryShare));
  const dropped: PlannedMessage[] = [];
  let kept = history;
  while (tokensOf(kept) > budget) {
    const groups = groupsOf(kept);
    const [first, ...others] = shareEnds(groups.map(tokensOf));
    if (first === undefined || others.length === 0) break;
    const rest = repaired(groups.slice(first).flat());
    dropped.push(...groups.slice(0, first).flat(), ...rest.discarded);
    kept = rest.messages;
  }
  return inOrderOf(history, dropped);
}

/** Some of the messages in their original order; any that are not among them come last. */
function inOrderOf(messages: readonly PlannedMessage[], some: readonly PlannedMessage[]): readonly PlannedMessage[] {
  const places = new Map(messages.map((message, at) => [message, at]));
  const place = (message: PlannedMessage) => places.get(message) ?? messages.length;
  return some.toSorted((one, other) => place(one) - place(other));
}

/** The older half, if one call does not take all messages. */
function firstPart(messages: readonly PlannedMessage[], most: Tokens): readonly PlannedMessage[] {
  const tokens = tokensOf(messages);
  const isSplit = messages.length >= MIN_MESSAGES_FOR_SPLIT && tokens > most;
  return isSplit ? firstWithin(messages, tokens / 2, 2) : messages;
}

/** The messages without oversized ones; an oversized response or result removes all responses and results of its group. */
function withoutOversized(messages: readonly PlannedMessage[], window: Tokens): readonly PlannedMessage[] {
  const isLarge = ({ tokens }: PlannedMessage) => isOversizedSize(tokens, window);
  return groupsOf(messages).flatMap((group) => {
    const parted = group.some((message) => isLarge(message) && isExchange(message));
    return group.filter((message) => !isLarge(message) && !(parted && isExchange(message)));
  });
}

function isExchange({ calls, answers }: PlannedMessage): boolean {
  return calls !== undefined || answers !== undefined;
}

function firstChunk(messages: readonly PlannedMessage[], most: Tokens): Tokens {
  return tokensOf(firstWithin(messages, Math.max(1, Math.floor(most / SAFETY_MARGIN))));
}

/** The first of neighbouring parts within a maximum, with groups kept whole. */
function firstWithin(messages: readonly PlannedMessage[], most: Tokens, parts?: number): readonly PlannedMessage[] {
  const groups = groupsOf(messages);
  return groups.slice(0, endsWithin(groups.map(tokensOf), most, parts)[0]).flat();
}
