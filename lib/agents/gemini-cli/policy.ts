import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import { byRules } from "@/lib/core/compaction/by-rules";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import type {
  ContextView,
  Policy,
  PolicyPlan,
  Positions,
  Retention,
  SimulatedTrigger,
  SyntheticItem,
} from "@/lib/core/compaction/policy";
import { everything, positionsWhere } from "@/lib/core/compaction/positions";
import { perSettings, remembered } from "@/lib/core/compaction/remembered";
import { clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { firstRecorded, responseEnd, tokensBetween } from "@/lib/core/compaction/selection";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { ACKNOWLEDGEMENT, OUTPUT_CHARS } from "./constants";
import {
  growsWhenCut,
  isMasked,
  isReduced,
  type PrunableResult,
  prunableBehind,
  prunableResults,
} from "./policy-masking";
import { GEMINI_PRESETS, geminiSettings } from "./presets";
import { type Cut, splitPointOf } from "./split-point";

/**
 * Measures that this policy reads where they are there; `geminiMeasures` of the server half computes them. All by Gemini
 * CLI's own rule, whatever counts the columns: `json` UTF-16 units of the content's JSON; of a tool's result: `tokens` of its
 * part, `text` of its text alone, `cut`, `cutText` and `cutJson` the same once its output is cut, `masked` its part once
 * masked, 0 where it never is, `maskedText` and `maskedJson` the same, `cutMasked` its part once it is cut and then masked.
 */
const GEMINI_MEASURES = [
  "gemini-cli.json",
  "gemini-cli.tokens",
  "gemini-cli.text",
  "gemini-cli.cut",
  "gemini-cli.cutText",
  "gemini-cli.cutJson",
  "gemini-cli.masked",
  "gemini-cli.maskedText",
  "gemini-cli.maskedJson",
  "gemini-cli.cutMasked",
] as const;
export type GeminiMeasure = (typeof GEMINI_MEASURES)[number];

/**
 * Gemini CLI's compression over numbers: fires when the last request reached a share of the window, cuts old tool responses
 * and summarises the older 70 % of the history by its JSON. Between compressions old tool outputs are masked.
 * Source: README.md, "Preset current (0.61.0)".
 */
export const geminiPolicy: Policy = {
  id: "gemini-cli",
  label: "Gemini CLI",
  presets: GEMINI_PRESETS,
  measures: GEMINI_MEASURES,
  settings: geminiSettings,
  entryRule: { settings: [], tokens: entryTokens },
  clearsBy: "masking",
  threshold: ({ window, settings }) => Math.ceil(triggerAt(window, settings)),
  looksBack: () => true,
  begin: byRules({
    shouldCompact: triggerOf,
    compact: (view, settings) => {
      if (compresses(view, settings)) return withMasking(view, settings, compress(view, settings));
      if (onlyCuts(view, settings)) return withMasking(view, settings, cutResults(view, settings));
      const prunable = prunableResults(view, settings);
      return prunable.length > 0 ? mask(view, prunable) : unchanged(view, "blocked");
    },
  }),
};

/** Compression, and masking of what it leaves, or masking alone; else a request that does not fit is refused. Source: README.md, "Compression". */
function triggerOf(view: ContextView, settings: Settings): SimulatedTrigger | null {
  if (compresses(view, settings) || onlyCuts(view, settings) || prunableResults(view, settings).length > 0) {
    return "threshold";
  }
  return view.added > view.window - view.lastInput ? "overflow" : null;
}

const triggerAt = perSettings((window, settings) => window * numberSetting(settings, "threshold"));

function isReached(view: ContextView, settings: Settings): boolean {
  return view.lastInput > 0 && view.lastInput >= triggerAt(view.window, settings);
}

/** Whether the last request reached the threshold, and there is something to cut off. */
function compresses(view: ContextView, settings: Settings): boolean {
  return isReached(view, settings) && !hasFailed(view, settings) && historyOf(view, settings).split > 0;
}

/** Whether the threshold is reached after a compression that was thrown away, and results are left that do not fit their budget. */
function onlyCuts(view: ContextView, settings: Settings): boolean {
  if (!isReached(view, settings) || !hasFailed(view, settings)) return false;
  const { cut, end } = historyOf(view, settings);
  return cut.size > 0 && resized(view, [[0, end]], { cut, end }).tokens < view.lastInput;
}

/**
 * Whether an earlier result was larger than what it stood for: from then on the program asks for no summary. Calls that brought
 * none are no such results. Every summary added two items.
 */
function hasFailed(view: ContextView, { failSummary }: Settings): boolean {
  const { columns, summaryCalls } = view;
  if (summaryCalls === 0 || failSummary === "always" || failSummary === "empty") return false;
  let made = 0;
  while (view.synthetic(columns.length + 2 * made) !== undefined) made += 1;
  const broken = summaryCalls >= Number(failSummary) ? 1 : 0;
  return summaryCalls - made > broken;
}

/** The results that do not fit their budget are cut, and nothing else happens. */
function cutResults(view: ContextView, settings: Settings): Retention {
  const { cut } = historyOf(view, settings);
  return {
    kept: everything(view),
    truncated: [...cut],
    cleared: [],
    added: [],
    addedAt: "back",
    outcome: "trim",
    summaryTokens: 0,
    summaryCallTokens: 0,
  };
}

const RESULT = KINDS.indexOf("tool_result");
const IMAGE = KINDS.indexOf("image");
const CALL = KINDS.indexOf("tool_call");
const ASSISTANT = ROLES.indexOf("assistant");

interface History {
  /** Position behind the history's last item. */
  readonly end: number;
  /** First position that stays. */
  readonly split: number;
  /** Sizes of results that are cut. */
  readonly cut: ReadonlyMap<ItemIndex, Tokens>;
}

/** Where the history is cut, and which tool responses are. */
const historyOf = remembered((view: ContextView, settings: Settings): History => {
  const end = responseEnd(view);
  const { cuts, cut, ...history } = cutsOf(view, end, numberSetting(settings, "toolResponseTokens"));
  return { end, split: splitPointOf(cuts, { end, ...history }, 1 - numberSetting(settings, "preserve")), cut };
});

/** JSON around a text that is a content by itself. */
const WRAPPER_CHARS = JSON.stringify({ role: "user", parts: [{ text: "" }] }).length;
const ACKNOWLEDGED_CHARS = JSON.stringify({ role: "model", parts: [{ text: ACKNOWLEDGEMENT }] }).length;

/** Sizes of every row by Gemini CLI's own rule, whole and once its output is cut; `text` and `cutText` as in the measures. */
interface Sizes {
  readonly json: Int32Array;
  readonly cutJson: Int32Array;
  readonly text: Float64Array;
  readonly cutText: Float64Array;
  readonly tokens: Int32Array;
  readonly cut: Int32Array;
  readonly masked: Int32Array;
  readonly maskedText: Int32Array;
  readonly maskedJson: Int32Array;
  readonly cutMasked: Int32Array;
  /** `TRAIT` of every row: what the walk over a history asks of most rows is in one column. */
  readonly traits: Uint8Array;
}

const TRAIT = { MODEL: 1, CALL: 2, RESULT: 4 } as const;

function traitsOf({ kind, role }: SessionColumns): Uint8Array {
  return Uint8Array.from(kind, (code, row) => {
    const model = role[row] === ASSISTANT ? TRAIT.MODEL : 0;
    return model | (code === CALL ? TRAIT.CALL : 0) | (code === RESULT ? TRAIT.RESULT : 0);
  });
}

const sizes = new WeakMap<Int32Array, Sizes>();

/** The sizes of a session, put together once: a measure where it is there, else what follows from the characters. */
function sizesOf(columns: SessionColumns): Sizes {
  const { chars, length } = columns;
  const measure = (name: GeminiMeasure) => columns.measures[name];
  const key = measure("gemini-cli.json") ?? chars;
  const known = sizes.get(key);
  if (known !== undefined) return known;
  const found = {
    json: measure("gemini-cli.json") ?? chars.map((size) => WRAPPER_CHARS + size),
    cutJson: measure("gemini-cli.cutJson") ?? chars.map((size) => WRAPPER_CHARS + size),
    text: Float64Array.from(measure("gemini-cli.text") ?? Float64Array.from(chars, (size) => size / 4)),
    cutText: Float64Array.from(
      measure("gemini-cli.cutText") ?? Float64Array.from(chars, (size) => Math.min(size, OUTPUT_CHARS) / 4),
    ),
    tokens: measure("gemini-cli.tokens") ?? new Int32Array(length),
    cut: measure("gemini-cli.cut") ?? new Int32Array(length),
    masked: measure("gemini-cli.masked") ?? new Int32Array(length),
    maskedText: measure("gemini-cli.maskedText") ?? new Int32Array(length),
    maskedJson: measure("gemini-cli.maskedJson") ?? new Int32Array(length),
    cutMasked: measure("gemini-cli.cutMasked") ?? new Int32Array(length),
    traits: traitsOf(columns),
  };
  sizes.set(key, found);
  return found;
}

/**
 * Where the history may be cut: before the user contents without a tool's response. Looked at from the newest item on, as the
 * results that do not fit the budget are cut that way, and a cut result counts with what is left of it.
 */
function cutsOf(view: ContextView, end: number, budget: Tokens) {
  const { message, length } = view.columns;
  const items = view.items.list();
  const own = sizesOf(view.columns);
  const { traits, json } = own;
  const cut = new Map<ItemIndex, Tokens>();
  const starts: { readonly at: number; readonly behind: Chars }[] = [];
  let used: Tokens = 0;
  let chars: Chars = 0;
  /** Traits of the content's items so far. */
  let seen = 0;
  let complete: boolean | undefined;
  for (let position = end - 1; position >= 0; position--) {
    const item = items[position] ?? -1;
    const trait = item < length ? (traits[item] ?? 0) : addedTrait(view, item);
    seen |= trait;
    if (item >= length) chars += addedChars(view, item);
    else if ((trait & TRAIT.RESULT) === 0) chars += json[item] ?? 0;
    else if (isMaskedNow(view, item, own)) {
      used += own.maskedText[item] ?? 0;
      chars += own.maskedJson[item] ?? 0;
    } else {
      const wasCut = isAsCut(view, item, own);
      const after = own.cutText[item] ?? 0;
      const tokens = wasCut ? after : (own.text[item] ?? 0);
      const fits = tokens <= budget - used;
      const isCut = !fits && (tokens > after || (!wasCut && growsNow(view, item, own)));
      if (isCut) cut.set(item, resizedTo(view.columns, item, view.tokensOf(item), "gemini-cli.cut"));
      used += fits ? tokens : after;
      chars += (wasCut || isCut ? own.cutJson[item] : json[item]) ?? 0;
    }
    const before = position === 0 ? length : (items[position - 1] ?? length);
    if (item < length && before < length && message[before] === message[item]) continue;
    // A content's first item tells whose it is.
    const model = (trait & TRAIT.MODEL) !== 0;
    complete ??= model && (seen & TRAIT.CALL) === 0;
    if (!model && (seen & TRAIT.RESULT) === 0) starts.push({ at: position, behind: chars });
    seen = 0;
  }
  const cuts: Cut[] = starts.reverse().map(({ at, behind }) => ({ at, before: chars - behind }));
  return { cuts, cut, chars, complete: complete === true };
}

function addedChars(view: ContextView, item: ItemIndex): Chars {
  return isAcknowledgement(view.synthetic(item)) ? ACKNOWLEDGED_CHARS : WRAPPER_CHARS + view.tokensOf(item) * 4;
}

function isMaskedNow(view: ContextView, item: ItemIndex, own: Sizes): boolean {
  const [whole, after] = [own.tokens[item] ?? 0, own.masked[item] ?? 0];
  const [cut, cutMasked] = [own.cut[item] ?? 0, own.cutMasked[item] ?? 0];
  return after > 0 && isMasked(view.tokensOf(item), { whole, after, cut, cutMasked });
}

/** Whether a result stands as a cut leaves it. */
function isAsCut(view: ContextView, item: ItemIndex, { tokens, cut }: Sizes): boolean {
  const [whole, after, now] = [tokens[item] ?? 0, cut[item] ?? 0, view.tokensOf(item)];
  return growsWhenCut({ whole, cut: after }) ? Math.abs(now - after) <= 1 : isReduced(now, whole, after);
}

/** Whether a result that is put aside grows, though nothing is cut off: told under the own rule alone. */
function growsNow(view: ContextView, item: ItemIndex, { tokens, cut }: Sizes): boolean {
  const whole = tokens[item] ?? 0;
  return growsWhenCut({ whole, cut: cut[item] ?? 0 }) && Math.abs(view.tokensOf(item) - whole) <= 1;
}

function addedTrait(view: ContextView, item: ItemIndex): number {
  return isAcknowledgement(view.synthetic(item)) ? TRAIT.MODEL : 0;
}

/** An item's size after a change that the own rule measured: exact under that rule, in proportion under another. */
function resizedTo(columns: SessionColumns, item: ItemIndex, tokens: Tokens, measure: GeminiMeasure): Tokens {
  const chars = columns.chars[item] ?? 0;
  const whole = columns.measures["gemini-cli.tokens"]?.[item] ?? chars;
  const after = columns.measures[measure]?.[item] ?? Math.min(chars, OUTPUT_CHARS);
  return whole > 0 ? Math.round((tokens * after) / whole) : tokens;
}

const ACKNOWLEDGED: SyntheticItem = {
  category: "assistant",
  tokens: Math.floor(ACKNOWLEDGEMENT.length / 4),
  kind: "acknowledgement",
  name: "acknowledgement",
  role: "assistant",
  label: "acknowledgement",
};

function isAcknowledgement(item: SyntheticItem | undefined): boolean {
  return item?.kind === "acknowledgement";
}

function compress(view: ContextView, settings: Settings): Retention {
  const history = historyOf(view, settings);
  const summaryTokens = numberSetting(settings, "summaryTokens");
  const sent = summarisedTokens(view, history);
  if (summaryFails(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", sent);
  // Asked for the summary, then asked to check it: the second call holds the first answer.
  if (summaryIsEmpty(settings.failSummary)) return unchanged(view, "failed", 2 * sent);
  const callTokens = 2 * sent + summaryTokens;
  const kept = keptPositions(view, history.split);
  const added = [summaryItem(summaryTokens), ACKNOWLEDGED];
  const { tokens, truncated } = resized(view, kept, history);
  if (tokens + summaryTokens + ACKNOWLEDGED.tokens > view.lastInput) return unchanged(view, "failed", callTokens);
  return {
    kept,
    truncated,
    cleared: [],
    added,
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

/** What a summary is asked of: the history up to the cut, with the results that are put aside where it does not fit the window. */
function summarisedTokens(view: ContextView, { split, cut }: History): Tokens {
  const whole = tokensBetween(view, 0, split);
  if (whole < view.window || cut.size === 0) return whole;
  const items = view.items.list();
  let tokens = whole;
  for (let position = 0; position < split; position++) {
    const item = items[position] ?? -1;
    const size = cut.get(item);
    if (size !== undefined) tokens += size - view.tokensOf(item);
  }
  return tokens;
}

/**
 * What stays behind the cut, and the turn that every new chat begins with, less the results whose call goes; one whose call
 * the file does not name stays.
 */
function keptPositions(view: ContextView, split: number): Positions {
  const { flags, kind, pair } = view.columns;
  const first = firstRecorded(view, split);
  const isInitial = (item: ItemIndex) => ((flags[item] ?? 0) & FLAG.INITIAL_CONTEXT) !== 0;
  const isOrphan = (call: ItemIndex) => call >= 0 && !(view.items.has(call) && (call >= first || isInitial(call)));
  let gone = -1;
  return positionsWhere(view, hasInitialContext(view.columns) ? 0 : split, (item, position) => {
    // What is nested in a response goes with it: the pictures behind it.
    const nested = kind[item] === IMAGE && gone === item - 1;
    if (nested || (kind[item] === RESULT && isOrphan(pair[item] ?? -1))) gone = item;
    return gone !== item && (position >= split || isInitial(item));
  });
}

const initial = new WeakMap<Uint8Array, boolean>();

/** Whether a recording tells a turn that every new chat begins with; many have none. */
function hasInitialContext({ flags }: SessionColumns): boolean {
  const known = initial.get(flags) ?? flags.some((bits) => (bits & FLAG.INITIAL_CONTEXT) !== 0);
  initial.set(flags, known);
  return known;
}

/** The kept results that are cut, and the new history by the program's estimate: without what is about to be sent. */
function resized(view: ContextView, kept: Positions, { end, cut }: Pick<History, "end" | "cut">) {
  const items = view.items.list();
  const truncated: (readonly [ItemIndex, Tokens])[] = [];
  let tokens: Tokens = 0;
  for (const [from, to] of kept) {
    for (let position = from; position < Math.min(to, end); position++) {
      const item = items[position] ?? -1;
      const size = cut.size === 0 ? undefined : cut.get(item);
      tokens += size ?? view.tokensOf(item);
      if (size !== undefined) truncated.push([item, size]);
    }
  }
  return { tokens, truncated };
}

/** What a compression leaves, with its old tool outputs masked. Source: README.md, "Compression". */
function withMasking(view: ContextView, settings: Settings, retention: Retention): Retention {
  const cut = new Map(retention.truncated);
  const prunable = prunableBehind(view, settings, { kept: retention.kept, cut });
  if (prunable.length === 0) return retention;
  const cleared = prunable.map(
    ({ item, whole, after }) => [item, Math.round(((cut.get(item) ?? view.tokensOf(item)) * after) / whole)] as const,
  );
  const gone = new Set(cleared.map(([item]) => item));
  return { ...retention, truncated: retention.truncated.filter(([item]) => !gone.has(item)), cleared };
}

function mask(view: ContextView, prunable: readonly PrunableResult[]): Retention {
  const cleared = prunable.map(
    ({ item, whole, after }) => [item, Math.round((view.tokensOf(item) * after) / whole)] as const,
  );
  return clearing(view, cleared);
}

/** Entry rule: a tool's output of more than 40,000 characters enters as its head and tail. */
function entryTokens({ columns }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  if (columns.kind[item] !== RESULT || (columns.chars[item] ?? 0) <= OUTPUT_CHARS) return tokens;
  return resizedTo(columns, item, tokens, "gemini-cli.cut");
}
