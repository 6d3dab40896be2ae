import { charsOverFour } from "@/lib/core/base/characters";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { type FileList, filesOfCalls } from "@/lib/core/compaction/file-list";
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
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { endWithoutCallsBefore } from "@/lib/core/compaction/selection";
import { CUT, NO_HISTORY, PI_MEASURES, TURN_CONTEXT } from "../base/constants";
import { PI_PRESETS, type PiPreset, piPreset, piSettings } from "../base/presets";
import { firstCut, isCutAt, overBudget, type Range, splitTurnStart } from "./cut";
import { entryTokens } from "./entry-rule";
import type { Release } from "./release";
import { release0510 } from "./release-0.51.0";
import { heldTokens, sentTokens } from "./sent-tokens";

/** Messages that start a turn, so that a cut before them splits none: all but responses and results. */
const TURNS: ReadonlySet<number> = new Set([CUT.TURN, CUT.ENTRY, CUT.MESSAGE]);

/** Release 1.5.2: it also compacts within a run, and adds its own count of items after the last response. */
const current: Release = {
  comparedWithin: (view, used) => used + view.addedCount,
  losesKept: false,
  cut: currentCut,
  turns: { starts: TURNS, splitsNone: TURNS },
  carriesSummary: true,
  sendsReasoning: false,
  // A result of 2,000 characters with the note that it was cut, at four characters for a token. Source: README.md, "Compaction".
  maxResultTokens: 510,
};

/** Position from which everything is kept; −1 if nothing would be summarised. Items without tokens are skipped. */
function currentCut(view: ContextView, range: Range, keepRecentTokens: Tokens): number {
  const first = firstCut(view, range);
  if (first < 0) return -1;
  const over = overBudget(view, range, keepRecentTokens, (tokens) => tokens > 0);
  if (over < 0) return first > range.from ? first : -1;
  const next = firstCut(view, { from: over, to: range.to });
  const cut = next >= 0 ? next : lastCut(view, range);
  return cut > range.from ? cut : -1;
}

/** The last position within a range before which pi may cut; −1 if there is none. */
function lastCut(view: ContextView, { from, to }: Range): number {
  for (let position = to - 1; position >= from; position--) if (isCutAt(view, position)) return position;
  return -1;
}

const RELEASES: Readonly<Record<PiPreset, Release>> = { current, "v0.51.0": release0510 };

/**
 * pi's compaction, computed from the columns: a summary replaces all but the newest messages. `v0.51.0` compares the last response's usage between
 * turns; `current` also compacts within a run, and adds its count of later items. Source: README.md, "Compaction".
 */
export const piPolicy: Policy = {
  id: "pi",
  label: "pi",
  presets: PI_PRESETS,
  presetDates: { current: "2026-11" },
  measures: PI_MEASURES,
  settings: piSettings,
  entryRule: { settings: [], tokens: entryTokens },
  pairedTokens: sentTokens,
  threshold: thresholdOf,
  thresholdRule: ({ preset }) => (RELEASES[piPreset(preset)].comparedWithin === undefined ? "betweenTurns" : undefined),
  begin: (plan) => new PiRun(plan),
};

/** The size above which it compacts. */
function thresholdOf({ window, settings }: PolicyChosen): Tokens {
  return window - numberSetting(settings, "reserveTokens");
}

/** The summary at the front of the context. */
interface OwnSummary {
  readonly tokens: Tokens;
  readonly files: FileList;
  /** If the model's answer was empty: content that pi itself added to the summary. */
  readonly empty: EmptySummary | undefined;
  /** The last row of the session at the time of the summary. */
  readonly through: ItemIndex;
}

/** Cause of a compaction. */
type Trigger = "threshold" | "overflow";

class PiRun implements PolicyRun {
  readonly #release: Release;
  readonly #threshold: Tokens;
  readonly #keepRecentTokens: Tokens;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  #summary: OwnSummary | undefined;

  constructor(plan: PolicyPlan) {
    const { preset, settings } = plan;
    this.#release = RELEASES[piPreset(preset)];
    this.#threshold = thresholdOf(plan);
    this.#keepRecentTokens = numberSetting(settings, "keepRecentTokens");
    this.#summaryTokens = numberSetting(settings, "summaryTokens");
    this.#failSummary = settings.failSummary;
  }

  before(view: ContextView): Compaction | undefined {
    const trigger = this.#triggerOf(view);
    return trigger && this.#compactionFor(view, trigger);
  }

  compact(view: ContextView): Compaction | undefined {
    return this.#compactionFor(view, "threshold");
  }

