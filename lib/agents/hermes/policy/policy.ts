import { charsOverFour } from "@/lib/core/base/characters";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { isOrphan, isUnanswered, KIND } from "@/lib/core/columns/columns";
import { givesNoSummary } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyPlan,
  PolicyRun,
  Positions,
  Retention,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, leftBy, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { positionsWhere } from "@/lib/core/compaction/simulation/positions";
import {
  ARGUMENTS_CHARS,
  CONTENT_CHARS,
  CUT_ARGUMENTS_CHARS,
  CUT_CONTENT_CHARS,
  EFFECTIVE_SAVING,
  FALLBACK_CHARS,
  FEWEST_BESIDE,
  FRAME_CHARS,
  IMAGE_LINE_CHARS,
  LONG_ARGUMENTS_CHARS,
  LONG_RESULT_CHARS,
  MAX_INEFFECTIVE,
  PROMPT_CHARS,
  RESULT_LINE_CHARS,
  SHORT_ARGUMENTS_CHARS,
} from "../base/constants";
import { HERMES_PRESETS, hermesSettings } from "../base/presets";
import { headEnd, prunedBefore, type TailLimits, tailFrom } from "./cut";
import {
  type ContextMessage,
  countOfMessage,
  heldTokens,
  messagesOf,
  positionsOf,
  type SummaryPlace,
  sentTokens,
} from "./messages";
import { triggerOf } from "./threshold";

/**
 * Hermes' context compressor, computed from the columns. At a share of the window, older results become a line, and a summary replaces the messages
 * between the first ones and the newest; later compactions keep no first messages. Source: README.md, "Rules".
 */
export const hermesPolicy: Policy = {
  id: "hermes",
  label: "Hermes Agent",
  presets: HERMES_PRESETS,
  settings: hermesSettings,
  threshold: triggerOf,
  pairedTokens: sentTokens,
  begin: (plan) => new HermesRun(plan),
};

