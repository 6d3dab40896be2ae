import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  Retention,
} from "@/lib/core/compaction/policy/policy";
import { BLOCK_BELOW_TOKENS, OPENCLAW_MEASURES } from "../base/constants";
import { losesKept, OPENCLAW_PRESETS, type OpenClawPreset, openClawPreset } from "../base/presets";
import { unitSizes, unitSums } from "./context-units";
import { documentedCut } from "./cut";
import { emptySummaryChars, type FailedSummary, failedSummary } from "./failed-summary";
import { pairedTokens } from "./pairing";
import { pruning202621 } from "./pruning";
import { isPruned, type Release, reserveOf } from "./release";
import { release202657 } from "./release-2026.5.7";
import { release202696 } from "./release-2026.9.6";
import { resultChars202621 } from "./result-chars";
import { OpenClawRun, type PlannedCut, summarised } from "./run";
import { openClawSettings } from "./settings";
import { CHARS_PER_TOKEN, resizedTokens, tokensOf } from "./sizes";
import { type SummaryPlan, summaryPlan } from "./summary-calls";
import type { Range } from "./unit-sums";

/** Release 2026.2.1: it compares the last response's usage, and replaces a missing summary with a note. */
const release202621: Release = {
  threshold: thresholdOf,
  thresholdRule: "betweenTurns",
  looksBack: isPruned,
  results: resultChars202621,
  begin: (plan) => new Run202621(plan),
};

function thresholdOf(chosen: PolicyChosen): Tokens {
  return chosen.window - reserveOf(chosen);
}

class Run202621 extends OpenClawRun {
  readonly #losesKept: boolean;

  constructor(plan: PolicyPlan) {
    super(plan, { threshold: thresholdOf(plan), leastWindow: BLOCK_BELOW_TOKENS, pruning: pruning202621 });
    this.#losesKept = losesKept(openClawPreset(plan.preset));
  }

  /** Nothing is compared before the first response. */
  protected override tokensAbove(view: ContextView): Tokens {
    return view.request === 0 ? 0 : this.used(view) - this.threshold;
  }

  protected override fitted(view: ContextView): Compaction | undefined {
    return this.compacted(view, "threshold");
  }

  /** As released, a cut considers only items after those that the previous compaction kept, which are thus lost. */
  protected override cutAfterSummary(view: ContextView, to: number): PlannedCut | undefined {
    let from = this.summary === undefined ? 0 : 1;
    while (this.#losesKept && from < to && this.wasThere(view, view.items.at(from))) from += 1;
    const range = { from: Math.min(from, to), to };
    if (range.from >= range.to) return undefined;
    return { ...documentedCut(this.held(view), range, this.keepRecentTokens, this.compactedRows), range };
  }

  /**
   * An extension makes every compaction of this release, so file lists are not passed on. If nothing is to be summarised, no call
   * is made: the previous summary stays, or a note says that there is none.
   */
  protected override replaced(view: ContextView, cut: PlannedCut): Retention {
    const { failSummary } = this.settings;
    const { tokens, ...plan } = this.#plan(view, cut);
    const isNote = plan.calls === 0 || summaryFails(failSummary, view.summaryCalls);
    const failed = isNote ? this.#noteFor(view, cut) : undefined;
    const chars = failed?.chars ?? (summaryIsEmpty(failSummary) ? this.#emptyChars(view, cut) : undefined);
    return this.put(view, cut, {
      tokens: chars === undefined ? this.summaryTokens : tokensOf(chars),
      chars,
      isNote: failed !== undefined,
      carries: undefined,
      callTokens: failed?.tokens ?? tokens,
      figures: { ...plan, calls: failed?.calls ?? plan.calls },
    });
  }

  #plan(view: ContextView, cut: PlannedCut): SummaryPlan {
    const { history, prefix } = summarised(cut);
    return summaryPlan({
      history: unitSums(this.held(view), history, false),
      turnPrefix: unitSums(this.held(view), prefix, false),
      window: view.window,
      maxHistoryShare: this.maxHistoryShare,
      tokensBefore: view.history,
      previousSummary: this.summary?.tokens ?? 0,
      summary: summaryIsEmpty(this.settings.failSummary) ? 0 : this.summaryTokens,
      current: false,
    });
  }

  /** Chars of its summary of empty answers: the words between their parts, and its additions to any summary. */
  #emptyChars(view: ContextView, cut: PlannedCut): Chars {
    const { history, prefix } = summarised(cut);
    const parts = emptySummaryChars(history.to > history.from, prefix.to > prefix.from, this.#previousChars());
    return parts + sectionChars(view, { from: cut.range.from, to: cut.at });
  }

  /** The note in place of the summary if every call fails, with the additions to any summary. */
  #noteFor(view: ContextView, cut: PlannedCut): FailedSummary {
    const { history, prefix } = summarised(cut);
    const failed = failedSummary({
      history: unitSizes(this.held(view), history),
      turnPrefix: unitSizes(this.held(view), prefix),
      window: view.window,
      maxHistoryShare: this.maxHistoryShare,
      tokensBefore: view.history,
      previousSummary: this.#previousChars(),
    });
    return { ...failed, chars: failed.chars + sectionChars(view, { from: cut.range.from, to: cut.at }) };
  }

