import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { ORIGINS, recordedContext } from "@/lib/core/columns/columns";
import { byRules } from "@/lib/core/compaction/by-rules";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import type { ContextView, Policy, Retention, SyntheticItem } from "@/lib/core/compaction/policy";
import { perSettings } from "@/lib/core/compaction/remembered";
import { clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { endWithCalls, runEnd, tokensBetween } from "@/lib/core/compaction/selection";
import { numberSetting, optionalNumberSetting, type Settings } from "@/lib/core/compaction/settings";
import { COMPACTION_QUESTION, CONTINUE_TEXT } from "./constants";
import { usable, usableOf2025 } from "./overflow";
import { sentChars } from "./policy-chars";
import { clearedResults } from "./policy-pruning";
import { OPENCODE_PRESETS, opencodeSettings } from "./presets";
import { tailBudget, tailStart } from "./select-tail";
import { tokensOfChars } from "./tokens";

/** Measures that this policy and the breakdown read where they are there; `opencodeMeasures` of the server half computes them. */
export const OPENCODE_MEASURES = ["opencode.json", "opencode.cleared", "opencode.turn", "opencode.panel"] as const;
export type OpencodeMeasure = (typeof OPENCODE_MEASURES)[number];

/** What settings make of a window. */
interface Limits {
  /** What is usable of it: the tail goes by this, whatever the rule. */
  readonly usable: Tokens;
  /** What a response's tokens are compared with. */
  readonly overflow: Tokens;
  /** Whether the rule of 2025 is in force: above the limit instead of at it. */
  readonly is2025: boolean;
}

/** A reserve counts only below a model's input limit: where one is set, the window is taken for that limit. */
const limitsOf = perSettings((window: Tokens, settings: Settings): Limits => {
  const reserved = optionalNumberSetting(settings, "reserved") ?? undefined;
  const config = { reserved, maxOutput: numberSetting(settings, "maxOutputTokens") };
  // The model's own limit is not known: the longest answer is what is asked for.
  const limit = { context: window, output: 0, input: reserved === undefined ? undefined : window };
  const is2025 = settings.overflowRule === "2025";
  const now = usable(limit, config);
  return { usable: now, overflow: is2025 ? usableOf2025(limit, config) : now, is2025 };
});

/**
 * opencode's compaction over numbers: fires when the last response's total reached what is usable of the window (by the rule of
 * 2025: went beyond it), summarises
 * everything but a short tail of the newest turns, and asks to go on. Where it is switched on, old tool outputs are cleared
 * after every turn. Source: systems/opencode.md §2 to §4, release 1.18.15.
 */
export const opencodePolicy: Policy = {
  id: "opencode",
  label: "opencode",
  presets: OPENCODE_PRESETS,
  measures: OPENCODE_MEASURES,
  settings: opencodeSettings,
  clearsBy: "pruning",
  threshold: ({ window, settings }) => Math.max(0, limitsOf(window, settings).overflow),
  looksBack: ({ settings }) => settings.prune === true,
  begin: byRules({
    shouldCompact: (view, settings) =>
      overflows(view, settings) || clearedResults(view, settings).length > 0 ? "threshold" : null,
    compact: (view, settings) => (overflows(view, settings) ? compact(view, settings) : clear(view, settings)),
  }),
};

function overflows(view: ContextView, settings: Settings): boolean {
  if (view.lastInput <= 0) return false;
  const { overflow, is2025 } = limitsOf(view.window, settings);
  const count = view.lastInput + view.lastOutput;
  return is2025 ? count - writtenToCache(view) > overflow : count >= overflow;
}

/** What the last request wrote to the cache, where its input is the recorded one: of a simulated input nobody knows. */
function writtenToCache(view: ContextView): Tokens {
  const last = view.request - 1;
  if (recordedContext(view.columns, last) !== view.lastInput) return 0;
  return Math.max(0, view.columns.requests.cacheWrite[last] ?? 0);
}

/** JSON of a user message of one text, as it is sent. */
function messageChars(text: string): Chars {
  return JSON.stringify({ role: "user", content: [{ type: "text", text }] }).length;
}

/** With the comma behind it. */
const CONTINUE_CHARS = messageChars(CONTINUE_TEXT) + 1;

const QUESTION: SyntheticItem = {
  kind: "request",
  name: "compactionRequest",
  category: "user",
  tokens: tokensOfChars(messageChars(COMPACTION_QUESTION)),
  label: "compaction request",
};
const CONTINUE: SyntheticItem = {
  kind: "request",
  name: "goOnRequest",
  category: "user",
  tokens: tokensOfChars(messageChars(CONTINUE_TEXT)),
  label: "request to go on",
};

const EMPTY_SUMMARY_TOKENS: Tokens = tokensOfChars(messageChars(""));

function compact(view: ContextView, settings: Settings): Retention {
  // It looks when a step has ended: what the person types next is not in the session yet.
  const end = view.turnStart ? runEnd(view) : view.items.length;
  const from = tailPosition(view, settings, end);
  const callTokens = view.history - view.overhead - tokensBetween(view, from, view.items.length);
  if (summaryFails(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
  // An empty answer is taken for a summary: what stays of it is the message.
  const isEmpty = summaryIsEmpty(settings.failSummary);
  const summaryTokens = isEmpty ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
  return {
    kept: endWithCalls(view, from),
    truncated: [],
    cleared: [],
    added: [QUESTION, summaryItem(summaryTokens), CONTINUE],
    // In the order of the session, which later decisions go by. Sent are question and summary first.
    addedAt: "back",
    entering: view.items.length - end,
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

const TOOL = ORIGINS.indexOf("tool");
const TYPED = ORIGINS.indexOf("typed");
/** First position of the tail; the end of the history where nothing stays. */
function tailPosition(view: ContextView, settings: Settings, end: number): number {
  const { positions, startsTurn, before } = unitsOf(view, end);
  // A list of messages is measured as one JSON: brackets around it, a comma less than messages.
  const size = (from: number, to: number) => tokensOfChars((before[to] ?? 0) - (before[from] ?? 0) + 1);
  const config = {
    turns: numberSetting(settings, "tailTurns"),
    tokens: optionalNumberSetting(settings, "preserveRecentTokens") ?? undefined,
  };
  const budget = tailBudget(limitsOf(view.window, settings).usable, config);
  const start = tailStart(startsTurn, size, budget, config);
  return start === undefined ? end : (positions[start] ?? end);
}

/** Messages as opencode has them: a response with its results, or what a person wrote. */
interface Units {
  readonly positions: readonly number[];
  readonly startsTurn: readonly boolean[];
  /** JSON of what is sent for the messages before each, commas between them counted; one entry more than messages. */
  readonly before: readonly Chars[];
}

/** The messages of the context up to a position. An earlier compaction's question and summary are none: the summary is handed over apart. */
function unitsOf(view: ContextView, end: number): Units {
  const { origin, message, length } = view.columns;
  const items = view.items.list();
  const [positions, starts, before]: [number[], boolean[], Chars[]] = [[], [], []];
  let last = Number.NaN;
  let chars: Chars = 0;
  const begin = (position: number, isTurn: boolean) => {
    positions.push(position);
    starts.push(isTurn);
    before.push(chars);
  };
  for (let position = 0; position < end; position++) {
    const item = items[position] ?? -1;
    if (item >= length) {
      last = Number.NaN;
      if (view.synthetic(item)?.name !== "goOnRequest") continue;
      begin(position, true);
      chars += CONTINUE_CHARS;
      continue;
    }
    const own = message[item] ?? Number.NaN;
    const follows = origin[item] === TOOL && positions.length > 0;
    if (own !== last && !follows) begin(position, startsTurn(view, item));
    chars += sentChars(view, item) + (own === last ? 0 : 1);
    last = own;
  }
  before.push(chars);
  return { positions, startsTurn: starts, before };
}

function startsTurn(view: ContextView, item: ItemIndex): boolean {
  const measure = view.columns.measures["opencode.turn"];
  return measure === undefined ? view.columns.origin[item] === TYPED : measure[item] === 1;
}

function clear(view: ContextView, settings: Settings): Retention {
  return clearing(view, clearedResults(view, settings));
}
