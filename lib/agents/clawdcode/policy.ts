import type { Tokens } from "@/lib/core/base/units";
import { byRules } from "@/lib/core/compaction/by-rules";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import type { ContextView, Outcome, Policy, Retention, SyntheticItem } from "@/lib/core/compaction/policy";
import { perSettings } from "@/lib/core/compaction/remembered";
import { summaryItem } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { memoryCount, retainCount } from "./constants";
import { filesOf, mentionsOf } from "./policy-files";
import { countMessages, mayExceed, newestFrom, withoutOrphanMessages } from "./policy-messages";
import { automaticSummaryTokens, EMPTY_SUMMARY_TOKENS, FAILURE_MESSAGE_TOKENS, promptTokens } from "./policy-summary";
import { CLAWDCODE_PRESETS, clawdcodePreset, clawdcodeSettings } from "./presets";

/** Measures that this policy reads where they are there; `clawdcodeMeasures` of the server half computes them. */
const CLAWDCODE_MEASURES = ["clawdcode.withoutCallId"] as const;
export type ClawdcodeMeasure = (typeof CLAWDCODE_MEASURES)[number];

/** The size at which it fires: rule `context`'s share of the window, or rule `session`'s own figure. */
const threshold = perSettings(
  (window: Tokens, settings: Settings): Tokens =>
    isSessionRule(settings)
      ? numberSetting(settings, "compressionThreshold")
      : Math.floor(window * numberSetting(settings, "threshold")),
);

/**
 * ClawdCode's compaction over numbers: a summary in front of the newest fifth of the messages, less the results whose call
 * went. Two triggers contradict each other, and both are offered: a share of the window, which the document recommends and the
 * program never calls, and the size of the last turn, which is in force. Memory holds 1,000 messages at most.
 */
export const clawdcodePolicy: Policy = {
  id: "clawdcode",
  label: "ClawdCode",
  presets: CLAWDCODE_PRESETS,
  measures: CLAWDCODE_MEASURES,
  settings: clawdcodeSettings,
  threshold: ({ window, settings }) => threshold(window, settings),
  begin: byRules({
    shouldCompact: (view, settings) => (fires(view, settings) || exceedsMemory(view, settings) ? "threshold" : null),
    compact,
  }),
};

function isSessionRule(settings: Settings): boolean {
  return settings.rule === "session";
}

/**
 * Rule A compares everything that would be sent (>=). Rule B compares the last turn's input and output (>), which are known
 * when the next message is added: so it fires a message late, when a person writes.
 */
function fires(view: ContextView, settings: Settings): boolean {
  const limit = threshold(view.window, settings);
  if (!isSessionRule(settings)) return view.history >= limit;
  return view.request > 0 && view.turnStart && view.lastInput + view.lastOutput > limit;
}

function exceedsMemory(view: ContextView, settings: Settings): boolean {
  const most = maxMessages(view.window, settings);
  return mayExceed(view, most) && countMessages(view) > most;
}

const maxMessages = perSettings((_window, settings) => numberSetting(settings, "maxMessages"));

function compact(view: ContextView, settings: Settings): Retention {
  const messages = memoryCount(countMessages(view), maxMessages(view.window, settings));
  if (!fires(view, settings)) return retention(view, messages, "trim");
  const automatic = isCurrent(settings) && isSessionRule(settings);
  const isEmpty = !automatic && summaryIsEmpty(settings.failSummary);
  // The source takes an empty answer for none; the document only knows of calls that fail.
  const fails =
    !automatic && (summaryFails(settings.failSummary, view.summaryCalls) || (isEmpty && isCurrent(settings)));
  if (fails && !isCurrent(settings)) return withoutSummary(view, messages, settings);
  const asked = isEmpty ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
  const summaryTokens = automatic || fails ? automaticSummaryTokens(view) : asked;
  // Where the program compacts by itself it has the messages' texts alone.
  const mentions = automatic ? [] : mentionsOf(view);
  const maxFiles = numberSetting(settings, "maxFiles");
  const summary: SyntheticItem = {
    ...summaryItem(summaryTokens),
    ...(automatic || fails ? { name: "automaticSummary", label: "automatic summary" } : {}),
    // Put in order when it is read: a replay makes many of these lists, and few are looked at.
    get files() {
      return filesOf(view.columns, mentions, maxFiles, isCurrent(settings));
    },
  };
  const retained = retainCount(messages, numberSetting(settings, "retain"));
  return {
    ...retention(view, newest(messages, retained), fails ? "fallback" : "summary"),
    added: [summary],
    summaryTokens,
    summaryCallTokens: automatic ? 0 : promptTokens(view),
    figures: { messages, retainedMessages: retained },
  };
}

/** What the document has in a failed summary's place: a note, and more of the messages. */
function withoutSummary(view: ContextView, messages: number, settings: Settings): Retention {
  const kept = retainCount(messages, numberSetting(settings, "fallbackRetain"));
  const note: SyntheticItem = {
    ...summaryItem(FAILURE_MESSAGE_TOKENS),
    kind: "note",
    name: "failureNote",
    label: "note that compaction failed",
  };
  return {
    ...retention(view, newest(messages, kept), "fallback"),
    added: [note],
    summaryCallTokens: promptTokens(view),
    figures: { messages, retainedMessages: kept },
  };
}

/** The newest messages that stay of those in memory: to the program `slice(-0)` is `slice(0)`, so a share of none is all of them. */
function newest(messages: number, retained: number): number {
  return retained === 0 ? messages : retained;
}

function isCurrent(settings: Settings): boolean {
  return clawdcodePreset(settings.rules) === "current";
}

/** The newest messages less orphans, and nothing in front of them yet. */
function retention(view: ContextView, messages: number, outcome: Outcome): Retention {
  return {
    kept: withoutOrphanMessages(view, newestFrom(view, messages)),
    truncated: [],
    cleared: [],
    added: [],
    addedAt: "front",
    outcome,
    summaryTokens: 0,
    summaryCallTokens: 0,
  };
}
