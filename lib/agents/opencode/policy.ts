import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS, ORIGINS } from "@/lib/core/columns/columns";
import { summaryFails } from "@/lib/core/compaction/common-settings";
import type { ContextView, Policy, Retention, SyntheticItem } from "@/lib/core/compaction/policy";
import { positionsOf } from "@/lib/core/compaction/positions";
import { itemsFrom, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { numberSetting, optionalNumberSetting, type Settings } from "@/lib/core/compaction/settings";
import { COMPACTION_QUESTION, CONTINUE_LABEL, CONTINUE_TEXT } from "./constants";
import { usable } from "./overflow";
import { sentChars } from "./policy-chars";
import { clearedResults } from "./policy-pruning";
import { OPENCODE_PRESETS, opencodeSettings } from "./presets";
import { tailBudget, tailStart } from "./select-tail";
import { tokensOfChars } from "./tokens";

/** Measures that this policy and the breakdown read where they are there; `opencodeMeasures` of the server half computes them. */
export const OPENCODE_MEASURES = ["opencode.json", "opencode.cleared", "opencode.turn", "opencode.panel"] as const;
export type OpencodeMeasure = (typeof OPENCODE_MEASURES)[number];

/**
 * opencode's compaction over numbers: fires when the last response's total reached what is usable of the window, summarises
 * everything but a short tail of the newest turns, and asks to go on. Where it is switched on, old tool outputs are cleared
 * after every turn. Source: systems/opencode.md §2 to §4, release 1.18.15.
 */
export const opencodePolicy: Policy = {
  id: "opencode",
  label: "opencode",
  presets: OPENCODE_PRESETS,
  measures: OPENCODE_MEASURES,
  settings: opencodeSettings,
  threshold: usableOf,
  shouldCompact: (view, settings) =>
    overflows(view, settings) || clearedResults(view, settings).length > 0 ? "threshold" : null,
  compact: (view, settings) => (overflows(view, settings) ? compact(view, settings) : clear(view, settings)),
};

/**
 * What is usable of the window. A reserve counts only below a model's input limit: where one is set, the window is taken
 * for that limit.
 */
function usableOf(window: Tokens, settings: Settings): Tokens {
  const reserved = optionalNumberSetting(settings, "reserved") ?? undefined;
  const config = { reserved, maxOutput: numberSetting(settings, "maxOutputTokens") };
  // The model's own limit is not known: the longest answer is what is asked for.
  const input = reserved === undefined ? undefined : window;
  return usable({ context: window, output: 0, input }, config);
}

function overflows(view: ContextView, settings: Settings): boolean {
  return view.lastInput > 0 && view.lastInput + view.lastOutput >= usableOf(view.window, settings);
}

/** JSON of a user message of one text, as it is sent. */
function messageChars(text: string): number {
  return JSON.stringify({ role: "user", content: [{ type: "text", text }] }).length;
}

/** With the comma behind it. */
const CONTINUE_CHARS = messageChars(CONTINUE_TEXT) + 1;

const QUESTION: SyntheticItem = {
  category: "user",
  tokens: tokensOfChars(messageChars(COMPACTION_QUESTION)),
  label: "compaction request",
};
const CONTINUE: SyntheticItem = {
  category: "user",
  tokens: tokensOfChars(messageChars(CONTINUE_TEXT)),
  label: CONTINUE_LABEL,
};

function compact(view: ContextView, settings: Settings): Retention {
  const from = tailPosition(view, settings);
  const callTokens = view.history - view.overhead - sum(itemsFrom(view, from).map((item) => view.tokensOf(item)));
  if (summaryFails(settings.failSummary, view.compactions)) return unchanged(view, "failed", callTokens);
  const summaryTokens = numberSetting(settings, "summaryTokens");
  return {
    kept: positionsOf(view, withoutOrphans(view, itemsFrom(view, from))),
    truncated: [],
    cleared: [],
    added: [QUESTION, summaryItem(summaryTokens), CONTINUE],
    // In the order of the session, which later decisions go by. Sent are question and summary first.
    addedAt: "back",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

const TOOL = ORIGINS.indexOf("tool");
const TYPED = ORIGINS.indexOf("typed");
const RESULT = KINDS.indexOf("tool_result");
const IMAGE = KINDS.indexOf("image");

/** A message as opencode has it: a response with its results, or what a person wrote. */
interface Unit {
  readonly position: number;
  readonly startsTurn: boolean;
  /** JSON of what is sent for it, commas between messages counted. */
  chars: number;
}

/** First position of the tail; the number of items where nothing stays. */
function tailPosition(view: ContextView, settings: Settings): number {
  const units = unitsOf(view);
  const sums = [0];
  for (const { chars } of units) sums.push((sums.at(-1) ?? 0) + chars);
  // A list of messages is measured as one JSON: brackets around it, a comma less than messages.
  const size = (from: number, to: number) => tokensOfChars((sums[to] ?? 0) - (sums[from] ?? 0) + 1);
  const config = {
    turns: numberSetting(settings, "tailTurns"),
    tokens: optionalNumberSetting(settings, "preserveRecentTokens") ?? undefined,
  };
  const budget = tailBudget(usableOf(view.window, settings), config);
  const starts = units.map(({ startsTurn }) => startsTurn);
  const start = tailStart(starts, size, budget, config);
  return start === undefined ? view.items.length : (units[start]?.position ?? view.items.length);
}

/** The messages of the context. An earlier compaction's question and summary are none: the summary is handed over apart. */
function unitsOf(view: ContextView): readonly Unit[] {
  const { columns } = view;
  const units: Unit[] = [];
  let message = Number.NaN;
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items.at(position);
    if (item >= columns.length) {
      if (view.synthetic(item)?.label === CONTINUE_LABEL)
        units.push({ position, startsTurn: true, chars: CONTINUE_CHARS });
      message = Number.NaN;
      continue;
    }
    const own = columns.message[item] ?? Number.NaN;
    const follows = columns.origin[item] === TOOL && units.length > 0;
    if (own !== message && !follows) units.push({ position, startsTurn: startsTurn(view, item), chars: 0 });
    const unit = units.at(-1);
    if (unit !== undefined) unit.chars += sentChars(view, item) + (own === message ? 0 : 1);
    message = own;
  }
  return units;
}

function startsTurn(view: ContextView, item: ItemIndex): boolean {
  const measure = view.columns.measures["opencode.turn"];
  return measure === undefined ? view.columns.origin[item] === TYPED : measure[item] === 1;
}

function clear(view: ContextView, settings: Settings): Retention {
  return { ...unchanged(view, "skipped"), outcome: "clear", cleared: clearedResults(view, settings) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

/** Less the results whose call goes, and their media; one whose call the file does not name stays. */
function withoutOrphans(view: ContextView, kept: readonly ItemIndex[]): readonly ItemIndex[] {
  const { kind, pair, message } = view.columns;
  const left = new Set(kept);
  let orphan = -1;
  const goes = (item: ItemIndex) => {
    if (kind[item] === RESULT) orphan = (pair[item] ?? -1) >= 0 && !left.has(pair[item] ?? -1) ? item : -1;
    else if (kind[item] !== IMAGE || orphan < 0 || message[item] !== message[orphan]) orphan = -1;
    return orphan >= 0;
  };
  return kept.filter((item) => !goes(item));
}
