import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Retention,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting, optionalNumberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { endWithCalls, responseEnd, runEnd, tokensBetween, writtenToCache } from "@/lib/core/compaction/selection";
import { apportion } from "@/lib/core/tokens/item-estimator";
import { KEPT_TOOL, PRUNE_TURNS } from "../base/constants";
import { OPENCODE_PRESETS, opencodeSettings } from "../base/presets";
import { tokensOfChars } from "../messages/tokens";
import { CONTINUE, EMPTY_SUMMARY_TOKENS, isContinue, QUESTION } from "./added";
import { OPENCODE_MEASURES } from "./measures";
import { usable, usableTokens2025 } from "./overflow";
import { clearedChars, interruptedChars, sentChars } from "./sent-chars";
import { tailPosition } from "./tail";

/**
 * opencode's compaction, computed from the columns. It fires when the last response's total reached the usable part of the window (by the rule of
 * 2025: exceeded it), summarises everything except a short tail of the newest turns, and asks the model to go on. With pruning switched on, it clears
 * old tool outputs after every turn. Source: README.md, "Preset current (1.18.15)".
 */
export const opencodePolicy: Policy = {
  id: "opencode",
  label: "opencode",
  presets: OPENCODE_PRESETS,
  presetDates: { current: "2026-08" },
  measures: OPENCODE_MEASURES,
  settings: opencodeSettings,
  pairedTokens: ({ columns }, item, tokens) => tokens + tokensOfChars(interruptedChars(columns, item)),
  clearsBy: "pruning",
  threshold: (chosen) => Math.max(0, limitsOf(chosen).overflow),
  looksBack: ({ settings }) => settings.prune === true,
  begin: (plan) => new OpencodeRun(plan),
};

/** The limits that follow from the settings and a window. */
interface Limits {
  /** The usable part of the window, from which the tail's budget follows under either rule. */
  readonly usable: Tokens;
  /** The limit for a response's tokens. */
  readonly overflow: Tokens;
}

/** A reserve counts only below a model's input limit: if a reserve is set without one, the window is treated as that limit. */
function limitsOf({ window, settings }: PolicyChosen): Limits {
  const reserved = optionalNumberSetting(settings, "reserved") ?? undefined;
  const config = { reserved, maxOutput: numberSetting(settings, "maxOutputTokens") };
  const input = numberSetting(settings, "inputLimit") || (reserved === undefined ? undefined : window);
  // The model's own output limit is unknown, so the longest requested answer counts.
  const limit = { context: window, output: 0, input };
  const now = usable(limit, config);
  return { usable: now, overflow: settings.overflowRule === "2025" ? usableTokens2025(limit, config) : now };
}

