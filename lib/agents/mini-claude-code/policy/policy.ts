import type { Tokens } from "@/lib/core/base/units";
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
import { bySummary, callSize, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { runEnd } from "@/lib/core/compaction/selection";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/settings/common-settings";
import { numberSetting } from "@/lib/core/compaction/settings/settings";
import { from, joined } from "@/lib/core/compaction/simulation/positions";
import { compressionLimit, EMPTY_HINT_TOKENS } from "../constants";
import { MINI_PRESETS, type MiniPreset, miniPreset, miniSettings } from "../presets";
import { asDocumented } from "./as-documented";
import { current } from "./current";
import { entryTokens } from "./entry";
import { type Release, tokensThrough } from "./release";

const RELEASES: Readonly<Record<MiniPreset, Release>> = { "as-documented": asDocumented, current };

/**
 * mini-claude-code's compaction over numbers: above a share of the window, a summary in the system prompt replaces the history. Source:
 * README.md, "Compression".
 */
export const miniClaudeCodePolicy: Policy = {
  id: "mini-claude-code",
  label: "mini-claude-code",
  presets: MINI_PRESETS,
  presetDates: { current: "2026-02" },
  settings: miniSettings,
  entryRule: { settings: ["toolOutputChars"], tokens: entryTokens },
  // Tokens are whole numbers, so above the limit and above its floor are the same.
  threshold: (chosen) => Math.floor(limitOf(chosen)),
  begin: (plan) => new MiniRun(plan),
};

function limitOf({ window, settings }: PolicyChosen): number {
  return compressionLimit(window, numberSetting(settings, "threshold"));
}

class MiniRun implements PolicyRun {
  readonly #release: Release;
  readonly #limit: number;
  readonly #failSummary: unknown;
  readonly #summaryTokens: Tokens;
  /** The items that every compaction adds. */
  readonly #added: readonly SyntheticItem[];

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    const preset = miniPreset(plan.preset);
    this.#release = RELEASES[preset];
    this.#limit = limitOf(plan);
    this.#failSummary = settings.failSummary;
    // An empty answer counts as a summary: the lines around it stay.
    const isEmpty = summaryIsEmpty(settings.failSummary);
    this.#summaryTokens = isEmpty ? EMPTY_HINT_TOKENS[preset] : numberSetting(settings, "summaryTokens");
    const words = { name: "systemPromptSummary", role: "system", label: "summary in the system prompt" } as const;
    this.#added = [{ ...summaryItem(this.#summaryTokens), ...words }];
  }

  /** Nothing is compared before the first step. From then on it fires above the limit, never at the limit itself. */
  before(view: ContextView): Compaction | undefined {
    if (view.request === 0 || this.#release.compared(view) <= this.#limit) return undefined;
    return this.compact(view);
  }

  compact(view: ContextView): Retention {
    const end = view.turnStart ? runEnd(view) : view.items.length;
    const callTokens = callSize(tokensThrough(view, end) - view.overhead);
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
    return bySummary({
      kept: joined([...this.#release.kept(view, end), ...from(view, end)]),
      added: this.#added,
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callTokens,
    });
  }
}