class HermesRun implements PolicyRun {
  readonly #plan: PolicyPlan;
  readonly #trigger: Tokens;
  readonly #limits: TailLimits;
  #place: SummaryPlace = { at: 0, role: "assistant" };
  #hasCompacted = false;
  #ineffective = 0;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    this.#plan = plan;
    this.#trigger = triggerOf(plan);
    this.#limits = {
      budget: Math.trunc(this.#trigger * numberSetting(settings, "retain")),
      protectLast: numberSetting(settings, "protectLast"),
    };
  }

  before(view: ContextView): Compaction | undefined {
    if (view.history < this.#trigger) return undefined;
    const isRefused = view.history > view.window;
    if (this.#ineffective >= MAX_INEFFECTIVE && !isRefused) return undefined;
    const compaction = this.compact(view);
    return compaction === undefined || !isRefused ? compaction : { ...compaction, trigger: "overflow" };
  }

  compact(view: ContextView): Compaction | undefined {
    const { settings } = this.#plan;
    const messages = messagesOf(view, this.#place);
    const first = this.#hasCompacted ? 0 : numberSetting(settings, "protectFirst");
    if (messages.length <= first + FEWEST_BESIDE) return undefined;
    const truncated = this.#shortened(view, messages);
    const shortened = new Map(truncated);
    const head = headEnd(messages, first);
    const sizes = messages.map((message) => countOfMessage(view, message, shortened));
    const tail = tailFrom({ messages, sizes }, head, this.#limits);
    if (head >= tail) return undefined;
    const callTokens = callSize(callOf(view, messages.slice(head, tail), shortened));
    const fails = givesNoSummary(settings.failSummary, view.summaryCalls);
    if (fails && settings.abortOnFailure === true) return unchanged(view, "failed", callTokens);
    const kept = keptOf(view, [...messages.slice(0, head), ...messages.slice(tail)], this.#plan.own);
    const isKept = new Set(kept.flatMap(([from, to]) => [...view.items.list().slice(from, to)]));
    const summaryTokens = fails ? 0 : numberSetting(settings, "summaryTokens");
    const text = fails ? Math.min(charsOverFour(FALLBACK_CHARS), callTokens) : summaryTokens;
    const place = { at: head, role: roleBetween(messages[head - 1], messages[tail]) };
    const retention = bySummary({
      kept,
      truncated: truncated.filter(([item]) => isKept.has(item)),
      added: [{ ...summaryItem(text), ...(place.role === "assistant" ? { role: "assistant" } : {}) }],
      summaryTokens,
      summaryCallTokens: callTokens,
      outcome: fails ? "fallback" : "summary",
    });
    this.#compacted(view, retention, place);
    return retention;
  }

  #compacted(view: ContextView, retention: Retention, place: SummaryPlace): void {
    this.#place = place;
    this.#hasCompacted = true;
    const saved = view.history - (leftBy(view, retention).tokens - view.overhead);
    this.#ineffective = saved < view.history * EFFECTIVE_SAVING ? this.#ineffective + 1 : 0;
  }

  /** New sizes of older results and calls, and of images before the newest prompt with one. */
  #shortened(view: ContextView, messages: readonly ContextMessage[]) {
    const { items, columns } = view;
    const sizes = messages.map((message) => countOfMessage(view, message, new Map()));
    const before = prunedBefore({ messages, sizes }, this.#limits);
    const pictured = messages.findLastIndex((message) => message.role === "user" && hasImage(view, message));
    const truncated: (readonly [ItemIndex, Tokens])[] = [];
    for (const [at, { from, to, role }] of messages.entries()) {
      for (let position = from; position < to; position++) {
        const item = items.at(position);
        const isOldPicture = at < pictured || (at < before && role === "tool");
        const rule = shortening(columns.kind[item], at < before, isOldPicture);
        if (rule !== undefined && view.tokensOf(item) > charsOverFour(rule.above))
          truncated.push([item, Math.min(view.tokensOf(item), charsOverFour(rule.to))]);
      }
    }
    return truncated.toSorted((one, other) => one[0] - other[0]);
  }
}

/** Length above which a block is shortened, and its new length; `undefined` if it is kept unchanged. */
function shortening(kind: number | undefined, isOld: boolean, isOldPicture: boolean) {
  if (kind === KIND.tool_result && isOld) return { above: LONG_RESULT_CHARS, to: RESULT_LINE_CHARS };
  if (kind === KIND.tool_call && isOld) return { above: LONG_ARGUMENTS_CHARS, to: SHORT_ARGUMENTS_CHARS };
  return kind === KIND.image && isOldPicture ? { above: IMAGE_LINE_CHARS, to: IMAGE_LINE_CHARS } : undefined;
}

/** Role of the summary between two messages. If no message precedes it, the program treats the system prompt as the user's. */
function roleBetween(last: ContextMessage | undefined, next: ContextMessage | undefined): SummaryPlace["role"] {
  const before = last?.role ?? "user";
  const after = next?.role ?? "user";
  const role = before === "user" ? "assistant" : "user";
  if (role !== after) return role;
  const other = role === "user" ? "assistant" : "user";
  return other === before ? undefined : other;
}

function hasImage({ items, columns }: ContextView, { from, to }: ContextMessage): boolean {
  for (let position = from; position < to; position++) if (columns.kind[items.at(position)] === KIND.image) return true;
  return false;
}

/** Positions of messages, without calls whose result is dropped or missing, and results whose call is. */
function keptOf(view: ContextView, messages: readonly ContextMessage[], own: boolean | undefined): Positions {
  const stays = new Set<ItemIndex>();
  for (const message of messages) for (const position of positionsOf(message)) stays.add(view.items.at(position));
  return positionsWhere(view, 0, (item) => {
    const pair = view.columns.pair[item] ?? -1;
    if (!stays.has(item) || isUnanswered(view.columns, item) || (own && isOrphan(view.columns, item))) return false;
    return pair < 0 || !view.items.has(pair) || stays.has(pair) || !isCallOrResult(view, item);
  });
}

function isCallOrResult({ columns }: ContextView, item: ItemIndex): boolean {
  return columns.kind[item] === KIND.tool_call || columns.kind[item] === KIND.tool_result;
}

/** The summary call: a prompt, the earlier summary, and the messages after it, long ones cut. The earlier summary covers the messages before it. */
function callOf(
  view: ContextView,
  messages: readonly ContextMessage[],
  shortened: ReadonlyMap<ItemIndex, Tokens>,
): Tokens {
  const from = Math.max(
    0,
    messages.findLastIndex(({ isSummary }) => isSummary),
  );
  let tokens = charsOverFour(PROMPT_CHARS);
  for (const message of messages.slice(from)) {
    let content = 0;
    // For a message with a merged summary, the call holds only the summary.
    const positions = message.merged === undefined ? positionsOf(message) : [message.merged];
    for (const position of positions) {
      const item = view.items.at(position);
      const kind = view.columns.kind[item];
      const size = shortened.get(item) ?? heldTokens(view.columns, item, view.tokensOf(item));
      if (kind === KIND.tool_call) tokens += cutTo(size, ARGUMENTS_CHARS, CUT_ARGUMENTS_CHARS);
      else if (kind !== KIND.thinking && kind !== KIND.image) content += size;
    }
    tokens += charsOverFour(FRAME_CHARS);
    tokens += message.isSummary ? content : cutTo(content, CONTENT_CHARS, CUT_CONTENT_CHARS);
  }
  return tokens;
}

function cutTo(tokens: Tokens, most: Chars, left: Chars): Tokens {
  return tokens > charsOverFour(most) ? charsOverFour(left) : tokens;
}
