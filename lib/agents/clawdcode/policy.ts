import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails } from "@/lib/core/compaction/common-settings";
import { marksOf } from "@/lib/core/compaction/marks";
import type { ContextView, Outcome, Policy, Retention, SyntheticItem } from "@/lib/core/compaction/policy";
import { positionsOf } from "@/lib/core/compaction/positions";
import { itemsFrom, summaryItem } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { MESSAGE_TOKENS, memoryCount, QUOTED_CHARS, QUOTED_REQUESTS, retainCount, SHOWN_CHARS } from "./constants";
import { CLAWDCODE_PRESETS, clawdcodePreset, clawdcodeSettings } from "./presets";

/** Measures that this policy reads where they are there; `clawdcodeMeasures` of the server half computes them. */
export const CLAWDCODE_MEASURES = ["clawdcode.withoutCallId"] as const;
export type ClawdcodeMeasure = (typeof CLAWDCODE_MEASURES)[number];

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

/** The size at which it fires: rule A's share of the window, or rule B's own figure. */
function threshold(window: Tokens, settings: Settings): Tokens {
  return isSessionRule(settings)
    ? numberSetting(settings, "compressionThreshold")
    : Math.floor(window * numberSetting(settings, "threshold"));
}

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
  const most = numberSetting(settings, "maxMessages");
  return mayExceed(view, most) && countMessages(view) > most;
}

function compact(view: ContextView, settings: Settings): Retention {
  const messages = memoryCount(countMessages(view), numberSetting(settings, "maxMessages"));
  if (!fires(view, settings)) return retention(view, messages, "trim");
  const automatic = isCurrent(settings) && isSessionRule(settings);
  const fails = !automatic && summaryFails(settings.failSummary, view.compactions);
  if (fails && !isCurrent(settings)) {
    const kept = retainCount(messages, numberSetting(settings, "fallbackRetain"));
    const note: SyntheticItem = { ...summaryItem(FAILURE_MESSAGE_TOKENS), label: "note that compaction failed" };
    const figures = { messages, retainedMessages: kept };
    return { ...retention(view, kept, "fallback"), added: [note], summaryCallTokens: promptTokens(view), figures };
  }
  const summaryTokens = automatic || fails ? automaticSummaryTokens(view) : numberSetting(settings, "summaryTokens");
  const summary: SyntheticItem = {
    ...summaryItem(summaryTokens),
    label: automatic || fails ? "automatic summary" : "summary",
    files: filesOf(view, numberSetting(settings, "maxFiles")),
  };
  const retained = retainCount(messages, numberSetting(settings, "retain"));
  return {
    ...retention(view, retained, fails ? "fallback" : "summary"),
    added: [summary],
    summaryTokens,
    summaryCallTokens: automatic ? 0 : promptTokens(view),
    figures: { messages, retainedMessages: retained },
  };
}

function isCurrent(settings: Settings): boolean {
  return clawdcodePreset(settings.rules) === "current";
}

