import type { ItemIndex, Share, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy";
import { bySummary, clearing, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { numberSetting } from "@/lib/core/compaction/settings";
import { ACKNOWLEDGEMENT, OUTPUT_CHARS } from "../constants";
import { GEMINI_PRESETS, geminiSettings } from "../presets";
import { type History, historyOf } from "./history";
import { keptPositions, resized, summarisedTokens } from "./kept";
import { Masking } from "./masking";
import { GEMINI_MEASURES } from "./measures";
import { resizedTo } from "./sizes";

/**
 * Gemini CLI's compression over numbers: fires when the last request reached a share of the window, cuts old tool responses
 * and summarises the older 70 % of the history by its JSON. Between compressions old tool outputs are masked.
 * Source: README.md, "Preset current (0.61.0)".
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
  looksBack: () => true,
  begin: (plan) => new GeminiRun(plan),
};

/** The last request's size from which on it compresses. */
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
  /** Whether a result was larger than what it stood for: from then on no summary is asked for. Calls that brought none are no such results. */
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

  /** Compression and masking of what it leaves, or masking alone; else a request that does not fit is refused. Source: README.md, "Compression". */
  before(view: ContextView): Compaction | undefined {
    const isReached = view.lastInput > 0 && view.lastInput >= this.#trigger;
    const compressed = isReached ? this.#compressed(view) : undefined;
    if (compressed !== undefined) return { ...this.#masking.behind(view, compressed), trigger: "threshold" };
    const masked = this.#masking.before(view);
    if (masked.length > 0) return { ...clearing(view, masked), trigger: "threshold" };
    const fits = view.added <= view.window - view.lastInput;
    return fits ? undefined : { ...unchanged(view, "blocked"), trigger: "overflow" };
  }

  /** What is done at the threshold; nothing where there is nothing to cut off. */
  #compressed(view: ContextView): Retention | undefined {
    const history = historyOf(view, this.#responseBudget, this.#summarisedShare);
    if (this.#hasGrown) return onlyCut(view, history);
    return history.split > 0 ? this.#summarised(view, history) : undefined;
  }

  #summarised(view: ContextView, history: History): Retention {
    const summaryTokens = this.#summaryTokens;
    const sent = summarisedTokens(view, history);
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", sent);
    // Asked for the summary, then asked to check it: the second call holds the first answer.
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

/** After a result that had grown the results that do not fit their budget are cut, if that is less than the last request; nothing else happens. */
function onlyCut(view: ContextView, history: History): Retention | undefined {
  if (history.cut.size === 0) return undefined;
  const { tokens, truncated } = resized(view, [[0, history.end]], history);
  if (tokens >= view.lastInput) return undefined;
  return { ...unchanged(view, "skipped"), outcome: "trim", truncated };
}

const ACKNOWLEDGED: SyntheticItem = {
  category: "assistant",
  tokens: Math.floor(ACKNOWLEDGEMENT.length / 4),
  kind: "acknowledgement",
  name: "acknowledgement",
  role: "assistant",
  label: "acknowledgement",
};

/** Entry rule: a tool's output of more than 40,000 characters enters as its head and tail. */
function entryTokens({ columns }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  if (columns.kind[item] !== KIND.tool_result || (columns.chars[item] ?? 0) <= OUTPUT_CHARS) return tokens;
  return resizedTo(columns, item, tokens, "gemini-cli.cut");
}
