import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, ORIGINS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails } from "@/lib/core/compaction/common-settings";
import type { ContextView, Policy, Retention, SimulatedTrigger, SyntheticItem } from "@/lib/core/compaction/policy";
import { itemsFrom, summaryItem } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import {
  ACKNOWLEDGEMENT,
  autocompactBuffer,
  CHARS_PER_TOKEN,
  CLEARED_RESULT,
  computeThresholds,
  EMBEDDED_FILE,
  IMAGE_TOKENS,
  LISTED_FILES,
  MAX_FAILURES,
  PROMPT_TOKENS,
  RESPONSE_CHARS,
  RESTORED_FILE_TOKENS,
  RESTORED_IMAGES,
  RESTORED_PICTURES,
  RESTORED_TOKENS,
  SCREENSHOT_TRIGGER,
  USER_PICTURE,
} from "./constants";
import { QWEN_CODE_PRESETS, qwenCodeSettings } from "./presets";

/** Measures that this policy reads where they are there; `qwenCodeMeasures` of the server half computes them. */
export const QWEN_CODE_MEASURES = [
  "qwen-code.jsonChars",
  "qwen-code.outputChars",
  "qwen-code.fileChars",
  "qwen-code.image",
  "qwen-code.entered",
  "qwen-code.enteredCurrent",
] as const;
export type QwenCodeMeasure = (typeof QWEN_CODE_MEASURES)[number];

/** Qwen Code's compaction over numbers. Source: systems/qwen-code.md §3.1 (as-documented), §3.3 and §6.6 (current). */
export const qwenCodePolicy: Policy = {
  id: "qwen-code",
  label: "Qwen Code",
  presets: QWEN_CODE_PRESETS,
  measures: QWEN_CODE_MEASURES,
  settings: qwenCodeSettings,
  entryTokens,
  threshold,
  shouldCompact: (view, settings) =>
    isCurrent(settings) ? currentTrigger(view, settings) : documentedTrigger(view, settings),
  compact: (view, settings) =>
    isCurrent(settings) ? compactCurrent(view, settings) : compactDocumented(view, settings),
};

/** `current` is the only preset that clears results. */
function isCurrent(settings: Settings): boolean {
  return settings.keepToolResults !== undefined;
}

/** Drawn so that what is left of the window is the buffer that `/context` shows, rounded as there. */
function threshold(window: Tokens, settings: Settings): Tokens {
  if (isCurrent(settings)) return window - Math.max(0, Math.round(window - thresholdsOf(window, settings).auto));
  return window - autocompactBuffer(window, numberSetting(settings, "threshold"));
}

function thresholdsOf(window: Tokens, settings: Settings) {
  return computeThresholds(window, {
    share: numberSetting(settings, "threshold"),
    summaryReserve: numberSetting(settings, "summaryReserve"),
    autoBuffer: numberSetting(settings, "autoBuffer"),
  });
}

const RESPONSE = ORIGINS.indexOf("response");
const TOOL = ORIGINS.indexOf("tool");
const ASSISTANT = ROLES.indexOf("assistant");
const CALL = KINDS.indexOf("tool_call");
const RESULT = KINDS.indexOf("tool_result");
const IMAGE = KINDS.indexOf("image");

/** State that the program keeps beside the history stands in the simulated context as items without a size. */
const FAILED = "failed attempt";
const RESCUE_FAILED = "failed attempt above the hard threshold";
const CLEARED_TO = "tool results cleared up to item ";

const isMark = (item: SyntheticItem | undefined) =>
  item !== undefined && (item.label === FAILED || item.label === RESCUE_FAILED || item.label.startsWith(CLEARED_TO));

/** Marks stand at the front: looking for them costs as much as there are of them. */
function marksOf(view: ContextView): readonly SyntheticItem[] {
  const marks: SyntheticItem[] = [];
  for (let position = 0; position < view.items.length; position++) {
    const item = view.synthetic(view.items.at(position));
    if (item === undefined) break;
    if (isMark(item)) marks.push(item);
  }
  return marks;
}

function markCount(view: ContextView, label: string): number {
  return marksOf(view).filter((mark) => mark.label === label).length;
}

function mark(label: string): SyntheticItem {
  return { category: "other", tokens: 0, label };
}