/** The newest messages less orphans, and nothing in front of them yet. */
function retention(view: ContextView, messages: number, outcome: Outcome): Retention {
  return {
    kept: positionsOf(view, withoutOrphanMessages(view, newestFrom(view, messages))),
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
  let count = 0;
  for (let position = 0; position < view.items.length; position++) {
    if (startsMessage(rows, view.items.at(position))) count += 1;
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

/** The items of each message from a position on. */
function messagesFrom(view: ContextView, from: number): readonly (readonly ItemIndex[])[] {
  const rows = messageRows(view.columns);
  const messages: ItemIndex[][] = [];
  for (const item of itemsFrom(view, from)) {
    const last = messages.at(-1);
    if (last === undefined || startsMessage(rows, item)) messages.push([item]);
    else last.push(item);
  }
  return messages;
}

/** The items from a position on, less the results whose call is not among them; one that names no call stays. */
function withoutOrphanMessages(view: ContextView, from: number): readonly ItemIndex[] {
  const { kind, pair, length, measures } = view.columns;
  const withoutCallId = measures["clawdcode.withoutCallId"];
  const rows = messageRows(view.columns);
  const items = itemsFrom(view, from);
  const marks = marksOf(view.columns, items);
  let orphan = false;
  return items.filter((item) => {
    // What follows a result within its message goes with it.
    if (startsMessage(rows, item)) {
      orphan = item < length && kind[item] === RESULT && withoutCallId?.[item] !== 1 && !marks.has(pair[item] ?? -1);
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
/** The note that compaction failed, with an error of two words, as a message. Source: golden `compact/throws/4`. */
const FAILURE_MESSAGE_TOKENS: Tokens = 64;

const CALL = KINDS.indexOf("tool_call");
const THINKING = KINDS.indexOf("thinking");
const USER = ROLES.indexOf("user");

/** Estimate of the summary that is made without a model: its frame, and the beginnings of the newest user messages. */
function automaticSummaryTokens(view: ContextView): Tokens {
  const requests = messagesFrom(view, 0).filter(([first = -1]) => isUserMessage(view, first));
  const quoted = requests.slice(-QUOTED_REQUESTS).map((items) => QUOTE_TOKENS + cutTokens(view, items, QUOTED_CHARS));
  if (quoted.length === 0) return AUTOMATIC_TOKENS + NO_REQUESTS_TOKENS;
  return AUTOMATIC_TOKENS + quoted.reduce((sum, tokens) => sum + Math.max(1, tokens), 0);
}

/** A summary stands as a user message. */
function isUserMessage({ columns }: ContextView, item: ItemIndex): boolean {
  return item >= columns.length || (columns.role[item] === USER && columns.kind[item] !== RESULT);
}

/** Estimate of what the summarising model is sent of the history: contents, each cut, without calls. Files come on top. */
function promptTokens(view: ContextView): Tokens {
  return messagesFrom(view, 0).reduce((sum, items) => sum + cutTokens(view, items, SHOWN_CHARS), 0);
}

/** Tokens of a message whose content goes as far as so many characters; those of a summary are taken to be four a token. */
function cutTokens(view: ContextView, items: readonly ItemIndex[], most: Chars): Tokens {
  const { columns } = view;
  let tokens = 0;
  let chars = 0;
  for (const item of items) {
    const kind = columns.kind[item];
    if (kind === CALL || kind === THINKING || kind === IMAGE) continue;
    tokens += view.tokensOf(item);
    chars += item < columns.length ? (columns.chars[item] ?? 0) : view.tokensOf(item) * 4;
  }
  if (chars <= most) return tokens;
  return ENVELOPE_TOKENS + Math.ceil((Math.max(0, tokens - ENVELOPE_TOKENS) * most) / chars);
}

/** Tools whose files are looked at, and those that change them; in other agents' recordings whatever their case. */
const FILE_TOOLS = new Set(["read", "write", "edit", "glob", "grep", "notebookedit"]);
const MODIFYING_TOOLS = new Set(["write", "edit"]);

/** Files of the context's calls: changed ones first, then by mentions, then by the last. Those in texts are not known here. */
function filesOf(view: ContextView, most: number): readonly string[] {
  const { columns, items } = view;
  const files = new Map<number, { file: number; mentions: number; last: number; modified: boolean }>();
  for (let position = 0; position < items.length; position++) {
    const item = items.at(position);
    const file = columns.file[item] ?? -1;
    const tool = columns.tables.tools[columns.tool[item] ?? -1]?.toLowerCase() ?? "";
    if (columns.kind[item] !== CALL || file < 0 || !FILE_TOOLS.has(tool)) continue;
    const known = files.get(file);
    const modified = MODIFYING_TOOLS.has(tool) || known?.modified === true;
    files.set(file, { file, mentions: (known?.mentions ?? 0) + 1, last: position, modified });
  }
  return [...files.values()]
    .sort((a, b) => Number(b.modified) - Number(a.modified) || b.mentions - a.mentions || b.last - a.last)
    .slice(0, most)
    .flatMap(({ file }) => columns.tables.files[file] ?? []);
}
