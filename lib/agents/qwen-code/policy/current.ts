import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { givesNoSummary } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, itemsFrom, keepingAll, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { positionsOf } from "@/lib/core/compaction/simulation/positions";
import {
  CHARS_PER_TOKEN,
  computeThresholds,
  EMBEDDED_FILE,
  LISTED_FILES,
  MAX_FAILURES,
  PICTURE_WORD_TOKENS,
  PROMPT_TOKENS,
  RESTORED_FILE_TOKENS,
  RESTORED_TOKENS,
  SUMMARY_REQUEST_TOKENS,
  summaryBudget,
  type Thresholds,
} from "../base/constants";
import { asCleared, Clearing } from "./clearing";
import { acknowledgementItem, CALL, pendingFrom, RESULT } from "./history";
import { openCall, withTheirCalls } from "./open-call";
import { mediaOf, newestPictures, type PicturedHistory, picturesPutBack } from "./pictures";
import type { Release } from "./release";
import { hasPictures, type Results, resultsOf } from "./results";

/** The release 0.24.4: old results are cleared, and the remaining history becomes a summary. */
export const current: Release = {
  enteredMeasure: "qwen-code.enteredCurrent",
  looksBack: true,
  threshold: (chosen) => chosen.window - Math.max(0, Math.round(chosen.window - thresholdsOf(chosen).auto)),
  begin: (plan) => new CurrentRun(plan),
};

function thresholdsOf({ window, settings }: PolicyChosen): Thresholds {
  return computeThresholds(window, {
    share: numberSetting(settings, "threshold"),
    summaryReserve: numberSetting(settings, "summaryReserve"),
    autoBuffer: numberSetting(settings, "autoBuffer"),
  });
}

/** `auto` above the usual threshold, `rescue` by force above the hard one. */
type Attempt = "auto" | "rescue";

class CurrentRun implements PolicyRun {
  readonly #window: Tokens;
  readonly #thresholds: Thresholds;
  readonly #maxFailures: Readonly<Record<Attempt, number>>;
  readonly #imageTrigger: number;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  readonly #maxAttachments: MaxAttachments;
  readonly #results: Results;
  readonly #clearing: Clearing;
  /** Attempts since the last summary that produced none. */
  #failures: Readonly<Record<Attempt, number>> = NO_FAILURES;
  /** Number of pictures restored by the last summary that are still in the context. */
  #putBack = 0;

  constructor(plan: PolicyPlan) {
    const { columns, settings, window } = plan;
    const number = (key: string) => numberSetting(settings, key);
    this.#window = window;
    this.#thresholds = thresholdsOf(plan);
    this.#maxFailures = { auto: number("maxFailures"), rescue: MAX_FAILURES };
    this.#imageTrigger = number("imageTrigger");
    this.#summaryTokens = number("summaryTokens");
    this.#failSummary = settings.failSummary;
    this.#maxAttachments = { files: number("restoreFiles"), pictures: number("restoreImages") };
    this.#results = resultsOf(columns, settings.entryTruncation === true);
    this.#clearing = new Clearing(plan);
  }

  /**
   * Clears old results, and then compacts the rest. The threshold is compared with the size before the clearing: the last usage. A summary replaces
   * the cleared results too; without one, they stay cleared.
   */
  before(view: ContextView): Compaction | undefined {
    const changes = this.#clearing.before(view, this.#putBack);
    const remaining = changes === undefined ? view : asCleared(view, changes);
    this.#putBack -= changes?.pictures ?? 0;
    const kind = this.#attempt(remaining);
    const attempted = kind === undefined ? undefined : this.#compacted(remaining, kind);
    if (attempted?.outcome === "summary" || changes === undefined) return attempted;
    this.#clearing.clear(changes);
    const { outcome = "clear", summaryCallTokens = 0 } = attempted ?? {};
    return keepingAll(view, outcome, { truncated: changes.putBack, cleared: changes.rows, summaryCallTokens });
  }

  /** The kind of summary attempt to make now; each kind is tried until it has failed too often. */
  #attempt(view: ContextView): Attempt | undefined {
    const { auto, hard } = this.#thresholds;
    const tokens = effectiveTokens(view);
    if (tokens < auto && !this.#hasManyPictures(view)) return undefined;
    if (!hasTwoContents(view)) return undefined;
    const kind = tokens >= hard ? "rescue" : "auto";
    return this.#failures[kind] < this.#maxFailures[kind] ? kind : undefined;
  }

