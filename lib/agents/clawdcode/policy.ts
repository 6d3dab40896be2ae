import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import type { ContextView, Outcome, Policy, Positions, Retention, SyntheticItem } from "@/lib/core/compaction/policy";
import { positionsWhere } from "@/lib/core/compaction/positions";
import { perSettings } from "@/lib/core/compaction/remembered";
import { summaryItem } from "@/lib/core/compaction/retention";
import { firstRecorded } from "@/lib/core/compaction/selection";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { MESSAGE_TOKENS, memoryCount, QUOTED_CHARS, QUOTED_REQUESTS, retainCount, SHOWN_CHARS } from "./constants";
import { CLAWDCODE_PRESETS, clawdcodePreset, clawdcodeSettings } from "./presets";
import { isSourceFile } from "./source-file";

/** Measures that this policy reads where they are there; `clawdcodeMeasures` of the server half computes them. */
export const CLAWDCODE_MEASURES = ["clawdcode.withoutCallId"] as const;
export type ClawdcodeMeasure = (typeof CLAWDCODE_MEASURES)[number];

/** The size at which it fires: rule A's share of the window, or rule B's own figure. */
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
  threshold,
  shouldCompact: (view, settings) => (fires(view, settings) || exceedsMemory(view, settings) ? "threshold" : null),
  compact,
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
  if (fails && !isCurrent(settings)) {
    const kept = retainCount(messages, numberSetting(settings, "fallbackRetain"));
    const note: SyntheticItem = { ...summaryItem(FAILURE_MESSAGE_TOKENS), label: "note that compaction failed" };
    const figures = { messages, retainedMessages: kept };
    return {
      ...retention(view, newest(messages, kept), "fallback"),
      added: [note],
      summaryCallTokens: promptTokens(view),
      figures,
    };
  }
  const asked = isEmpty ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
  const summaryTokens = automatic || fails ? automaticSummaryTokens(view) : asked;
  // Where the program compacts by itself it has the messages' texts alone.
  const mentions = automatic ? [] : mentionsOf(view);
  const maxFiles = numberSetting(settings, "maxFiles");
  const summary: SyntheticItem = {
    ...summaryItem(summaryTokens),
    label: automatic || fails ? "automatic summary" : "summary",
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

const RESULT = KINDS.indexOf("tool_result");
const IMAGE = KINDS.indexOf("image");

/** Which items begin a message of ClawdCode's, and how many do so before each: every result is a message of its own. */
interface MessageRows {
  readonly starts: Uint8Array;
  readonly before: Int32Array;
}

const cache = new WeakMap<SessionColumns["requests"], MessageRows>();

function messageRows(columns: SessionColumns): MessageRows {
  const known = cache.get(columns.requests);
  if (known !== undefined) return known;
  const { flags, kind, length } = columns;
  const starts = new Uint8Array(length);
  const before = new Int32Array(length + 1);
  let ofResult = false;
  for (let row = 0; row < length; row++) {
    const joins =
      ((flags[row] ?? 0) & FLAG.MESSAGE_START) === 0 && kind[row] !== RESULT && (!ofResult || kind[row] === IMAGE);
    if (!joins) {
      ofResult = kind[row] === RESULT;
      if (row >= columns.overheadRows && ((flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0) starts[row] = 1;
    }
    before[row + 1] = (before[row] ?? 0) + (starts[row] ?? 0);
  }
  const rows = { starts, before };
  cache.set(columns.requests, rows);
  return rows;
}

function startsMessage({ starts }: MessageRows, item: ItemIndex): boolean {
  return item >= starts.length || starts[item] === 1;
}

/** Whether the context may hold more messages than `limit`: cheap, and never false where it does. */
function mayExceed(view: ContextView, limit: number): boolean {
  const { items, columns } = view;
  if (items.length <= limit) return false;
  const { before } = messageRows(columns);
  let first = 0;
  while (first < items.length && items.at(first) >= columns.length) first += 1;
  if (first === items.length) return first > limit;
  const last = items.at(items.length - 1);
  return first + (before[Math.min(last, columns.length - 1) + 1] ?? 0) - (before[items.at(first)] ?? 0) > limit;
}

/** Messages in the context. */
function countMessages(view: ContextView): number {
  const rows = messageRows(view.columns);
  const items = view.items.list();
  let count = 0;
  for (let position = 0; position < items.length; position++) {
    if (startsMessage(rows, items[position] ?? -1)) count += 1;
  }
  return count;
}

/** Position of the newest messages' first item; that of none is behind the last. */
function newestFrom(view: ContextView, messages: number): number {
  const rows = messageRows(view.columns);
  let left = messages;
  let position = view.items.length;
  while (position > 0 && left > 0) {
    position -= 1;
    if (startsMessage(rows, view.items.at(position))) left -= 1;
  }
  return position;
}

/** The items from a position on, less the results whose call is not among them; one that names no call stays. */
function withoutOrphanMessages(view: ContextView, from: number): Positions {
  const { kind, pair, length, measures } = view.columns;
  const withoutCallId = measures["clawdcode.withoutCallId"];
  const rows = messageRows(view.columns);
  const first = firstRecorded(view, from);
  let orphan = false;
  return positionsWhere(view, from, (item) => {
    // What follows a result within its message goes with it.
    if (startsMessage(rows, item)) {
      const call = pair[item] ?? -1;
      const isResult = item < length && kind[item] === RESULT && withoutCallId?.[item] !== 1;
      orphan = isResult && !(call >= first && view.items.has(call));
    }
    return !orphan;
  });
}

/** The automatic summary of a history as a message, quotes apart. Source: golden `compact/none/0`, 90 with its "(No user messages)". */
const AUTOMATIC_TOKENS: Tokens = 86;
const NO_REQUESTS_TOKENS: Tokens = 4;
/** What a message costs without its content: the program's constant, and its role. */
const ENVELOPE_TOKENS: Tokens = MESSAGE_TOKENS + 1;
/** A quoted request's dash and line end, less the message's own envelope. */
const QUOTE_TOKENS: Tokens = 2 - ENVELOPE_TOKENS;
/** The lines around a summary as a message, with none between them. The cross-check holds it to that. */
const EMPTY_SUMMARY_TOKENS: Tokens = 19;
/** The note that compaction failed, with an error of two words, as a message. Source: golden `compact/throws/4`. */
const FAILURE_MESSAGE_TOKENS: Tokens = 64;

const CALL = KINDS.indexOf("tool_call");
const THINKING = KINDS.indexOf("thinking");
const USER = ROLES.indexOf("user");

/** Estimate of the summary that is made without a model: its frame, and the beginnings of the newest user messages. */
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

/** A summary stands as a user message. */
function isUserMessage({ columns }: ContextView, item: ItemIndex): boolean {
  return item >= columns.length || (columns.role[item] === USER && columns.kind[item] !== RESULT);
}

/** Estimate of what the summarising model is sent of the history: contents, each cut, without calls. Files come on top. */
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
 * Tokens of the message between two positions whose content goes as far as so many characters; those of a summary are taken to
 * be four a token.
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
    if (kind === CALL || kind === THINKING || kind === IMAGE) continue;
    tokens += size;
    chars += columns.chars[item] ?? 0;
  }
  if (chars <= most) return tokens;
  return ENVELOPE_TOKENS + Math.ceil((Math.max(0, tokens - ENVELOPE_TOKENS) * most) / chars);
}

/** Tools whose files are looked at, and those that change them; in other agents' recordings whatever their case. */
const FILE_TOOLS = new Set(["read", "write", "edit", "glob", "grep", "notebookedit"]);
const MODIFYING_TOOLS = new Set(["write", "edit"]);

/** The calls of the context that name a file, oldest first. Those in texts are not known here. */
function mentionsOf({ columns, items }: ContextView): readonly ItemIndex[] {
  const { kind, file, tool, tables, length } = columns;
  const counts = tables.tools.map((name) => FILE_TOOLS.has(name.toLowerCase()));
  const list = items.list();
  const calls: ItemIndex[] = [];
  for (let position = 0; position < list.length; position++) {
    const item = list[position] ?? -1;
    if (item >= length || kind[item] !== CALL || (file[item] ?? -1) < 0) continue;
    if (counts[tool[item] ?? -1] === true) calls.push(item);
  }
  return calls;
}

/** Files of calls: changed ones first, then by mentions, then by the last message that names one; source files alone in `current`. */
function filesOf(
  columns: SessionColumns,
  calls: readonly ItemIndex[],
  most: number,
  current: boolean,
): readonly string[] {
  const files = new Map<number, { path: string; mentions: number; last: number; modified: boolean }>();
  for (const item of calls) {
    const file = columns.file[item] ?? -1;
    const path = columns.tables.files[file] ?? "";
    if (current && !isSourceFile(path)) continue;
    const tool = columns.tables.tools[columns.tool[item] ?? -1]?.toLowerCase() ?? "";
    const known = files.get(file);
    const modified = MODIFYING_TOOLS.has(tool) || known?.modified === true;
    files.set(file, { path, mentions: (known?.mentions ?? 0) + 1, last: columns.message[item] ?? -1, modified });
  }
  return [...files.values()]
    .sort((a, b) => Number(b.modified) - Number(a.modified) || b.mentions - a.mentions || b.last - a.last)
    .slice(0, most)
    .map(({ path }) => path);
}
