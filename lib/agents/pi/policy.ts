import type { Bytes, Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS, ORIGINS, type SessionColumns } from "@/lib/core/columns/columns";
import { byRules } from "@/lib/core/compaction/by-rules";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import { type FileList, filesOfCalls } from "@/lib/core/compaction/file-list";
import type {
  ContextView,
  Policy,
  PolicyPlan,
  Retention,
  SimulatedTrigger,
  SyntheticItem,
} from "@/lib/core/compaction/policy";
import { perSettings } from "@/lib/core/compaction/remembered";
import { unchanged } from "@/lib/core/compaction/retention";
import { endWithoutCallsBefore } from "@/lib/core/compaction/selection";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { charsOverFour } from "@/lib/core/tokens/characters";
import { currentCut, type Range, releaseCut } from "./column-cut";
import { OUTPUT_BYTES, PI_MEASURES } from "./constants";
import { type EmptySummary, emptySummary } from "./empty-summary";
import { PI_PRESETS, type PiPreset, piPreset, piSettings } from "./presets";

const RESPONSE = ORIGINS.indexOf("response");
const TOOL = ORIGINS.indexOf("tool");
const RESULT = KINDS.indexOf("tool_result");

/** The size above which it compacts. Source: systems/pi.md §3. */
const threshold = perSettings((window, settings) => window - numberSetting(settings, "reserveTokens"));

/**
 * pi's compaction over numbers. `v0.51.0` looks between turns, at the last response's usage; `current` looks within a run too,
 * and counts what came since. Either way the newest messages stay and a summary stands before them.
 * Source: systems/pi.md §3 to §6.
 */
export const piPolicy: Policy = {
  id: "pi",
  label: "pi",
  presets: PI_PRESETS,
  measures: PI_MEASURES,
  settings: piSettings,
  entryRule: { settings: [], tokens: entryTokens },
  threshold: ({ window, settings }) => threshold(window, settings),
  begin: byRules({
    shouldCompact: (view, settings) => {
      const trigger = triggerOf(view, settings);
      return trigger !== null && cutOf(view, settings, trigger) >= 0 ? trigger : null;
    },
    compact,
  }),
};

/**
 * Between turns the last response's total is compared, within a run (`current`) pi's own count of what came since as well. A request
 * longer than the window fails, is compacted and sent again. Before the first response there is nothing to compare.
 */
function triggerOf(view: ContextView, settings: Settings): SimulatedTrigger | null {
  const limit = threshold(view.window, settings);
  const used = view.lastInput + (view.recordedOutput ?? view.lastOutput);
  const compared = view.turnStart
    ? used
    : followsRelease(view.window, settings)
      ? Number.NEGATIVE_INFINITY
      : used + view.addedCount;
  if (view.request > 0 && compared > limit) return "threshold";
  return view.history > view.window ? "overflow" : null;
}

const followsRelease = perSettings((_window, { rules }) => piPreset(rules) === "v0.51.0");

function cutOf(view: ContextView, settings: Settings, trigger: SimulatedTrigger): number {
  const range = rangeOf(view, settings, trigger);
  const previous = previousSummary(view);
  // Nothing came since the last compaction: nothing is done.
  if (previous !== undefined && range.to > 0 && view.items.at(range.to - 1) <= previous.through) return -1;
  const keep = numberSetting(settings, "keepRecentTokens");
  return followsRelease(view.window, settings) ? releaseCut(view, range, keep) : currentCut(view, range, keep);
}

/** The summary that a compaction put in front, and the last row that was there then. */
interface PiSummary extends SyntheticItem {
  readonly list: FileList;
  /** Of an empty answer: what stands in the summary all the same. */
  readonly empty?: EmptySummary;
  readonly through: ItemIndex;
}

function previousSummary(view: ContextView): PiSummary | undefined {
  const first = view.items.length === 0 ? undefined : view.synthetic(view.items.at(0));
  // The only items that this policy adds are its own summaries.
  return first !== undefined && "through" in first ? (first as PiSummary) : undefined;
}

/**
 * What is looked at: behind the previous summary, in `v0.51.0` behind the whole previous compaction; between turns up to the
 * end of the run, since what the person typed next is not in the session yet.
 */