class OpencodeRun implements PolicyRun {
  readonly #limits: Limits;
  /** True if the rule of 2025 applies: above the limit instead of at it. */
  readonly #is2025: boolean;
  readonly #tail: { readonly turns: number; readonly tokens: Tokens | undefined };
  /** Absent if nothing is cleared. */
  readonly #pruning: { readonly protect: Tokens; readonly minimum: Tokens } | undefined;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    const number = (key: string) => numberSetting(settings, key);
    this.#limits = limitsOf(plan);
    this.#is2025 = settings.overflowRule === "2025";
    const tokens = optionalNumberSetting(settings, "preserveRecentTokens") ?? undefined;
    this.#tail = { turns: number("tailTurns"), tokens };
    const pruning = { protect: number("pruneProtect"), minimum: number("pruneMinimum") };
    this.#pruning = settings.prune === true ? pruning : undefined;
    this.#summaryTokens = summaryIsEmpty(settings.failSummary) ? EMPTY_SUMMARY_TOKENS : number("summaryTokens");
    this.#failSummary = settings.failSummary;
  }

  /** Compacts where the last response overflowed; otherwise clears old outputs after a turn. */
  before(view: ContextView): Compaction | undefined {
    if (this.#overflows(view)) return this.compact(view);
    if (this.#pruning === undefined || !view.turnStart) return undefined;
    const cleared = clearedResults(view, this.#pruning);
    return cleared.length === 0 ? undefined : clearing(view, cleared);
  }

  #overflows(view: ContextView): boolean {
    if (view.lastInput <= 0) return false;
    const count = view.lastInput + view.lastOutput;
    const { overflow } = this.#limits;
    return this.#is2025 ? count - writtenToCache(view) > overflow : count >= overflow;
  }

  compact(view: ContextView): Retention {
    // opencode decides after a step: the next typed message is not in the session yet.
    const end = view.turnStart ? runEnd(view) : view.items.length;
    const from = tailPosition(view, end, this.#limits.usable, this.#tail);
    // A recorded context may be smaller than its counted parts.
    const callTokens = callSize(view.history - view.overhead - tokensBetween(view, from, view.items.length));
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
    return bySummary({
      kept: endWithCalls(view, from),
      added: [QUESTION, summaryItem(this.#summaryTokens), CONTINUE],
      // In the order of the session, on which later decisions depend. When sent, question and summary come first.
      addedAt: "back",
      entering: view.items.length - end,
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callTokens,
    });
  }
}

/**
 * Results that are cleared after a turn, with their remaining size; their media are removed. Source: README.md, "Preset current (1.18.15)".
 * @param protect tokens of the newest outputs that stay
 * @param minimum nothing is cleared unless more than this can be
 */
function clearedResults(
  view: ContextView,
  { protect, minimum }: { readonly protect: Tokens; readonly minimum: Tokens },
): Retention["cleared"] {
  const old = oldOutputs(view, protect);
  if (old.tokens <= minimum) return [];
  const found: Placed[] = [];
  for (const position of old.positions) {
    found.push({ position, item: view.items.at(position) });
    addMedia(view, position, found);
  }
  return remainingSizes(view, found);
}

/** Outputs older than the protected ones, newest first, and their tokens together. */
function oldOutputs(view: ContextView, protect: Tokens) {
  const { chars, length } = view.columns;
  const items = view.items.list();
  const traits = traitsOf(view.columns);
  const positions: number[] = [];
  let [turns, total, tokens] = [0, 0, 0];
  for (let position = responseEnd(view) - 1; position >= 0; position--) {
    const item = items[position] ?? -1;
    const trait = item < length ? (traits[item] ?? 0) : addedTrait(view, item);
    if (trait === TRAIT.ENDS) break;
    if ((trait & TRAIT.OPENS) !== 0) turns += 1;
    if ((trait & TRAIT.OUTPUT) === 0 || turns < PRUNE_TURNS) continue;
    if (!view.items.isWhole(item)) break;
    const size = tokensOfChars(chars[item] ?? 0);
    total += size;
    if (total <= protect) continue;
    tokens += size;
    positions.push(position);
  }
  return { positions, tokens };
}

/** Traits of an item for the walk over a context. */
const TRAIT = { OPENS: 1, OUTPUT: 2, ENDS: 4 } as const;

/** A summary ends the walk, and so does an output that was cleared before. */
function addedTrait(view: ContextView, item: ItemIndex): number {
  return isContinue(view, item) ? TRAIT.OPENS : TRAIT.ENDS;
}

const known = new WeakMap<Int32Array, Uint8Array>();

/** The rows that begin a message that opens a turn, and those with an output that may be cleared; computed once for a session. */
function traitsOf(columns: SessionColumns): Uint8Array {
  const { measures, origin, message, kind } = columns;
  const turn = measures["opencode.turn"];
  const last = known.get(turn ?? message);
  if (last !== undefined) return last;
  const opens = (row: number) => (turn === undefined ? origin[row] === ORIGIN.typed : turn[row] === 1);
  const traits = Uint8Array.from(message, (own, row) => {
    const output = kind[row] === KIND.tool_result && !isExempt(columns, row) ? TRAIT.OUTPUT : 0;
    return output | (opens(row) && message[row - 1] !== own ? TRAIT.OPENS : 0);
  });
  known.set(turn ?? message, traits);
  return traits;
}

/** True if it is a failed call, or a call of the one tool whose output is never cleared. */
function isExempt({ flags, tool, tables }: SessionColumns, item: ItemIndex): boolean {
  return ((flags[item] ?? 0) & FLAG.ERROR) !== 0 || tables.tools[tool[item] ?? -1] === KEPT_TOOL;
}

/** A position of the context, and the item there. */
interface Placed {
  readonly position: number;
  readonly item: ItemIndex;
}

/** Adds the media after a result, which are cleared with it. */
function addMedia({ columns, items }: ContextView, position: number, found: Placed[]): void {
  const message = columns.message[items.at(position)];
  for (let next = position + 1; next < items.length; next++) {
    const item = items.at(next);
    if (columns.message[item] !== message || columns.kind[item] === KIND.tool_result) break;
    if (columns.kind[item] === KIND.image) found.push({ position: next, item });
  }
}

/** Remaining sizes of cleared items, message by message: items of one message are neighbours. */
function remainingSizes(view: ContextView, cleared: readonly Placed[]): Retention["cleared"] {
  const { message } = view.columns;
  const remaining: (readonly [ItemIndex, Tokens])[] = [];
  let from = 0;
  for (let to = 1; to <= cleared.length; to++) {
    if (to < cleared.length && message[cleared[to]?.item ?? -1] === message[cleared[from]?.item ?? -1]) continue;
    remaining.push(...remainingOfMessage(view, cleared.slice(from, to)));
    from = to;
  }
  return remaining;
}

/**
 * Remaining sizes of the cleared items of one message. A message's size is that of its JSON, rounded once. Under opencode's own rule the cleared
 * items divide the part of it that the other items leave; under any other rule each shrinks in proportion.
 */
function remainingOfMessage(view: ContextView, cleared: readonly Placed[]): Retention["cleared"] {
  const { chars: whole, tokens } = sizeOfMessage(view, cleared[0]?.position ?? 0);
  const weights = cleared.map(({ item }) => clearedChars(view, item));
  if (tokens !== tokensOfChars(whole)) {
    return cleared.map(({ item }, index) => [item, inProportion(view, item, weights[index] ?? 0)]);
  }
  const removedChars = sum(cleared.map(({ item }) => sentChars(view, item))) - sum(weights);
  const others = tokens - sum(cleared.map(({ item }) => view.tokensOf(item)));
  const shares = apportion(Math.max(0, tokensOfChars(whole - removedChars) - others), weights);
  return cleared.map(({ item }, index) => [item, shares[index] ?? 0]);
}

function inProportion(view: ContextView, item: ItemIndex, chars: Chars): Tokens {
  return Math.round((view.tokensOf(item) * chars) / Math.max(1, sentChars(view, item)));
}

/** Characters and tokens of the message at a position, as the context holds it now. */
function sizeOfMessage(view: ContextView, position: number): { readonly chars: Chars; readonly tokens: Tokens } {
  const { items, columns } = view;
  const message = columns.message[items.at(position)];
  let at = position;
  while (at > 0 && columns.message[items.at(at - 1)] === message) at -= 1;
  let [chars, tokens] = [0, 0];
  for (; at < items.length && columns.message[items.at(at)] === message; at++) {
    chars += sentChars(view, items.at(at));
    tokens += view.tokensOf(items.at(at));
  }
  return { chars, tokens };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