  #hasManyPictures(view: ContextView): boolean {
    return this.#imageTrigger > 0 && hasPictures(view, this.#results, this.#imageTrigger);
  }

  /**
   * The context after a summary: summary, acknowledgement, restored content, and a call that is still open. Or the history unchanged, if the attempt
   * failed.
   */
  #compacted(view: ContextView, kind: Attempt): Retention {
    const { columns } = view;
    const all = itemsFrom(view, 0);
    const end = pendingFrom(view);
    const [history, pending] = [all.slice(0, end), all.slice(end)];
    const call = openCall(view, history);
    const answered = pending.some((item) => columns.kind[item] === RESULT);
    const sent = tokensOf(view, history) - (answered ? 0 : tokensOf(view, call));
    const callTokens = sent + PROMPT_TOKENS + (answered ? tokensOf(view, pending) : 0);
    const attached = attachments(view, { items: history, putBack: this.#putBack }, this.#maxAttachments);
    // After attachments the call stays a separate content and is counted again; otherwise its call parts join the acknowledgement.
    const isSeparate = attached.items.length > 0;
    const restored =
      attached.items.reduce((sum, { tokens }) => sum + tokens, 0) + (isSeparate ? tokensOf(view, call) : 0);
    const used = effectiveTokens(view);
    const after = Math.max(0, used - sent + this.#summaryTokens) + restored;
    const isCutOff = this.#isCutOff(this.#requestTokens(view, answered ? all : history, callTokens));
    const isKept = after <= used && !isCutOff && !givesNoSummary(this.#failSummary, view.summaryCalls);
    // The program counts the content about to be sent twice here, since its starting size already includes it.
    const isRefused = kind === "rescue" && after + tokensOf(view, pending) >= this.#thresholds.hard;
    if (!isKept || isRefused) return this.#failed(view, kind, callTokens);
    this.#failures = NO_FAILURES;
    this.#putBack = attached.pictures;
    this.#clearing.summarise();
    const keptCall = isSeparate ? call : call.filter((item) => columns.kind[item] === CALL);
    return bySummary({
      kept: positionsOf(view, withTheirCalls(view, [...keptCall, ...pending])),
      added: [summaryItem(this.#summaryTokens), acknowledgementItem, ...attached.items],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callTokens,
    });
  }

  /** Keeps the history unchanged; above the hard threshold the request is refused. */
  #failed(view: ContextView, kind: Attempt, callTokens: Tokens): Retention {
    this.#failures = { ...this.#failures, [kind]: this.#failures[kind] + 1 };
    return unchanged(view, kind === "rescue" ? "blocked" : "failed", callTokens);
  }

  /** True if a summary uses up its budget: it then counts as cut off. */
  #isCutOff(requestTokens: Tokens): boolean {
    return this.#summaryTokens >= summaryBudget(requestTokens, this.#window);
  }

  /** Estimate of the request for a summary: the sent content, with a word instead of each medium, and the texts of the request. */
  #requestTokens(view: ContextView, asked: readonly ItemIndex[], callTokens: Tokens): Tokens {
    const media = asked.map((item) => mediaOf(view, item, this.#putBack));
    const saved = media.reduce((total, { count, tokens }) => total + tokens - count * PICTURE_WORD_TOKENS, 0);
    return callTokens - PROMPT_TOKENS + SUMMARY_REQUEST_TOKENS - saved;
  }
}

const NO_FAILURES: Readonly<Record<Attempt, number>> = { auto: 0, rescue: 0 };

/** Last usage, last output and new content; before any usage, the estimate of the conversation alone. */
function effectiveTokens(view: ContextView): Tokens {
  return view.lastInput > 0 ? view.lastInput + view.lastOutput + view.added : view.history - view.overhead;
}

/** The messages of the last response are one content. */
function hasTwoContents(view: ContextView): boolean {
  const { columns, items } = view;
  const end = pendingFrom(view);
  if (end < 2) return false;
  const first = items.at(0);
  if (first >= columns.length) return true;
  const isLastResponse =
    columns.origin[first] === ORIGIN.response && first >= (columns.requests.firstItem[view.request - 1] ?? 0);
  return !isLastResponse && columns.message[first] !== columns.message[items.at(end - 1)];
}

function tokensOf(view: ContextView, items: readonly ItemIndex[]): Tokens {
  return items.reduce((sum, item) => sum + view.tokensOf(item), 0);
}

/** Maximum numbers of restored files and pictures. */
interface MaxAttachments {
  readonly files: number;
  readonly pictures: number;
}

/** The last touched files and the newest pictures, as one content after the acknowledgement. Source: README.md, "Restored files and pictures". */
function attachments(
  view: ContextView,
  history: PicturedHistory,
  most: MaxAttachments,
): { readonly items: readonly SyntheticItem[]; readonly pictures: number } {
  const files = lastTouchedFiles(view.columns, history.items, most.files);
  const pictures = newestPictures(view, history, most.pictures);
  const filesTokens = Math.ceil(files.chars / CHARS_PER_TOKEN);
  // The texts are rounded up once, together.
  const textTokens = Math.ceil((files.chars + pictures.chars) / CHARS_PER_TOKEN);
  const items: SyntheticItem[] = [];
  if (files.chars > 0) items.push(filesPutBack(files.paths, filesTokens));
  if (pictures.count > 0) {
    items.push(picturesPutBack(pictures.count, pictures.tokens + textTokens - filesTokens));
  }
  return { items, pictures: pictures.count };
}

function filesPutBack(files: readonly string[], tokens: number): SyntheticItem {
  return {
    kind: "attachment",
    name: "filesPutBack",
    category: "attachments",
    tokens,
    label: "files put back",
    files,
  };
}

/** Files that a compaction restores, and their characters. */
interface RestoredFiles {
  readonly paths: readonly string[];
  readonly chars: Chars;
}

/** The last touched files of a history, as far as the recording shows their contents. */
function lastTouchedFiles(columns: SessionColumns, history: readonly ItemIndex[], most: number): RestoredFiles {
  const shown = columns.measures["qwen-code.fileChars"];
  const last = history.findLast((item) => item < columns.length) ?? -1;
  const touched: number[] = [];
  for (let at = history.length - 1; at >= 0 && touched.length < most; at--) {
    const item = history[at] ?? -1;
    const file = columns.file[item] ?? -1;
    const isCall = file >= 0 && columns.kind[item] === CALL && (shown?.[item] ?? 0) > 0;
    // A result about to be sent does not count as known yet; a call without a result is sent with an error.
    const result = columns.pair[item] ?? -1;
    const failed = result < 0 || (result <= last && ((columns.flags[result] ?? 0) & FLAG.ERROR) !== 0);
    if (isCall && !failed && !touched.includes(file)) touched.push(file);
  }
  const contents = lastShown(columns, last, touched);
  const known = touched.filter((file) => contents.has(file));
  const paths = known.map((file) => columns.tables.files[file] ?? "");
  const shownAt = known.map((file) => contents.get(file) ?? -1);
  return { paths, chars: restoredChars(shownAt.map((row, at) => restoredFile(columns, row, paths[at]?.length ?? 0))) };
}

/** For each file, the last row up to a given one that shows its content, in the context or not. */
function lastShown(columns: SessionColumns, from: ItemIndex, files: readonly number[]): ReadonlyMap<number, ItemIndex> {
  const shown = columns.measures["qwen-code.fileChars"];
  const contents = new Map<number, ItemIndex>();
  for (let row = from; row >= columns.overheadRows && contents.size < files.length; row--) {
    const value = shown?.[row] ?? 0;
    const file = columns.file[row] ?? -1;
    const isRecordedOnly = ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0;
    if (value > 1 && !isRecordedOnly && files.includes(file) && !contents.has(file)) contents.set(file, row);
  }
  return contents;
}

/** `\n\n## `, `\n\n`, and the line ends of the fence around the content. */
const EMBEDDED_CHARS: Chars = EMBEDDED_FILE.length + "\n\n## \n\n\n\n".length;
/** The shortest fence. */
const FENCE: Chars = "```".length;

/** A file that may be restored. */
interface RestoredFile {
  readonly content: Chars;
  readonly path: Chars;
  readonly fence: Chars;
}

function restoredFile({ measures }: SessionColumns, row: ItemIndex, path: Chars): RestoredFile {
  const content = (measures["qwen-code.fileChars"]?.[row] ?? 1) - 1;
  return { content, path, fence: measures["qwen-code.fence"]?.[row] ?? FENCE };
}

/** A file above 20,000 characters, or one that no longer fits into 200,000, is only listed. */
function restoredChars(files: readonly RestoredFile[]): Chars {
  let [used, chars, listed] = [0, 0, 0];
  for (const { content, path, fence } of files) {
    const isListed =
      content > RESTORED_FILE_TOKENS * CHARS_PER_TOKEN || used + content > RESTORED_TOKENS * CHARS_PER_TOKEN;
    if (isListed) listed += path + "\n- ".length;
    else {
      used += content;
      chars += content + path + 2 * fence + EMBEDDED_CHARS;
    }
  }
  return chars + (listed > 0 ? LISTED_FILES.length + 1 + listed : 0);
}
