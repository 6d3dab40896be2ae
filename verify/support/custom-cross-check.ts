import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import { textEstimator } from "@/lib/core/tokens/item-estimator";
import { type CheckedAgent, crossCheckOf, wideBounds } from "./checked-agent";
import { addedItem, type ItemList, type ListedItem } from "./item-list";
import { LISTED_SUMMARY_TOKENS, type ListedChange, type ListedRule, listedSide } from "./listed-run";
import type { LoadedRecording } from "./loaded-recording";
import type { Variant } from "./variant";

/**
 * The custom policy against its description, which is written out here over a list of items. At a share of the window, the newest whole messages
 * within a budget are kept: at least a given number of them, and always the last one with the call that it answers. Of the user messages before
 * them, those within another budget are kept, and the last of these is truncated to the rest of it. A summary comes first. Below that share,
 * results that were first sent a given number of requests ago become placeholders. Every size is compared to the token.
 */
export const checked: CheckedAgent<"default"> = {
  policy: customPolicy,
  presets: ["default"],
  estimatorOf: () => customEstimator,
  variants: variantsOf,
  summaryTokens: LISTED_SUMMARY_TOKENS,
  boundsOf: wideBounds,
  takesAnyEstimator: true,
  variedCounting: ["estimate", "calibrated"],
  exactSide: () => listedSide(customRule),
};

export const crossCheck = crossCheckOf(checked);

/** The estimator that counts recordings; any other would do. */
export const customEstimator = textEstimator("chars-4", (text) => Math.ceil(text.length / 4));

function variantsOf({ tokens, overhead }: LoadedRecording): readonly Variant[] {
  const items = sumOf(tokens) - overhead;
  const part = (share: number) => Math.floor(items * share);
  /** Chooses the window so that the policy fires once the overhead and a share of the items are in the context. */
  const choice = (label: string, share: number, given: Variant["given"]): Variant => {
    const limit = overhead + Math.max(20, part(share));
    return { label, window: Math.ceil(limit / 0.8), given: { keepRecentTokens: 0, ...given } };
  };
  const mixed = {
    keepRecentTokens: part(0.05),
    keepUserTokens: part(0.03),
    keepRecentMessages: 2,
    clearToolResultsAfter: 3,
  };
  return [
    { label: "defaults", window: 200_000, given: {} },
    choice("a half, nothing recent", 0.5, {}),
    choice("a quarter, a tenth recent", 0.25, { keepRecentTokens: part(0.1) }),
    choice("an eighth, more recent than fits", 0.125, { keepRecentTokens: part(0.25) }),
    choice("a quarter, a share of the window recent", 0.25, { keepRecentShare: 0.3 }),
    choice("a quarter, five messages", 0.25, { keepRecentMessages: 5 }),
    choice("a sixth, typed ones", 1 / 6, { keepRecentTokens: part(0.02), keepUserTokens: part(0.04) }),
    choice("a sixth, few of the typed ones", 1 / 6, { keepRecentMessages: 1, keepUserTokens: part(0.002) }),
    choice("a sixth, fires at a third of it", 1 / 6, { keepRecentTokens: part(0.01), triggerShare: 0.33 }),
    choice("all, results cleared after one", 2, { clearToolResultsAfter: 1 }),
    choice("all, results cleared after five", 2, { clearToolResultsAfter: 5 }),
    choice("a quarter, everything at once", 0.25, mixed),
    { ...choice("a quarter, everything at once, sizes calibrated", 0.25, mixed), counting: "calibrated" },
    choice("a quarter, failing summaries", 0.25, { failSummary: "always", clearToolResultsAfter: 3 }),
    choice("a quarter, empty summaries", 0.25, { ...mixed, failSummary: "empty" }),
    choice("a quarter, the second summary fails", 0.25, { ...mixed, failSummary: "2" }),
  ];
}

/** Size of the placeholder that replaces a cleared result: `[Old tool result content cleared]`, 33 characters. */
const PLACEHOLDER: Tokens = Math.ceil("[Old tool result content cleared]".length / 4);

/** The rule for one run: it counts its summary calls. */
function customRule(): ListedRule {
  let calls = 0;
  return (list, settings, window) => {
    if (list.size === 0 || list.size < Math.floor(window * Number(settings.triggerShare)))
      return cleared(list, settings);
    calls += 1;
    const fails = ["always", "empty"].includes(String(settings.failSummary)) || settings.failSummary === String(calls);
    return fails
      ? { outcome: "failed", summaryTokens: 0, summaryCallTokens: list.size }
      : summarised(list, settings, window);
  };
}