/** First position of what is about to be sent: it is no part of the history yet, and always stays. */
function pendingFrom(view: ContextView): number {
  const { columns, items } = view;
  let position = items.length;
  while (position > 0) {
    const item = items.at(position - 1);
    if (item >= columns.length || columns.origin[item] === RESPONSE) break;
    position -= 1;
  }
  return position;
}

/** The items less results whose call goes; a result that names no call stays. */
function withTheirCalls(view: ContextView, items: readonly ItemIndex[]): readonly ItemIndex[] {
  const { kind, pair } = view.columns;
  const isBound = (item: ItemIndex) => kind[item] === RESULT && (pair[item] ?? -1) >= 0;
  if (!items.some(isBound)) return items;
  const kept = new Set(items);
  return items.filter((item) => !isBound(item) || kept.has(pair[item] ?? -1));
}

function tokensOf(view: ContextView, items: readonly ItemIndex[]): Tokens {
  return items.reduce((sum, item) => sum + view.tokensOf(item), 0);
}

/** Tokens of the acknowledgement by the `/context` rule and by the compaction rule alike. */
const ACKNOWLEDGEMENT_TOKENS: Tokens = Math.ceil(ACKNOWLEDGEMENT.length / CHARS_PER_TOKEN);
const acknowledgementItem: SyntheticItem = {
  category: "other",
  tokens: ACKNOWLEDGEMENT_TOKENS,
  label: "acknowledgement",
};

/** The history stays, with a mark of the failure at its front. */
function failure(
  view: ContextView,
  label: string,
  summaryCallTokens: Tokens,
  outcome: "failed" | "blocked",
): Retention {
  return {
    kept: itemsFrom(view, 0),
    truncated: [],
    cleared: [],
    added: [mark(label)],
    addedAt: "front",
    outcome,
    summaryTokens: 0,
    summaryCallTokens,
  };
}

// ── as-documented ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** `>=` the share of the window, by the last recorded figure alone; never again after a failure; not without a split. */
function documentedTrigger(view: ContextView, settings: Settings): SimulatedTrigger | null {
  const share = numberSetting(settings, "threshold");
  const used = view.lastInput + (settings.usageField === "total" ? view.lastOutput : 0);
  if (share <= 0 || view.lastInput <= 0 || used < share * view.window) return null;
  if (markCount(view, FAILED) > 0) return null;
  return splitPosition(view, settings) > 0 ? "threshold" : null;
}

