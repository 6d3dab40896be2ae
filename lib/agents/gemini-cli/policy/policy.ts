import type { ItemIndex, Share, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Positions,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, clearing, keepingAll, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { firstRecorded, tokensBetween } from "@/lib/core/compaction/selection";
import { positionsWhere } from "@/lib/core/compaction/simulation/positions";
import { ACKNOWLEDGEMENT, OUTPUT_CHARS } from "../base/constants";
import { GEMINI_PRESETS, geminiSettings } from "../base/presets";
import { type History, historyOf } from "./history";
import { Masking } from "./masking";
import { GEMINI_MEASURES } from "./measures";
import { resizedTo } from "./sizes";

/**
 * Gemini CLI's compression, computed from the columns. It fires when the last request reached a share of the window, cuts old tool responses, and
 * summarises the older 70 % of the history by its JSON. Between compressions it masks old tool outputs. Source: README.md, "Preset current (0.61.0)".
 */
export const geminiPolicy: Policy = {
  id: "gemini-cli",
  label: "Gemini CLI",
  presets: GEMINI_PRESETS,
  presetDates: { current: "2026-09" },
  measures: GEMINI_MEASURES,
  settings: geminiSettings,
  entryRule: { settings: [], tokens: entryTokens },
  clearsBy: "masking",
  threshold: (chosen) => Math.ceil(triggerOf(chosen)),
  thresholdRule: () => "beforePrompts",
  looksBack: () => true,
  begin: (plan) => new GeminiRun(plan),
};

/** Minimum size of the last request that triggers a compression. */
function triggerOf({ window, settings }: PolicyChosen): number {
  return window * numberSetting(settings, "threshold");
}

class GeminiRun implements PolicyRun {
  readonly #trigger: number;
  readonly #responseBudget: Tokens;
  readonly #summarisedShare: Share;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  readonly #masking: Masking;
  /**
   * True if a compression made the history larger than the part it replaced: from then on it requests no summary. Failed calls do not count as such.
   */
  #hasGrown = false;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    this.#trigger = triggerOf(plan);
    this.#responseBudget = numberSetting(settings, "toolResponseTokens");
    this.#summarisedShare = 1 - numberSetting(settings, "preserve");
    this.#summaryTokens = numberSetting(settings, "summaryTokens");
    this.#failSummary = settings.failSummary;
    this.#masking = new Masking(plan);
  }

  /**
   * Compresses, then masks the remaining results, or only masks; otherwise a request that does not fit is refused. Source: README.md,
   * "Compression".
   */
  before(view: ContextView): Compaction | undefined {
    const isReached = view.lastInput > 0 && view.lastInput >= this.#trigger;
    const compressed = isReached ? this.#compressed(view) : undefined;
    if (compressed !== undefined) return this.#masking.afterCompression(view, compressed);
    const masked = this.#masking.before(view);
    if (masked.length > 0) return clearing(view, masked);
    const fits = view.added <= view.window - view.lastInput;
    return fits ? undefined : { ...unchanged(view, "blocked"), trigger: "overflow" };
  }

  /** The compression at the threshold; `undefined` if there is nothing to cut off. */
  #compressed(view: ContextView): Retention | undefined {
    const history = historyOf(view, this.#responseBudget, this.#summarisedShare);
    if (this.#hasGrown) return onlyCut(view, history);
    return history.split > 0 ? this.#summarised(view, history) : undefined;
  }

  #summarised(view: ContextView, history: History): Retention {
    const summaryTokens = this.#summaryTokens;
    const sent = summarisedTokens(view, history);
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", sent);
    // The model writes the summary and then checks it; the second call includes the first answer.
    if (summaryIsEmpty(this.#failSummary)) return unchanged(view, "failed", 2 * sent);
    const summaryCallTokens = 2 * sent + summaryTokens;
    const kept = keptPositions(view, history.split);
    const { tokens, truncated } = resized(view, kept, history);
    this.#hasGrown = tokens + summaryTokens + ACKNOWLEDGED.tokens > view.lastInput;
    if (this.#hasGrown) return unchanged(view, "failed", summaryCallTokens);
    return bySummary({
      kept,
      truncated,
      added: [summaryItem(summaryTokens), ACKNOWLEDGED],
      summaryTokens,
      summaryCallTokens,
    });
  }
}

/**
 * After a compression that made the history larger, results that do not fit their budget are cut if that goes below the last request's size; nothing
 * else happens.
 */
function onlyCut(view: ContextView, history: History): Retention | undefined {
  if (history.cut.size === 0) return undefined;
  const { tokens, truncated } = resized(view, [[0, history.end]], history);
  if (tokens >= view.lastInput) return undefined;
  return keepingAll(view, "trim", { truncated });
}

const ACKNOWLEDGED: SyntheticItem = {
  category: "assistant",
  tokens: Math.floor(ACKNOWLEDGEMENT.length / 4),
  kind: "acknowledgement",
  name: "acknowledgement",
  role: "assistant",
  label: "acknowledgement",
};

/** Entry rule: of a tool's output above 40,000 characters only the head and tail enter. */
function entryTokens({ columns }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  if (columns.kind[item] !== KIND.tool_result || (columns.chars[item] ?? 0) <= OUTPUT_CHARS) return tokens;
  return resizedTo(columns, item, tokens, "gemini-cli.cut");
}

/** Size of the summarised part: the history up to the cut; if that does not fit the window, with the cut results. */
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
 * Kept positions: those after the cut, and the turn with which every new chat begins. Results whose call is dropped are dropped too; one whose call
 * the file does not name is kept.
 */
function keptPositions(view: ContextView, split: number): Positions {
  const { flags, kind, pair } = view.columns;
  const first = firstRecorded(view, split);
  const isInitial = (item: ItemIndex) => ((flags[item] ?? 0) & FLAG.INITIAL_CONTEXT) !== 0;
  const isOrphan = (call: ItemIndex) => call >= 0 && !(view.items.has(call) && (call >= first || isInitial(call)));
  let dropped = -1;
  return positionsWhere(view, hasInitialContext(view.columns) ? 0 : split, (item, position) => {
    // Images after a response are nested in it, and are dropped with it.
    const nested = kind[item] === KIND.image && dropped === item - 1;
    if (nested || (kind[item] === KIND.tool_result && isOrphan(pair[item] ?? -1))) dropped = item;
    return dropped !== item && (position >= split || isInitial(item));
  });
}

const initial = new WeakMap<Uint8Array, boolean>();

/** True if a recording contains the turn with which every new chat begins; many do not. */
function hasInitialContext({ flags }: SessionColumns): boolean {
  const known = initial.get(flags) ?? flags.some((bits) => (bits & FLAG.INITIAL_CONTEXT) !== 0);
  initial.set(flags, known);
  return known;
}

/** The kept results that are cut, and the size of the new history by the program's estimate, without the coming request's content. */
function resized(
  view: ContextView,
  kept: Positions,
  { end, cut }: History,
): { readonly tokens: Tokens; readonly truncated: Retention["truncated"] } {
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