  #compactionFor(view: ContextView, trigger: Trigger): Compaction | undefined {
    const range = this.#rangeOf(view, trigger);
    // Nothing new since the last compaction.
    if (this.#summary !== undefined && range.to > 0 && view.items.at(range.to - 1) <= this.#summary.through)
      return undefined;
    const cut = this.#release.cut(view, range, this.#keepRecentTokens);
    return cut < 0 ? undefined : { ...this.#retentionAt(view, range, cut), trigger };
  }

  /**
   * Between turns it compares the last response's total, and within a run (`current`) it adds pi's own count of later items. A request longer than
   * the window fails, is compacted and sent again. Before the first response there is nothing to compare.
   */
  #triggerOf(view: ContextView): Trigger | undefined {
    const used = view.lastInput + (view.recordedOutput ?? view.lastOutput);
    const compared = view.turnStart ? used : (this.#release.comparedWithin?.(view, used) ?? Number.NEGATIVE_INFINITY);
    if (view.request > 0 && compared > this.#threshold) return "threshold";
    return view.history > view.window ? "overflow" : undefined;
  }

  /**
   * The range that a compaction considers. It begins after the previous summary, or after all items that the previous compaction kept. Between turns
   * it ends with the run, since the next typed message is not in the session yet.
   */
  #rangeOf(view: ContextView, trigger: Trigger): Range {
    const { items } = view;
    let from = this.#summary === undefined ? 0 : 1;
    if (this.#summary !== undefined && this.#release.losesKept) {
      while (from < items.length && items.at(from) <= this.#summary.through) from += 1;
    }
    const to = trigger === "threshold" && view.turnStart ? runEnd(view) : items.length;
    return { from: Math.min(from, to), to };
  }

  #retentionAt(view: ContextView, range: Range, cut: number): Retention {
    const dropped = { from: range.from, to: cut };
    // With nothing before the cut, it requests a summary of an empty conversation.
    const callTokens = callSize(this.#sentTokens(view, dropped) + (this.#summary?.tokens ?? 0));
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
    const summary = this.#summaryOf(view, range, cut);
    this.#summary = summary;
    return bySummary({
      kept: endWithoutCallsBefore(view, cut),
      added: [
        {
          ...summaryItem(summary.tokens),
          get files() {
            return summary.files.names;
          },
        },
      ],
      summaryTokens: summary.tokens,
      summaryCallTokens: callTokens,
    });
  }

  /** An empty answer counts as a summary that holds only the program's additions to any summary. */
  #summaryOf(view: ContextView, range: Range, cut: number): OwnSummary {
    const previous = this.#summary;
    const isEmpty = summaryIsEmpty(this.#failSummary);
    const empty = isEmpty ? emptySummary(view, range, cut, this.#release, previous?.empty) : undefined;
    return {
      tokens: empty === undefined ? this.#summaryTokens : charsOverFour(empty.chars),
      files: filesOfCalls(view, { from: range.from, to: cut }, FILE_TOOLS, previous?.files),
      empty,
      through: range.to === 0 ? -1 : view.items.at(range.to - 1),
    };
  }

  /** Estimate of the summarising model's input for a range. The prompt around it, about 400 tokens, is not counted. */
  #sentTokens(view: ContextView, { from, to }: Range): Tokens {
    const { sendsReasoning, maxResultTokens } = this.#release;
    const { kind } = view.columns;
    const items = view.items.list();
    let sum = 0;
    for (let position = from; position < to; position++) {
      const item = items[position] ?? -1;
      if (kind[item] === KIND.image || (kind[item] === KIND.thinking && !sendsReasoning)) continue;
      const tokens = heldTokens(view.columns, item, view.tokensOf(item));
      sum += kind[item] === KIND.tool_result ? Math.min(tokens, maxResultTokens) : tokens;
    }
    return sum;
  }
}

/** Position after the last response and the results that answer it. */
function runEnd(view: ContextView): number {
  let position = view.items.length;
  while (position > 0) {
    const origin = view.columns.origin[view.items.at(position - 1)];
    if (origin === undefined || origin === ORIGIN.response || origin === ORIGIN.tool) break;
    position -= 1;
  }
  return position;
}

/** Tools whose files a summary lists, matched case-insensitively for other agents' recordings. */
const FILE_TOOLS = new Set(["read", "write", "edit"]);

/**
 * The summary that pi makes of an empty answer, computed from the columns: the words around a turn that the cut splits, and the lists of files. The
 * rules are those of `summaryText` and `files.ts`, but the files of calls that a script made from within another call are not known here. Source:
 * README.md, "Compaction".
 */
interface EmptySummary {
  readonly chars: Chars;
  /** UTF-16 units of the paths in its current or earlier lists, by file. */
  readonly read: Files;
  readonly changed: Files;
}

type Files = ReadonlyMap<number, Chars>;

/**
 * @param range the range of the compaction
 * @param cut position from which it keeps everything
 */
function emptySummary(
  view: ContextView,
  range: Range,
  cut: number,
  { turns, carriesSummary }: Release,
  previous: EmptySummary | undefined,
): EmptySummary {
  const turn = splitTurnStart(view, range, cut, turns);
  const hasPrefix = turn >= 0 && turn < cut;
  const read = new Map(previous?.read);
  const changed = new Map(previous?.changed);
  addFiles(view, { from: range.from, to: cut }, read, changed);
  const carriedChars = (carriesSummary ? previous?.chars : undefined) ?? NO_HISTORY.length;
  // If only the beginning of a turn is summarised, no summary of the history is requested.
  const before = hasPrefix && turn === range.from ? carriedChars : 0;
  return { chars: before + (hasPrefix ? TURN_CONTEXT.length : 0) + listChars(read, changed), read, changed };
}

function addFiles(
  { items, columns }: ContextView,
  { from, to }: Range,
  read: Map<number, Chars>,
  changed: Map<number, Chars>,
): void {
  for (let position = from; position < to; position++) {
    const item = items.at(position);
    const chars = columns.measures["pi.fileChars"]?.[item] ?? 0;
    if (chars !== 0) (chars > 0 ? read : changed).set(fileOf(columns, item), Math.abs(chars));
  }
}

/** A file counts as separate if only the length of its name is known. */
function fileOf({ file }: SessionColumns, item: ItemIndex): number {
  const known = file[item] ?? -1;
  return known >= 0 ? known : -1 - item;
}

/** Counts every file once: a changed file is not listed among those that were read. */
function listChars(read: Files, changed: Files): Chars {
  const only = [...read].filter(([file]) => !changed.has(file)).map(([, chars]) => chars);
  return sectionChars("read-files", only) + sectionChars("modified-files", [...changed.values()]);
}

function sectionChars(tag: string, lines: readonly Chars[]): Chars {
  return lines.reduce((sum, chars) => sum + chars + 1, lines.length === 0 ? 0 : `\n\n<${tag}>\n</${tag}>`.length);
}