function compactDocumented(view: ContextView, settings: Settings): Retention {
  const split = splitPosition(view, settings);
  const summarised = tokensOf(view, itemsFrom(view, 0).slice(0, split));
  const callTokens = summarised + PROMPT_TOKENS;
  const summaryTokens = numberSetting(settings, "summaryTokens");
  // A summary larger than what it stands for is thrown away.
  const isLarger = summaryTokens > summarised;
  if (isLarger || summaryFails(settings.failSummary, view.compactions)) {
    return failure(view, FAILED, callTokens, "failed");
  }
  return {
    kept: withTheirCalls(view, itemsFrom(view, split)),
    truncated: [],
    cleared: [],
    added: [summaryItem(summaryTokens), acknowledgementItem],
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

/** A content of the history: its first position, the length of its JSON, and what it is. */
interface HistoryContent {
  readonly position: number;
  readonly length: Chars;
  readonly isModel: boolean;
  readonly hasCall: boolean;
  readonly hasResult: boolean;
}

/**
 * First position of what stays; 0 where nothing can be summarised. The exact rule (`split-point.ts`) over the contents'
 * lengths: the first user content without a result at or behind the fraction, else everything or the last such content.
 */
function splitPosition(view: ContextView, settings: Settings): number {
  const end = pendingFrom(view);
  const contents = historyContents(view, end);
  const total = contents.reduce((sum, content) => sum + content.length, 0);
  const target = total * (1 - numberSetting(settings, "preserve"));
  let before = 0;
  let last = 0;
  for (const content of contents) {
    if (!content.isModel && !content.hasResult) {
      if (before >= target) return content.position;
      last = content.position;
    }
    before += content.length;
  }
  const final = contents.at(-1);
  return final?.isModel === true && !final.hasCall ? end : last;
}

/** JSON around one text: `{"role":"user","parts":[{"text":""}]}`. */
const TEXT_CONTENT_CHARS: Chars = '{"role":"user","parts":[{"text":""}]}'.length;

function historyContents(view: ContextView, end: number): readonly HistoryContent[] {
  const { columns, items } = view;
  const json = columns.measures["qwen-code.jsonChars"];
  const contents: HistoryContent[] = [];
  let position = 0;
  while (position < end) {
    const item = items.at(position);
    const synthetic = view.synthetic(item);
    if (synthetic !== undefined) {
      if (!isMark(synthetic)) contents.push(syntheticContent(synthetic, position));
      position += 1;
      continue;
    }
    const start = position;
    const content = {
      position,
      length: 0,
      isModel: columns.role[item] === ASSISTANT,
      hasCall: false,
      hasResult: false,
    };
    for (; position < end && columns.message[items.at(position)] === columns.message[item]; position++) {
      const row = items.at(position);
      content.length += json?.[row] ?? estimatedJsonChars(columns, row, position === start);
      content.hasCall ||= columns.kind[row] === CALL;
      content.hasResult ||= columns.kind[row] === RESULT;
    }
    contents.push(content);
  }
  return contents;
}

function syntheticContent({ tokens, label }: SyntheticItem, position: number): HistoryContent {
  const isModel = label === acknowledgementItem.label;
  const chars = isModel ? ACKNOWLEDGEMENT.length + 1 : tokens * CHARS_PER_TOKEN;
  return { position, length: TEXT_CONTENT_CHARS + chars, isModel, hasCall: false, hasResult: false };
}

function estimatedJsonChars(columns: SessionColumns, row: ItemIndex, isFirst: boolean): Chars {
  return (columns.chars[row] ?? 0) + (isFirst ? TEXT_CONTENT_CHARS : '{"text":""},'.length);
}

// ── current ────────────────────────────────────────────────────────────────────────────────────────────────────────────

function currentTrigger(view: ContextView, settings: Settings): SimulatedTrigger | null {
  return gate(view, settings) !== undefined || clearing(view, settings) !== undefined ? "threshold" : null;
}

/** Last usage, last output and what is new; before any usage the estimate of the conversation alone. */
function effectiveTokens(view: ContextView): Tokens {
  return view.lastInput > 0 ? view.lastInput + view.lastOutput + view.added : view.history - view.overhead;
}

/** Whether it compacts now: by itself, or by force above the hard threshold, each until it failed too often. */
function gate(view: ContextView, settings: Settings): "auto" | "rescue" | undefined {
  const { auto, hard } = thresholdsOf(view.window, settings);
  const tokens = effectiveTokens(view);
  if (tokens < auto && resultImages(view) < SCREENSHOT_TRIGGER) return undefined;
  if (!hasTwoContents(view)) return undefined;
  if (tokens >= hard) return markCount(view, RESCUE_FAILED) < MAX_FAILURES ? "rescue" : undefined;
  return markCount(view, FAILED) < numberSetting(settings, "maxFailures") ? "auto" : undefined;
}

function hasTwoContents(view: ContextView): boolean {
  const end = pendingFrom(view);
  let first = 0;
  while (first < end && isMark(view.synthetic(view.items.at(first)))) first += 1;
  if (end - first < 2) return false;
  const [start, last] = [view.items.at(first), view.items.at(end - 1)];
  return start >= view.columns.length || view.columns.message[start] !== view.columns.message[last];
}

function compactCurrent(view: ContextView, settings: Settings): Retention {
  const kind = gate(view, settings);
  if (kind === undefined) return cleared(view, clearing(view, settings) ?? []);
  const { columns } = view;
  const all = itemsFrom(view, 0);
  const end = pendingFrom(view);
  const [history, pending] = [all.slice(0, end), all.slice(end)];
  const call = trailingCall(view, history);
  const answered = pending.some((item) => columns.kind[item] === RESULT);
  const sent = tokensOf(view, history) - (answered ? 0 : tokensOf(view, call));
  const callTokens = sent + PROMPT_TOKENS + (answered ? tokensOf(view, pending) : 0);
  const summaryTokens = numberSetting(settings, "summaryTokens");
  const attached = attachments(view, history, numberSetting(settings, "restoreFiles"));
  // Behind attachments the call stands by itself and counts anew; else its call parts join the acknowledgement.
  const restored = sum(attached) + (attached.length > 0 ? tokensOf(view, call) : 0);
  const keptCall = attached.length > 0 ? call : call.filter((item) => columns.kind[item] === CALL);
  const isLarger = Math.max(0, view.lastInput - sent + summaryTokens) + restored > view.lastInput;
  const hard = kind === "rescue" ? thresholdsOf(view.window, settings).hard : Number.POSITIVE_INFINITY;
  const label = kind === "rescue" ? RESCUE_FAILED : FAILED;
  if (isLarger || summaryFails(settings.failSummary, view.compactions)) {
    return failure(view, label, callTokens, view.history - view.overhead >= hard ? "blocked" : "failed");
  }
  const kept = withTheirCalls(view, [...keptCall, ...pending]);
  const added = [summaryItem(summaryTokens), acknowledgementItem, ...attached];
  if (sum(added) + tokensOf(view, kept) >= hard) return failure(view, label, callTokens, "blocked");
  return {
    kept,
    truncated: [],
    cleared: [],
    added,
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

function sum(items: readonly SyntheticItem[]): Tokens {
  return items.reduce((total, { tokens }) => total + tokens, 0);
}

/** The last content of the history, where it calls a tool. */
function trailingCall(view: ContextView, history: readonly ItemIndex[]): readonly ItemIndex[] {
  const { message, kind, length } = view.columns;
  const last = history.at(-1);
  if (last === undefined || last >= length) return [];
  const items = history.filter((item) => item < length && message[item] === message[last]);
  return items.some((item) => kind[item] === CALL) ? items : [];
}

/** Files that were touched last, as far as the recording shows what they hold, and the newest pictures: one content. */
function attachments(view: ContextView, history: readonly ItemIndex[], mostFiles: number): readonly SyntheticItem[] {
  const files = restoredFiles(view, history, mostFiles);
  const pictures = restoredPictures(view, history);
  const filesTokens = Math.ceil(files.chars / CHARS_PER_TOKEN);
  const all = Math.ceil((files.chars + pictures.chars) / CHARS_PER_TOKEN);
  const category = "attachments";
  return [
    ...(files.chars === 0
      ? []
      : [{ category, tokens: filesTokens, label: "files put back", files: files.paths } as const]),
    ...(pictures.count === 0
      ? []
      : [{ category, tokens: pictures.tokens + all - filesTokens, label: `${pictures.count}${PICTURES}` } as const]),
  ];
}

const PICTURES = " pictures put back";

/** The newest pictures; those that an earlier compaction put back are in the history like any other. */
function restoredPictures(view: ContextView, history: readonly ItemIndex[]) {
  let [count, tokens, chars] = [0, 0, 0];
  const turns = contentNumbers(view, history);
  for (let at = history.length - 1; at >= 0 && count < RESTORED_IMAGES; at--) {
    const item = history[at] ?? -1;
    const synthetic = view.synthetic(item);
    const carried = synthetic?.label.endsWith(PICTURES) === true ? Number.parseInt(synthetic.label, 10) : 0;
    const isThere = isPicture(view.columns, item) && view.tokensOf(item) > CLEARED_MEDIA_TOKENS;
    const found = carried > 0 ? carried : isThere ? 1 : 0;
    const taken = Math.min(RESTORED_IMAGES - count, found);
    if (taken === 0) continue;
    // Beside the pictures a carried item holds the text about them.
    tokens +=
      carried > 0 ? taken * Math.min(IMAGE_TOKENS, Math.floor(view.tokensOf(item) / carried)) : view.tokensOf(item);
    const source = carried > 0 ? USER_PICTURE.length : sourceChars(view, item);
    chars += taken * (`\n- turn ${turns[at]}: `.length + source);
    count += taken;
  }
  return { count, tokens, chars: count === 0 ? 0 : RESTORED_PICTURES.length + 1 + chars };
}

/** For every item the number of its content: what is put back is one, and calls may stand in the acknowledgement's. */
function contentNumbers(view: ContextView, history: readonly ItemIndex[]): readonly number[] {
  const { columns } = view;
  let content = -1;
  let before: SyntheticItem | undefined;
  return history.map((item, at) => {
    const synthetic = view.synthetic(item);
    const message = columns.message[item];
    const joins =
      synthetic === undefined
        ? at > 0 &&
          (before === undefined ? message === columns.message[history[at - 1] ?? -1] : joinsCall(view, before, item))
        : isMark(synthetic) || (before?.category === "attachments" && synthetic.category === "attachments");
    if (!joins) content += 1;
    before = synthetic;
    return content;
  });
}

function joinsCall(view: ContextView, before: SyntheticItem, item: ItemIndex): boolean {
  return before.label === acknowledgementItem.label && view.columns.kind[item] === CALL;
}

/** Where a picture comes from: the first call of the response before its message, with its arguments. */
function sourceChars(view: ContextView, item: ItemIndex): Chars {
  const { columns } = view;
  const message = (columns.message[item] ?? 0) - 1;
  let row = item;
  while (row > columns.overheadRows && (columns.message[row - 1] ?? -1) >= message) row -= 1;
  for (; row < item && columns.message[row] === message; row++) {
    if (columns.role[row] !== ASSISTANT || columns.kind[row] !== CALL) continue;
    const name = columns.tables.tools[columns.tool[row] ?? -1] ?? "";
    return name.length + " args=".length + (columns.chars[row] ?? 0);
  }
  return USER_PICTURE.length;
}

function isPicture(columns: SessionColumns, item: ItemIndex): boolean {
  return columns.kind[item] === IMAGE && (columns.measures["qwen-code.image"]?.[item] ?? 1) === 1;
}

function restoredFiles(view: ContextView, history: readonly ItemIndex[], most: number) {
  const { columns } = view;
  const shown = columns.measures["qwen-code.fileChars"];
  const last = history.findLast((item) => item < columns.length) ?? -1;
  const touched: number[] = [];
  for (let at = history.length - 1; at >= 0 && touched.length < most; at--) {
    const item = history[at] ?? -1;
    const file = columns.file[item] ?? -1;
    const isCall = file >= 0 && columns.kind[item] === CALL && (shown?.[item] ?? 0) > 0;
    // A result that is about to be sent is not known yet.
    const result = columns.pair[item] ?? -1;
    const failed = result <= last && ((columns.flags[result] ?? 0) & FLAG.ERROR) !== 0;
    if (isCall && !failed && !touched.includes(file)) touched.push(file);
  }
  const contents = lastShown(columns, last, touched);
  const known = touched.filter((file) => contents.has(file));
  const paths = known.map((file) => columns.tables.files[file] ?? "");
  return { paths, chars: restoredChars(known.map((file, at) => [contents.get(file) ?? 0, paths[at]?.length ?? 0])) };
}

/** What the files held when it compacted, as far as the recording showed it by then, in the context or not. */
function lastShown(columns: SessionColumns, from: ItemIndex, files: readonly number[]): ReadonlyMap<number, Chars> {
  const shown = columns.measures["qwen-code.fileChars"];
  const contents = new Map<number, Chars>();
  for (let row = from; row >= columns.overheadRows && contents.size < files.length; row--) {
    const value = shown?.[row] ?? 0;
    const file = columns.file[row] ?? -1;
    const isRecordedOnly = ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0;
    if (value > 1 && !isRecordedOnly && files.includes(file) && !contents.has(file)) contents.set(file, value - 1);
  }
  return contents;
}

/** `\n\n## `, `\n\n`, and the fence around the content. */
const EMBEDDED_CHARS: Chars = EMBEDDED_FILE.length + "\n\n## \n\n```\n\n```".length;

/** A file above 20,000 characters, or for which there is no room among 200,000, is listed only. */
function restoredChars(files: readonly (readonly [content: Chars, path: Chars])[]): Chars {
  let [used, chars, listed] = [0, 0, 0];
  for (const [content, path] of files) {
    const isListed =
      content > RESTORED_FILE_TOKENS * CHARS_PER_TOKEN || used + content > RESTORED_TOKENS * CHARS_PER_TOKEN;
    if (isListed) listed += path + "\n- ".length;
    else {
      used += content;
      chars += content + path + EMBEDDED_CHARS;
    }
  }
  return chars + (listed > 0 ? LISTED_FILES.length + 1 + listed : 0);
}

// ── micro-compaction ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Results that can be cleared, in the order of the recording, and the pictures within results. */
interface ResultIndex {
  readonly rows: Int32Array;
  /** Characters of the rows before each; one entry more than rows. */
  readonly before: Float64Array;
  readonly images: Int32Array;
}

const indices = new WeakMap<object, ResultIndex>();

function resultIndex(columns: SessionColumns, settings: Settings | undefined): ResultIndex {
  const entered = settings?.entryTruncation === true ? columns.measures["qwen-code.enteredCurrent"] : undefined;
  const key = entered ?? columns.measures["qwen-code.outputChars"] ?? columns.kind;
  const known = indices.get(key);
  if (known !== undefined) return known;
  const rows: number[] = [];
  const before = [0];
  const images: number[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0) continue;
    if (isPicture(columns, row) && columns.origin[row] === TOOL) images.push(row);
    const chars = clearableChars(columns, row);
    if (chars === 0) continue;
    rows.push(row);
    before.push((before.at(-1) ?? 0) + (entered?.[row] || chars));
  }
  const index = { rows: Int32Array.from(rows), before: Float64Array.from(before), images: Int32Array.from(images) };
  indices.set(key, index);
  return index;
}

/** Without the measure every result that is no error may be cleared. */
function clearableChars(columns: SessionColumns, row: ItemIndex): Chars {
  const measure = columns.measures["qwen-code.outputChars"];
  if (measure !== undefined) return measure[row] ?? 0;
  const isError = ((columns.flags[row] ?? 0) & FLAG.ERROR) !== 0;
  return columns.kind[row] === RESULT && !isError ? (columns.chars[row] ?? 0) : 0;
}

/** Index of the first value at or above a limit. */
function lowerBound(values: Int32Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First recorded item of the context: from there on it is a stretch of the recording, to its end. */
function firstRecorded(view: ContextView): ItemIndex {
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items.at(position);
    if (item < view.columns.length) return item;
  }
  return view.columns.length;
}

function resultImages(view: ContextView): number {
  const { images } = resultIndex(view.columns, undefined);
  const last = view.items.length === 0 ? -1 : view.items.at(view.items.length - 1);
  const [from, to] = [lowerBound(images, firstRecorded(view)), lowerBound(images, last + 1)];
  if (to - from < SCREENSHOT_TRIGGER) return to - from;
  return images.subarray(from, to).filter((image) => view.tokensOf(image) > 0).length;
}

type Changes = readonly (readonly [ItemIndex, Tokens])[];

/** What is cleared before this request; `undefined` where nothing is. */
function clearing(view: ContextView, settings: Settings): Changes | undefined {
  if (view.items.length === 0) return undefined;
  const { rows, before } = resultIndex(view.columns, settings);
  const clearedTo = Math.max(-1, ...marksOf(view).map(({ label }) => clearedItem(label)));
  const from = lowerBound(rows, Math.max(firstRecorded(view), clearedTo + 1));
  const idle = isIdle(view, settings);
  const limit = numberSetting(settings, "clearAboveChars");
  const to = lowerBound(rows, view.items.at(view.items.length - 1) + 1);
  const total = (before[to] ?? 0) - (before[from] ?? 0);
  if (!idle && (limit < 0 || total <= limit)) return undefined;
  const end = pendingFrom(view);
  const ownTo = end < view.items.length ? lowerBound(rows, view.items.at(end)) : to;
  const mostTo = Math.max(from, ownTo - numberSetting(settings, "keepToolResults"));
  let last = mostTo;
  if (!idle) {
    last = from;
    while (last < mostTo && total - ((before[last] ?? 0) - (before[from] ?? 0)) > Math.floor(limit / 2)) last += 1;
  }
  const changes = Array.from(rows.subarray(from, last)).flatMap((row) => clearedResult(view, row));
  if (idle) changes.push(...clearedMedia(view, end, numberSetting(settings, "keepToolResults"), changes));
  return changes.length === 0 ? undefined : changes;
}

function clearedItem(label: string): ItemIndex {
  return label.startsWith(CLEARED_TO) ? Number(label.slice(CLEARED_TO.length)) : -1;
}

const MINUTE = 60_000;

/** A prompt after a pause. */
function isIdle(view: ContextView, settings: Settings): boolean {
  const minutes = numberSetting(settings, "clearIdleMinutes");
  if (!view.turnStart || minutes < 0 || view.request === 0) return false;
  const prompt = view.items.at(pendingFrom(view));
  const gap = (view.columns.at[prompt] ?? Number.NaN) - (view.columns.requests.at[view.request - 1] ?? Number.NaN);
  return gap >= minutes * MINUTE;
}

/** What stands in the place of a result: 33 characters, and 64 as for any response. Exact under the compaction rule. */
const CLEARED_TOKENS: Tokens = Math.ceil((CLEARED_RESULT.length + RESPONSE_CHARS) / CHARS_PER_TOKEN);
const CLEARED_MEDIA_TOKENS: Tokens = Math.ceil("[Old inline media cleared: image/png]".length / CHARS_PER_TOKEN);

function clearedTokens(view: ContextView, row: ItemIndex): Tokens {
  const tokens = view.tokensOf(row);
  const chars = view.columns.chars[row] ?? 0;
  const isOwnCount = tokens === Math.ceil((chars + RESPONSE_CHARS) / CHARS_PER_TOKEN);
  return isOwnCount ? CLEARED_TOKENS : Math.min(tokens, CLEARED_TOKENS);
}

/** A result in its cleared size, and what stood within it: that goes. */
function clearedResult(view: ContextView, row: ItemIndex): Changes {
  const { message, kind, pair, length } = view.columns;
  const changes: (readonly [ItemIndex, Tokens])[] = [[row, clearedTokens(view, row)]];
  for (let inner = row + 1; inner < length && message[inner] === message[row]; inner++) {
    const isWithin = kind[inner] === IMAGE || (kind[inner] === RESULT && pair[inner] === pair[row]);
    if (!isWithin) break;
    changes.push([inner, 0]);
  }
  return changes;
}

/** Pictures that go after a pause: all but the newest, those of tools whose results stay and a person's own apart. */
function clearedMedia(view: ContextView, end: number, keep: number, results: Changes): Changes {
  const { columns } = view;
  const { kind, origin } = columns;
  const gone = new Set(results.map(([item]) => item));
  const images = itemsFrom(view, 0)
    .slice(0, end)
    .filter((item) => kind[item] === IMAGE && !gone.has(item) && view.tokensOf(item) > CLEARED_MEDIA_TOKENS);
  const own = images.filter((item) => origin[item] !== TOOL);
  const others = images.filter((item) => origin[item] === TOOL && !isOfClearable(columns, item));
  return [
    ...others.slice(0, -keep).map((item) => [item, 0] as const),
    ...own.slice(0, -keep).map((item) => [item, CLEARED_MEDIA_TOKENS] as const),
  ];
}

/** Whether a picture stands within a result that is cleared as a whole or not at all. */
function isOfClearable(columns: SessionColumns, image: ItemIndex): boolean {
  let row = image;
  while (
    row > columns.overheadRows &&
    columns.message[row - 1] === columns.message[image] &&
    columns.kind[row] !== RESULT
  ) {
    row -= 1;
  }
  return columns.kind[row] === RESULT && clearableChars(columns, row) > 0;
}

/** Everything stays; the changed items in a smaller size, and a mark of how far results were cleared. */
function cleared(view: ContextView, changes: Changes): Retention {
  const results = changes.map(([item]) => item).filter((item) => view.columns.kind[item] === RESULT);
  const isOldMark = (item: ItemIndex) => view.synthetic(item)?.label.startsWith(CLEARED_TO) === true;
  const furthest = results.at(-1);
  return {
    kept: itemsFrom(view, 0).filter((item) => furthest === undefined || !isOldMark(item)),
    truncated: [],
    cleared: changes.toSorted(([a], [b]) => a - b),
    added: furthest === undefined ? [] : [mark(`${CLEARED_TO}${furthest}`)],
    addedAt: "front",
    outcome: "clear",
    summaryTokens: 0,
    summaryCallTokens: 0,
  };
}

// ── entry rule ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A tool's output as it enters under the limits that are set by default; measured on the text, so here it is a size. */
function entryTokens(columns: SessionColumns, item: ItemIndex, tokens: Tokens, settings: Settings): Tokens {
  const measure = isCurrent(settings) ? "qwen-code.enteredCurrent" : "qwen-code.entered";
  const entered = columns.measures[measure]?.[item] ?? 0;
  const chars = columns.chars[item] ?? 0;
  if (entered === 0 || chars === 0) return tokens;
  const isOwnCount = tokens === Math.ceil((chars + RESPONSE_CHARS) / CHARS_PER_TOKEN);
  return isOwnCount ? Math.ceil((entered + RESPONSE_CHARS) / CHARS_PER_TOKEN) : Math.ceil((tokens * entered) / chars);
}