  /** Length of the previous summary; absent if there is none. */
  #previousChars(): Chars | undefined {
    return this.summary && (this.summary.chars ?? this.summary.tokens * CHARS_PER_TOKEN);
  }
}

const RELEASES: Readonly<Record<OpenClawPreset, Release>> = {
  "as-documented": release202621,
  "release-2026-02": release202621,
  "release-2026-05": release202657,
  current: release202696,
};

function releaseOf({ preset }: Pick<PolicyChosen, "preset">): Release {
  return RELEASES[openClawPreset(preset)];
}

/**
 * OpenClaw's context management, computed from the columns. `as-documented` (2026.2.1) checks the last response's usage between runs, and cuts like
 * pi 0.51; `release-2026-02` also has a defect of that pi, and loses the items that the last compaction kept. `release-2026-05` (2026.5.7) also
 * estimates every prompt before it is sent, and leaves a part of small windows for it; `current` (2026.9.6) overestimates the messages since the last
 * response, and may shorten tool results instead of compacting. In all of them, the turns of a direct chat are limited, old results are pruned after
 * an idle time, and memories are written down shortly before a compaction. Source: README.md, "Rules".
 */
export const openClawPolicy: Policy = {
  id: "openclaw",
  label: "OpenClaw",
  presets: OPENCLAW_PRESETS,
  presetDates: { current: "2026-09" },
  settings: openClawSettings,
  measures: OPENCLAW_MEASURES,
  entryRule: { settings: ["toolResultChars"], tokens: entryTokens },
  pairedTokens,
  clearsBy: "pruning",
  countsWithoutUsage: true,
  threshold: (chosen) => releaseOf(chosen).threshold(chosen),
  thresholdRule: (chosen) => releaseOf(chosen).thresholdRule,
  looksBack: (chosen) => releaseOf(chosen).looksBack(chosen),
  begin: (plan) => releaseOf(plan).begin(plan),
};

/** Entry rule: a result is cut to the output limit of OpenClaw's own tools; `current` also cuts it to its limit. */
function entryTokens(plan: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const { columns, settings } = plan;
  if (columns.kind[item] !== KIND.tool_result) return tokens;
  const { recorded, entered, uncut } = releaseOf(plan).results;
  const rest = uncut(columns, item);
  return resizedTokens(tokens, rest + recorded(columns, item), rest + entered(columns, item, settings));
}

/**
 * Chars of the sections that 2026.2.1 adds to every summary, and to the note that replaces one: failed tool calls, and files that were read and
 * changed. Over numbers; the same rules as `tool-failures.ts` and `file-operations.ts`. Source: README.md, "Summaries".
 */

function sectionChars(view: ContextView, range: Range): Chars {
  return failuresChars(view, range) + filesChars(view, range);
}

/** Maximum number of failed calls that a summary lists. */
const MAX_FAILURES = 8;

/** The first results of failed calls, and the number of the others. */
function failuresChars({ items, columns }: ContextView, { from, to }: Range): Chars {
  const measured = columns.measures["openclaw.failureChars"];
  if (measured === undefined) return 0;
  const calls = new Set<ItemIndex>();
  const lines: Chars[] = [];
  for (let position = from; position < to; position++) {
    const item = items.at(position);
    const chars = measured[item] ?? 0;
    if (chars === 0) continue;
    const call = columns.pair[item] ?? -1;
    if (calls.has(call)) continue;
    if (call >= 0) calls.add(call);
    lines.push(chars);
  }
  if (lines.length === 0) return 0;
  const more = lines.length - MAX_FAILURES;
  const shown = more > 0 ? [...lines.slice(0, MAX_FAILURES), `- ...and ${more} more`.length] : lines;
  return "\n\n## Tool Failures".length + listChars(shown);
}

/** Counts every file once: among the changed files, or among those that were only read. */
function filesChars({ items, columns }: ContextView, { from, to }: Range): Chars {
  const measured = columns.measures["openclaw.fileChars"];
  if (measured === undefined) return 0;
  const [read, changed] = [new Map<number, Chars>(), new Map<number, Chars>()];
  for (let position = from; position < to; position++) {
    const item = items.at(position);
    const chars = measured[item] ?? 0;
    if (chars === 0) continue;
    const file = columns.file[item] ?? -1;
    (chars > 0 ? read : changed).set(file >= 0 ? file : -1 - item, Math.abs(chars));
  }
  for (const file of changed.keys()) read.delete(file);
  return sectionOf("read-files", read) + sectionOf("modified-files", changed);
}

function sectionOf(tag: string, files: ReadonlyMap<number, Chars>): Chars {
  return files.size === 0 ? 0 : `\n\n<${tag}>\n</${tag}>`.length + listChars([...files.values()]);
}

/** Lines, each with the line break before it. */
function listChars(lines: readonly Chars[]): Chars {
  return lines.reduce((sum, chars) => sum + chars + 1, 0);
}