function rangeOf(view: ContextView, settings: Settings, trigger: SimulatedTrigger): Range {
  const previous = previousSummary(view);
  let from = previous === undefined ? 0 : 1;
  if (previous !== undefined && followsRelease(view.window, settings)) {
    while (from < view.items.length && view.items.at(from) <= previous.through) from += 1;
  }
  const to = trigger === "threshold" && view.turnStart ? runEnd(view) : view.items.length;
  return { from: Math.min(from, to), to };
}

/** Position behind the last response and the results that answer it. */
function runEnd(view: ContextView): number {
  let position = view.items.length;
  while (position > 0) {
    const origin = view.columns.origin[view.items.at(position - 1)];
    if (origin === undefined || origin === RESPONSE || origin === TOOL) break;
    position -= 1;
  }
  return position;
}

function compact(view: ContextView, settings: Settings): Retention {
  const trigger = triggerOf(view, settings) ?? "overflow";
  const cut = cutOf(view, settings, trigger);
  if (cut < 0) return unchanged(view, "skipped");
  const range = rangeOf(view, settings, trigger);
  const previous = previousSummary(view);
  const dropped = { from: range.from, to: cut };
  const callTokens = summaryInput(view, dropped, piPreset(settings.rules)) + (previous?.tokens ?? 0);
  if (summaryFails(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
  // An empty answer is taken for a summary: what the program adds to any stands by itself.
  const empty = summaryIsEmpty(settings.failSummary)
    ? emptySummary(view, range, cut, piPreset(settings.rules), previous?.empty)
    : undefined;
  const summaryTokens = empty === undefined ? numberSetting(settings, "summaryTokens") : charsOverFour(empty.chars);
  const list = filesOfCalls(view, dropped, FILE_TOOLS, previous?.list);
  const summary: PiSummary = {
    kind: "summary",
    name: "summary",
    category: "summaries",
    tokens: summaryTokens,
    label: "summary",
    list,
    get files() {
      return list.names;
    },
    ...(empty === undefined ? {} : { empty }),
    through: range.to === 0 ? -1 : view.items.at(range.to - 1),
  };
  return {
    kept: endWithoutCallsBefore(view, cut),
    truncated: [],
    cleared: [],
    added: [summary],
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

/**
 * Entry rule: an output is cut to what pi's own tools would have given: 2,000 lines, 50 KB; without the measure lines are not
 * known, and bytes alone count. Exact under pi's own rule, under any other in proportion. Source: systems/pi.md §1.
 */
function entryTokens({ columns }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const chars = columns.chars[item] ?? 0;
  if (columns.kind[item] !== RESULT || chars === 0) return tokens;
  const kept = columns.measures["pi.outputChars"]?.[item] ?? charsWithin(columns, item, OUTPUT_BYTES);
  if (kept >= chars) return tokens;
  return tokens === charsOverFour(chars) ? charsOverFour(kept) : Math.ceil((tokens * kept) / chars);
}

/** UTF-16 units of a text that so many bytes hold, in proportion. */
function charsWithin({ bytes, chars }: SessionColumns, item: ItemIndex, limit: Bytes): Chars {
  const [size, units] = [bytes[item] ?? 0, chars[item] ?? 0];
  return size <= limit ? units : Math.ceil((units * limit) / size);
}

const THINKING = KINDS.indexOf("thinking");
const IMAGE = KINDS.indexOf("image");

/** A result of 2,000 characters with the note that it was cut, at four characters a token. Source: systems/pi.md §9.2. */
const CUT_RESULT_TOKENS: Tokens = 510;

/**
 * Estimate of what the summarising model is sent of a stretch: images leave no trace; `current` leaves reasoning out too and
 * cuts results to 2,000 characters. The prompt around it, some 400 tokens, is not counted.
 */
function summaryInput(view: ContextView, { from, to }: Range, preset: PiPreset): Tokens {
  const items = view.items.list();
  let sum = 0;
  for (let position = from; position < to; position++) {
    const item = items[position] ?? -1;
    const kind = view.columns.kind[item];
    const tokens = view.tokensOf(item);
    if (kind === IMAGE || (kind === THINKING && preset === "current")) continue;
    sum += kind === RESULT && preset === "current" ? Math.min(tokens, CUT_RESULT_TOKENS) : tokens;
  }
  return sum;
}

/** Tools whose files a summary lists. Source: systems/pi.md §5, fileOps; in other agents' recordings whatever their case. */
const FILE_TOOLS = new Set(["read", "write", "edit"]);
