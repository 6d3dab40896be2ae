import type { Chars, ItemIndex, Share, Tokens } from "@/lib/core/base/units";
import { KIND, ROLE } from "@/lib/core/columns/columns";
import { givesNoSummary, summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { callSize, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import {
  CONTEXT_FILTER,
  MESSAGE_TOKENS,
  memoryCount,
  QUOTED_CHARS,
  QUOTED_REQUESTS,
  retainCount,
  SHOWN_CHARS,
} from "../base/constants";
import {
  CLAWDCODE_PRESETS,
  type ClawdcodePreset,
  clawdcodePreset,
  clawdcodeSettings,
  thresholdByDefault,
} from "../base/presets";
import { listing, mentionsOf } from "./files";
import { CLAWDCODE_MEASURES } from "./measures";
import {
  countMessages,
  mayExceed,
  messageRows,
  messagesWithin,
  newestFrom,
  startsMessage,
  withoutOrphanMessages,
} from "./messages";

const RESULT = KIND.tool_result;

/** Size of the automatic summary of a history as a message, without quotes. Source: golden `compact/none/0`, 90 with its "(No user messages)". */
const AUTOMATIC_TOKENS: Tokens = 86;
const NO_REQUESTS_TOKENS: Tokens = 4;
/** Tokens of a message without its content: the program's constant, and its role. */
const ENVELOPE_TOKENS: Tokens = MESSAGE_TOKENS + 1;
/** The dash and line end of a quoted request, minus the envelope of the quoted message. */
const QUOTE_TOKENS: Tokens = 2 - ENVELOPE_TOKENS;
/** The lines around a summary as a message, with an empty summary between them. The cross-check tests this number. */
const EMPTY_SUMMARY_TOKENS: Tokens = 19;
/** The note about a failed compaction as a message, with an error of two words. Source: golden `compact/throws/4`. */
const FAILURE_MESSAGE_TOKENS: Tokens = 64;

/** Estimate of a summary made without a model: its frame, and the beginnings of the newest user messages. */
function automaticSummaryTokens(view: ContextView): Tokens {
  const rows = messageRows(view.columns);
  const items = view.items.list();
  let [tokens, quoted] = [AUTOMATIC_TOKENS, 0];
  let end = items.length;
  for (let position = end - 1; position >= 0 && quoted < QUOTED_REQUESTS; position--) {
    const item = items[position] ?? -1;
    if (position > 0 && !startsMessage(rows, item)) continue;
    if (isUserMessage(view, item)) {
      tokens += Math.max(1, QUOTE_TOKENS + cutTokens(view, items, position, end, QUOTED_CHARS));
      quoted += 1;
    }
    end = position;
  }
  return quoted === 0 ? AUTOMATIC_TOKENS + NO_REQUESTS_TOKENS : tokens;
}

/** True if it is a user message; a summary counts as one. */
function isUserMessage({ columns }: ContextView, item: ItemIndex): boolean {
  return item >= columns.length || (columns.role[item] === ROLE.user && columns.kind[item] !== RESULT);
}

/** Estimate of the history in the summarising model's prompt: the contents, each of them cut, without calls. Files are added to it. */
function promptTokens(view: ContextView): Tokens {
  const rows = messageRows(view.columns);
  const items = view.items.list();
  let tokens = 0;
  let start = 0;
  for (let position = 1; position <= items.length; position++) {
    if (position < items.length && !startsMessage(rows, items[position] ?? -1)) continue;
    tokens += cutTokens(view, items, start, position, SHOWN_CHARS);
    start = position;
  }
  return tokens;
}

/**
 * Tokens of the message between two positions, with its content cut to a number of characters. For a summary, four characters are assumed for each
 * token.
 */
function cutTokens(view: ContextView, items: Int32Array, from: number, to: number, most: Chars): Tokens {
  const { columns } = view;
  let tokens = 0;
  let chars = 0;
  for (let position = from; position < to; position++) {
    const item = items[position] ?? -1;
    const size = view.tokensOf(item);
    if (item >= columns.length) {
      tokens += size;
      chars += size * 4;
      continue;
    }
    const kind = columns.kind[item];
    if (kind === KIND.tool_call || kind === KIND.thinking || kind === KIND.image) continue;
    tokens += size;
    chars += columns.chars[item] ?? 0;
  }
  if (chars <= most) return tokens;
  return ENVELOPE_TOKENS + Math.ceil((Math.max(0, tokens - ENVELOPE_TOKENS) * most) / chars);
}

const AUTOMATIC = { name: "automaticSummary", label: "automatic summary" } as const;

/**
 * Release 1.8.0. If it compacts automatically, after a turn that was too large, it has only the messages' texts and makes the summary without a
 * model. It also does so if a model's answer failed or was empty. It lists only source files.
 */
const current: Release = (settings) => {
  const isByItself = settings.rule === "session";
  const searched = isByItself ? "texts" : "texts and calls";
  const [retain, maxFiles] = [numberSetting(settings, "retain"), numberSetting(settings, "maxFiles")];
  return (view) => {
    const fails = !isByItself && givesNoSummary(settings.failSummary, view.summaryCalls);
    const isAutomatic = isByItself || fails;
    const summaryTokens = isAutomatic ? automaticSummaryTokens(view) : numberSetting(settings, "summaryTokens");
    const summary = { ...summaryItem(summaryTokens), ...(isAutomatic ? AUTOMATIC : {}) };
    return {
      item: listing(summary, view.columns, mentionsOf(view, searched), maxFiles, "source files"),
      outcome: fails ? "fallback" : "summary",
      retain,
      // Text written by the program without a model costs no output.
      summaryTokens: isByItself ? 0 : summaryTokens,
      summaryCallTokens: isByItself ? 0 : callSize(promptTokens(view)),
    };
  };
};

/** The document's replacement for a failed summary. */
const NOTE: SyntheticItem = {
  ...summaryItem(FAILURE_MESSAGE_TOKENS),
  kind: "note",
  name: "failureNote",
  label: "note that compaction failed",
};

/** The document's rules: a model makes every summary, even an empty one. If the call fails, a note takes its place, and more messages are kept. */
const asDocumented: Release = (settings) => {
  const [retain, fallbackRetain] = [numberSetting(settings, "retain"), numberSetting(settings, "fallbackRetain")];
  const maxFiles = numberSetting(settings, "maxFiles");
  const { failSummary } = settings;
  const summaryTokens = summaryIsEmpty(failSummary) ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
  return (view) => {
    const summaryCallTokens = callSize(promptTokens(view));
    if (summaryFails(failSummary, view.summaryCalls)) {
      return { item: NOTE, outcome: "fallback", retain: fallbackRetain, summaryTokens: 0, summaryCallTokens };
    }
    const item = listing(
      summaryItem(summaryTokens),
      view.columns,
      mentionsOf(view, "texts and calls"),
      maxFiles,
      "all",
    );
    return { item, outcome: "summary", retain, summaryTokens, summaryCallTokens };
  };
};

const RELEASES: Readonly<Record<ClawdcodePreset, Release>> = { "as-documented": asDocumented, current };

/**
 * ClawdCode's compaction, computed from the columns: a summary, followed by the newest fifth of the messages without results whose call was dropped.
 * Two triggers contradict each other, and both are offered: a share of the window, which the published description recommends but the program never
 * calls, and the size of the last turn, which the program uses. Memory holds at most 1,000 messages.
 */
export const clawdcodePolicy: Policy = {
  id: "clawdcode",
  label: "ClawdCode",
  presets: CLAWDCODE_PRESETS,
  presetDates: { current: "2026-02" },
  measures: CLAWDCODE_MEASURES,
  settings: clawdcodeSettings,
  threshold: thresholdOf,
  countsWithoutUsage: true,
  thresholdRule: ({ settings }) => (isSessionRule(settings) ? "betweenTurns" : undefined),
  begin: (plan) => new ClawdcodeRun(plan),
};

/** The size that triggers it: a share of the window under rule `context`, a fixed size under rule `session`. */
function thresholdOf({ preset, window, settings }: PolicyChosen): Tokens {
  if (isSessionRule(settings)) return numberSetting(settings, "compressionThreshold") || thresholdByDefault(preset);
  return Math.floor(window * numberSetting(settings, "threshold"));
}

function isSessionRule(settings: Settings): boolean {
  return settings.rule === "session";
}

class ClawdcodeRun implements PolicyRun {
  readonly #threshold: Tokens;
  readonly #isSessionRule: boolean;
  readonly #maxMessages: number;
  readonly #isFiltered: boolean;
  readonly #frontOf: (view: ContextView) => Front;

  constructor(plan: PolicyPlan) {
    const { preset, settings } = plan;
    this.#threshold = thresholdOf(plan);
    this.#isSessionRule = isSessionRule(settings);
    this.#maxMessages = numberSetting(settings, "maxMessages");
    this.#isFiltered = settings.contextFilter === true;
    this.#frontOf = RELEASES[clawdcodePreset(preset)](settings);
  }

  before(view: ContextView): Compaction | undefined {
    if (this.#fires(view)) return this.compact(view);
    const messages = this.#exceedsMemory(view) ? this.#messages(view) : undefined;
    const filtered = this.#isFiltered ? messagesWithin(view, CONTEXT_FILTER) : undefined;
    const most = Math.min(messages ?? Number.POSITIVE_INFINITY, filtered ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(most) ? { ...newest(view, most), outcome: "trim" } : undefined;
  }

  compact(view: ContextView): Compaction {
    const messages = this.#messages(view);
    const { item, retain, ...made } = this.#frontOf(view);
    const retainedMessages = retainCount(messages, retain);
    return {
      // In the program `slice(-0)` is `slice(0)`, so a share of 0 keeps all of them.
      ...newest(view, retainedMessages === 0 ? messages : retainedMessages),
      ...made,
      added: [item],
      figures: { messages, retainedMessages },
    };
  }

  /** Number of messages in memory. */
  #messages(view: ContextView): number {
    return memoryCount(countMessages(view), this.#maxMessages);
  }

  /**
   * Rule `context` compares the size of the coming request (>=). Rule `session` compares the last turn's input and output (>), which are known only
   * when the next message is added: so it fires one message late, at a user message.
   */
  #fires(view: ContextView): boolean {
    if (!this.#isSessionRule) return view.history > 0 && view.history >= this.#threshold;
    return view.request > 0 && view.turnStart && view.lastInput + view.lastOutput > this.#threshold;
  }

  #exceedsMemory(view: ContextView): boolean {
    return mayExceed(view, this.#maxMessages) && countMessages(view) > this.#maxMessages;
  }
}

/** The newest messages without orphans, with nothing added in front of them yet. */
function newest(view: ContextView, messages: number): Retention {
  return {
    ...unchanged(view, "skipped"),
    kept: withoutOrphanMessages(view, newestFrom(view, messages)),
    addedAt: "front",
  };
}

/** The items in front of the kept messages, and the way they were made. */
interface Front {
  readonly item: SyntheticItem;
  readonly outcome: "summary" | "fallback";
  /** The share of the messages to keep. */
  readonly retain: Share;
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
}

/** The rules of one release: the author of the summary, and its replacement if there is none. */
type Release = (settings: Settings) => (view: ContextView) => Front;
