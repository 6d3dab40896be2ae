import { taskMessages } from "@/lib/agents/shared/task-messages";
import { charsOverFour } from "@/lib/core/base/characters";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, isUnanswered, KIND } from "@/lib/core/columns/columns";
import { givesNoSummary } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyPlan,
  PolicyRun,
  Retention,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, clearing, keepingAll, summaryItem } from "@/lib/core/compaction/retention";
import { endWithCalls } from "@/lib/core/compaction/selection";
import {
  MISSING_RESULT,
  READ_NOTE_CHARS,
  SAVED_ENOUGH,
  TASK_NOTE_CHARS,
  TRUNCATION_NOTE_CHARS,
  WRITE_NOTE_CHARS,
} from "../base/constants";
import { CLINE_PRESETS, clineSettings } from "../base/presets";
import { removedMessages, triggerOf } from "./threshold";

/**
 * Cline's context management, computed from the columns. When the previous request reached a limit, notes replace repeated reads of a file; unless
 * that saves enough, older messages after the first two are dropped, or, if the user turned that on, a summary replaces all of them. Source:
 * README.md, "Compaction".
 */
export const clinePolicy: Policy = {
  id: "cline",
  label: "Cline",
  presets: CLINE_PRESETS,
  settings: clineSettings,
  threshold: ({ settings }) => triggerOf(numberSetting(settings, "contextWindow")),
  measures: ["cline.textCall"],
  pairedTokens: ({ columns }, item, tokens) => {
    const needsResult = isUnanswered(columns, item) && columns.measures["cline.textCall"]?.[item] !== 1;
    return tokens + (needsResult ? MISSING_RESULT_TOKENS : 0);
  },
  looksBack: () => true,
  begin: (plan) => new ClineRun(plan),
};

const MISSING_RESULT_TOKENS: Tokens = charsOverFour(MISSING_RESULT.length);

/** New sizes of items. */
type Sizes = readonly (readonly [ItemIndex, Tokens])[];

class ClineRun implements PolicyRun {
  readonly #plan: PolicyPlan;
  readonly #trigger: Tokens;
  /** True once messages were dropped. */
  #hasRemoved = false;

  constructor(plan: PolicyPlan) {
    this.#plan = plan;
    this.#trigger = triggerOf(numberSetting(plan.settings, "contextWindow"));
  }

  before(view: ContextView): Compaction | undefined {
    return totalOf(view) >= this.#trigger ? this.compact(view) : undefined;
  }

  compact(view: ContextView): Compaction | undefined {
    const starts = taskMessages(view);
    const rest = starts[2] ?? 0;
    if (rest === 0) return undefined;
    const notes = repeatedReads(view, starts, rest);
    const summarises = this.#plan.settings.autoCondense === true;
    const made =
      savedBy(view, notes) >= SAVED_ENOUGH
        ? undefined
        : summarises
          ? this.#summarise(view, starts, notes)
          : this.#truncate(view, starts, notes);
    return made ?? (notes.length === 0 ? undefined : clearing(view, notes));
  }

  /** Removes whole pairs of messages after the first pair; results without their call are dropped too. */
  #truncate(view: ContextView, starts: readonly number[], notes: Sizes): Retention | undefined {
    const removed = removedMessages(starts.length - 2, totalOf(view), this.#trigger);
    if (removed === 0) return undefined;
    const from = starts[2 + removed] ?? view.items.length;
    const kept = [[0, starts[2] ?? 0] as const, ...endWithCalls(view, from)];
    const first = view.items.at(from);
    return bySummary({
      kept,
      truncated: this.#removalNotes(view, [undefined, starts[1]]),
      // The result at the front has lost its call.
      cleared: notes.filter(([item]) => item > first),
      added: [],
      summaryTokens: 0,
      summaryCallTokens: 0,
      outcome: "trim",
    });
  }

  /** The model is asked for a summary within the conversation. Only the first pair and its answer are kept. */
  #summarise(view: ContextView, starts: readonly number[], notes: Sizes): Retention | undefined {
    const { settings } = this.#plan;
    // A summary followed by only one exchange is not summarised again.
    if (this.#hasRemoved && starts.length <= 5) return undefined;
    const summaryCallTokens = callSize(view.history);
    if (givesNoSummary(settings.failSummary, view.summaryCalls))
      return keepingAll(view, "failed", { cleared: notes, summaryCallTokens });
    const summaryTokens = numberSetting(settings, "summaryTokens");
    return bySummary({
      kept: [[0, starts[2] ?? 0]],
      truncated: this.#removalNotes(view, starts),
      added: [summaryItem(summaryTokens)],
      addedAt: "back",
      summaryTokens,
      summaryCallTokens,
    });
  }

  /** Sizes of the notes that replace the first texts of the first two messages as soon as others are removed; an absent one keeps its text. */
  #removalNotes(view: ContextView, [task, answer]: readonly (number | undefined)[]): Sizes {
    if (this.#hasRemoved) return [];
    this.#hasRemoved = true;
    const sizes = [
      [task, TASK_NOTE_CHARS],
      [answer, TRUNCATION_NOTE_CHARS],
    ] as const;
    return sizes.flatMap(([position, chars]) => {
      const item = view.items.at(position ?? -1);
      return view.columns.kind[item] === KIND.text ? [[item, charsOverFour(chars)] as const] : [];
    });
  }
}

/** Everything that the previous request sent and received; 0 before the first one. */
function totalOf(view: ContextView): Tokens {
  return view.lastInput <= 0 ? 0 : view.lastInput + (view.recordedOutput ?? view.lastOutput);
}

/** Characters of the note for a result of these tools, without its heading. */
const NOTES: Readonly<Record<string, Chars>> = {
  read_file: READ_NOTE_CHARS,
  replace_in_file: WRITE_NOTE_CHARS,
  write_to_file: WRITE_NOTE_CHARS,
};

/** Results whose file a later result holds in a newer copy, with the sizes of their notes. Only a message's first result is examined. */
function repeatedReads(view: ContextView, starts: readonly number[], from: number): Sizes {
  const { columns, items } = view;
  const newest = new Set<number>();
  const found: (readonly [ItemIndex, Tokens])[] = [];
  for (const position of starts.filter((start) => start >= from).reverse()) {
    const item = items.at(position);
    const call = columns.kind[item] === KIND.tool_result ? (columns.pair[item] ?? -1) : -1;
    const file = columns.file[call] ?? -1;
    const tool = columns.tables.tools[columns.tool[call] ?? -1] ?? "";
    const chars = Object.hasOwn(NOTES, tool) ? (NOTES[tool] ?? 0) : 0;
    if (file < 0 || chars === 0 || ((columns.flags[item] ?? 0) & FLAG.ERROR) !== 0) continue;
    const heading = `[${tool} for '${columns.tables.files[file]}'] Result:\n`;
    const tokens = charsOverFour(heading.length + chars);
    if (!newest.has(file)) newest.add(file);
    else if (items.isWhole(item) && tokens < view.tokensOf(item)) found.push([item, tokens]);
  }
  return found.reverse();
}

/** Share of the context's texts that notes save. Calls are not counted. */
function savedBy(view: ContextView, notes: Sizes): number {
  if (notes.length === 0) return 0;
  const { columns, items } = view;
  let all = 0;
  for (let position = 0; position < items.length; position++) {
    const item = items.at(position);
    if (columns.kind[item] !== KIND.tool_call && columns.kind[item] !== KIND.thinking) all += view.tokensOf(item);
  }
  const saved = notes.reduce((sum, [item, tokens]) => sum + view.tokensOf(item) - tokens, 0);
  return all === 0 ? 0 : saved / all;
}