function cleared(list: ItemList, settings: Settings): ListedChange | undefined {
  const after = Number(settings.clearToolResultsAfter);
  const request = list.request;
  const isOld = (item: ListedItem) =>
    after > 0 &&
    item.kind === "tool_result" &&
    item.isCleared !== true &&
    request - item.since >= after &&
    item.tokens > PLACEHOLDER;
  const old = new Set(list.items.filter(isOld));
  if (old.size === 0) return undefined;
  list.items = list.items.map((item) => (old.has(item) ? { ...item, tokens: PLACEHOLDER, isCleared: true } : item));
  return {
    outcome: "clear",
    summaryTokens: 0,
    summaryCallTokens: 0,
    cleared: [...old].map(({ row }) => [row ?? -1, PLACEHOLDER] as const),
  };
}

function summarised(list: ItemList, settings: Settings, window: Tokens): ListedChange {
  const summaryCallTokens = list.size;
  const summaryTokens = Number(settings.summaryTokens);
  const budget = Math.max(Number(settings.keepRecentTokens), Number(settings.keepRecentShare) * window);
  const recent = recentMessages(list.items, budget, Number(settings.keepRecentMessages));
  const before = list.items.slice(0, list.items.length - recent.length);
  const typed = typedWithin(before, Number(settings.keepUserTokens));
  list.items = [addedItem(summaryTokens, list.request), ...typed, ...answeredOf(recent)];
  const truncated = typed.filter((item) => !before.includes(item));
  return {
    outcome: "summary",
    summaryTokens,
    summaryCallTokens,
    truncated: truncated.map(({ row, tokens }) => [row ?? -1, tokens] as const),
  };
}

/** The newest whole messages within a budget, but at least a given number of them. */
function recentMessages(items: readonly ListedItem[], budget: Tokens, atLeast: number): readonly ListedItem[] {
  const messages: ListedItem[][] = [];
  for (const item of items) {
    const last = messages.at(-1);
    if (last !== undefined && item.message !== undefined && last[0]?.message === item.message) last.push(item);
    else messages.push([item]);
  }
  const recorded = messages.slice(messages.findLastIndex(([first]) => first?.message === undefined) + 1);
  const sizes = recorded.map((message) => sumOf(message.map(({ tokens }) => tokens)));
  let count = 0;
  while (count < recorded.length) {
    const tokens = sumOf(sizes.slice(sizes.length - count - 1));
    if (tokens > budget && count + 1 > atLeast) break;
    count += 1;
  }
  return recorded.slice(Math.min(recorded.length - count, lastOf(recorded))).flat();
}

/**
 * Index of the last message, or of the message with the first call that it answers. A message with nothing but results whose calls were
 * dropped, and the images of those results, is skipped.
 */
function lastOf(messages: readonly (readonly ListedItem[])[]): number {
  const holderOf = (call: ItemIndex) => messages.findIndex((items) => items.some(({ row }) => row === call));
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] ?? [];
    const holders = message.flatMap(({ call }) => (call === undefined ? [] : [holderOf(call)]));
    const present = holders.filter((holder) => holder >= 0);
    const isDropped = ({ kind, call }: ListedItem) => call !== undefined || (kind === "image" && holders.length > 0);
    if (present.length > 0 || !message.every(isDropped)) return Math.min(index, ...present);
  }
  return messages.length;
}

/** The items without results whose known call is not among them, and without the images that belong to such a result. */
function answeredOf(items: readonly ListedItem[]): readonly ListedItem[] {
  const rows = new Set(items.map(({ row }) => row));
  let isUnanswered = false;
  let message: number | undefined;
  return items.filter((item) => {
    const belongs = item.kind === "image" && item.message === message;
    if (!belongs) isUnanswered = item.kind === "tool_result" && item.call !== undefined && !rows.has(item.call);
    message = item.message;
    return !isUnanswered;
  });
}

/**
 * The newest user items within a budget, oldest first; the first one that does not fit is truncated to the rest of the budget.
 */
function typedWithin(items: readonly ListedItem[], budget: Tokens): readonly ListedItem[] {
  const kept: ListedItem[] = [];
  let remaining = budget;
  for (const item of items.filter(({ origin }) => origin === "typed").toReversed()) {
    if (remaining <= 0) break;
    kept.push(item.tokens > remaining ? { ...item, tokens: remaining } : item);
    remaining -= item.tokens;
  }
  return kept.reverse();
}
