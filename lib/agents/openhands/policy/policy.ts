import { charsOverFour } from "@/lib/core/base/characters";
import type { Tokens } from "@/lib/core/base/units";
import { isUnanswered, KIND } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Positions,
  SimulatedTrigger,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { positionsWhere } from "@/lib/core/compaction/simulation/positions";
import {
  EVENT_CHARS,
  EVENT_FRAME_TOKENS,
  FEWEST_EVENTS,
  MINIMUM_PROGRESS,
  OLD_EVENT_CHARS,
  OLD_EVENT_FRAME_TOKENS,
  OLD_PROMPT_TOKENS,
  PROMPT_TOKENS,
} from "../base/constants";
import { isBeforeSdk, OPENHANDS_PRESETS, openHandsSettings } from "../base/presets";
import { type ContextEvent, cutFrom, eventsOf, tokensOfEvents, unsentRows } from "./events";

/**
 * OpenHands' summarising condenser, computed from the columns. Above a number of events, a summary replaces those between the first ones and the
 * newest half; since the SDK also above a number of tokens. Source: README.md, "Rules".
 */
export const openHandsPolicy: Policy = {
  id: "openhands",
  label: "OpenHands",
  presets: OPENHANDS_PRESETS,
  presetDates: { current: "2026-08" },
  settings: openHandsSettings,
  // It compacts above the limit; sizes are safe integers.
  threshold: (chosen) => Math.min(maxTokens(chosen) + 1, Number.MAX_SAFE_INTEGER),
  pairedTokens: ({ columns, preset, own }, item, tokens) => {
    const isUnsent = own === true ? unsentRows(columns, isBeforeSdk(preset))[item] === 1 : isUnanswered(columns, item);
    return isUnsent ? 0 : tokens;
  },
  begin: (plan) => new OpenHandsRun(plan),
};

/** Maximum tokens of a request: the set limit or the model's own, whichever is smaller; before the SDK, the model's own. */
function maxTokens({ preset, settings, window }: PolicyChosen): Tokens {
  if (isBeforeSdk(preset)) return window;
  return Math.min(numberSetting(settings, "maxTokens"), window);
}

/** Causes of a condensation; `asked` stands for a refused request and for a command. */
interface Reasons {
  readonly isAsked: boolean;
  readonly isOverEvents: boolean;
  /** Tokens to remove; absent unless the limit is exceeded. */
  readonly excess: Tokens | undefined;
}

class OpenHandsRun implements PolicyRun {
  readonly #isOld: boolean;
  readonly #maxEvents: number;
  readonly #keepFirst: number;
  readonly #maxTokens: Tokens;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  /** Rows that do not count as events: before the SDK, those that are not sent count too. */
  readonly #unsent: Uint8Array | undefined;
  /** Events before the summary in the program's order; the engine has the summary in front. */
  #summaryAt = 0;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    this.#isOld = isBeforeSdk(plan.preset);
    this.#unsent = plan.own === true && !this.#isOld ? unsentRows(plan.columns, false) : undefined;
    this.#maxEvents = numberSetting(settings, "maxEvents");
    // The program refuses a larger number.
    this.#keepFirst = Math.min(numberSetting(settings, "keepFirst"), this.#half - 2);
    this.#maxTokens = maxTokens(plan);
    // An empty answer counts as a summary.
    this.#summaryTokens = summaryIsEmpty(settings.failSummary) ? 0 : numberSetting(settings, "summaryTokens");
    this.#failSummary = settings.failSummary;
  }

  get #half(): number {
    return Math.floor(this.#maxEvents / 2);
  }

  before(view: ContextView): Compaction | undefined {
    const isRefused = view.history > view.window;
    const isLarge = isRefused || view.history > this.#maxTokens;
    // A prompt before the SDK is two events.
    if (!isLarge && view.items.length * (this.#isOld ? 2 : 1) < this.#maxEvents) return undefined;
    const events = this.#eventsOf(view);
    const isOverEvents = events.length > this.#maxEvents;
    if (!isLarge && !isOverEvents) return undefined;
    const trigger = isRefused ? "overflow" : "threshold";
    if (!this.#isOld) return this.#condense(view, events, this.#reasons(view, isOverEvents, false), trigger);
    return isRefused && !isOverEvents ? this.#window(view, events) : this.#condenseOld(view, events, trigger);
  }

  compact(view: ContextView): Compaction | undefined {
    const events = this.#eventsOf(view);
    if (view.items.length === 0) return undefined;
    // Before the SDK, it condenses as if the limit were just exceeded.
    if (this.#isOld) return events.length < FEWEST_EVENTS ? undefined : this.#condenseOld(view, events, "threshold");
    const isOverEvents = events.length > this.#maxEvents;
    return this.#condense(view, events, this.#reasons(view, isOverEvents, true), "threshold");
  }

  #eventsOf(view: ContextView): readonly ContextEvent[] {
    return eventsOf(view, this.#summaryAt, this.#isOld, this.#unsent);
  }

  #reasons({ history }: ContextView, isOverEvents: boolean, isAsked: boolean): Reasons {
    const excess = history > this.#maxTokens ? history - Math.floor(this.#maxTokens / 2) : undefined;
    return { isAsked, isOverEvents, excess };
  }

  /** Replaces the events between the first ones and a tail; replaces the whole context if that is impossible but required. */
  #condense(
    view: ContextView,
    events: readonly ContextEvent[],
    reasons: Reasons,
    trigger: SimulatedTrigger,
  ): Compaction | undefined {
    const isHard = reasons.isAsked || reasons.excess !== undefined;
    const from = cutFrom(view, events, this.#keepFirst);
    const to = cutFrom(view, events, events.length - this.#tail(view, events, reasons));
    const isPossible =
      from !== undefined && to !== undefined && to > from && to - from >= events.length * MINIMUM_PROGRESS;
    if (!isPossible && !isHard) return undefined;
    const call = isPossible ? this.#callTokens(view, events.slice(from, to)) : 0;
    const fails = summaryFails(this.#failSummary, view.summaryCalls);
    if (isPossible && !fails)
      return { ...this.#summary(view, [...events.slice(0, from), ...events.slice(to)], from, call), trigger };
    if (!isHard) return { ...unchanged(view, "failed", call), trigger };
    const all = call + this.#callTokens(view, events);
    const failsAgain = this.#failSummary === "always" || (!isPossible && fails);
    return { ...(failsAgain ? unchanged(view, "failed", all) : this.#summary(view, [], 0, all)), trigger };
  }

  /** Number of newest events to keep: the smallest that any reason requires. */
  #tail(view: ContextView, events: readonly ContextEvent[], { isAsked, isOverEvents, excess }: Reasons): number {
    const tails: number[] = [];
    if (isAsked) tails.push(Math.floor(events.length / 2) - this.#keepFirst - 1);
    if (isOverEvents) tails.push(this.#half - this.#keepFirst - 1);
    if (excess !== undefined) tails.push(events.length - prefixAbove(view, events, this.#keepFirst, excess));
    return Math.min(...tails);
  }

  /** Before the SDK: the newest half is kept, wherever it begins. Results without a call and calls without a result are not sent. */
  #condenseOld(view: ContextView, events: readonly ContextEvent[], trigger: SimulatedTrigger): Compaction {
    const half = Math.min(this.#half, Math.floor(events.length / 2));
    const first = Math.max(0, Math.min(this.#keepFirst, half - 2));
    const to = events.length - (half - first - 1);
    const call = this.#callTokens(view, events.slice(first, to));
    if (summaryFails(this.#failSummary, view.summaryCalls)) return { ...unchanged(view, "failed", call), trigger };
    const kept = events.filter(({ kind }, at) => kind !== "summary" && (at < first || at >= to));
    return { ...this.#summary(view, kept, first, call), trigger };
  }

  /** Before the SDK, after a refusal: keeps the first prompt and the newest half of the rest, without a summary. */
  #window(view: ContextView, events: readonly ContextEvent[]): Compaction | undefined {
    const first = events.findIndex(({ kind }) => kind === "typed");
    if (first < 0) return undefined;
    const isEssential = (at: number) =>
      at === 0 || at === first || at === first + 1 || (at === first + 2 && events[at]?.kind === "context");
    const essential = events.filter((_, at) => isEssential(at)).length;
    let from = events.length - Math.max(1, Math.floor((events.length - essential) / 2));
    while (events[from]?.kind === "result" || events[from]?.kind === "context") from += 1;
    const kept = events.filter(({ kind }, at) => isEssential(at) || at >= from || kind === "summary");
    if (kept.length === events.length) return undefined;
    return {
      ...bySummary({ kept: whole(view, kept), added: [], summaryTokens: 0, summaryCallTokens: 0, outcome: "trim" }),
      trigger: "overflow",
    };
  }

  #summary(view: ContextView, kept: readonly ContextEvent[], summaryAt: number, callTokens: Tokens): Compaction {
    this.#summaryAt = summaryAt;
    return bySummary({
      kept: whole(view, kept),
      added: [summaryItem(this.#summaryTokens)],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callSize(callTokens),
    });
  }

  /** Tokens of the summary call: the prompt, and the beginning of every event without its thinking; since the SDK also without its calls. */
  #callTokens(view: ContextView, events: readonly ContextEvent[]): Tokens {
    const [prompt, frame, chars] = this.#isOld
      ? [OLD_PROMPT_TOKENS, OLD_EVENT_FRAME_TOKENS, OLD_EVENT_CHARS]
      : [PROMPT_TOKENS, EVENT_FRAME_TOKENS, EVENT_CHARS];
    const most = charsOverFour(chars);
    let tokens = prompt;
    for (const { from, to } of events) {
      let text = 0;
      for (let position = from; position < to; position++) {
        const item = view.items.at(position);
        const kind = view.columns.kind[item];
        const isSent = kind !== KIND.thinking && kind !== KIND.image && (this.#isOld || kind !== KIND.tool_call);
        if (isSent) text += view.tokensOf(item);
      }
      tokens += frame + Math.min(text, most);
    }
    return tokens;
  }
}

/** Number of events at the front, including the kept ones, whose removal frees more than `excess` tokens. */
function prefixAbove(view: ContextView, events: readonly ContextEvent[], keepFirst: number, excess: Tokens): number {
  let tokens = 0;
  let at = keepFirst;
  while (at < events.length && tokens <= excess) {
    tokens += tokensOfEvents(view, events.slice(at, at + 1));
    at += 1;
  }
  return at;
}

/** Positions of events, without results whose call is dropped and calls whose result is dropped. */
function whole(view: ContextView, events: readonly ContextEvent[]): Positions {
  const { columns } = view;
  const stays = new Set<number>();
  for (const { from, to } of events)
    for (let position = from; position < to; position++) stays.add(view.items.at(position));
  return positionsWhere(view, 0, (item) => {
    if (!stays.has(item)) return false;
    const pair = columns.pair[item] ?? -1;
    const isPaired = columns.kind[item] === KIND.tool_call || columns.kind[item] === KIND.tool_result;
    return !isPaired || pair < 0 || !view.items.has(pair) || stays.has(pair);
  });
}
