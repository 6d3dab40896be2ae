import { lowerBound } from "@/lib/core/base/lower-bound";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Retention } from "@/lib/core/compaction/policy";
import { everything, positionsWhere } from "@/lib/core/compaction/positions";
import { perSettings, remembered } from "@/lib/core/compaction/remembered";
import { itemsFrom } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { CHARS_PER_TOKEN, CLEARED_RESULT, RESPONSE_CHARS } from "./constants";
import {
  CLEARED_MEDIA_TOKENS,
  CLEARED_TO,
  IMAGE,
  isPicture,
  mark,
  marksOf,
  pendingFrom,
  RESULT,
  TOOL,
} from "./policy-view";

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

/** First recorded item of the context: from there on it is a stretch of the recording, to its end. */
function firstRecorded(view: ContextView): ItemIndex {
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items.at(position);
    if (item < view.columns.length) return item;
  }
  return view.columns.length;
}

/**
 * Pictures of tools in the history, what is about to be sent not among them: exactly where there are as many as asked about, below
 * that at most so many.
 */
export function resultImages(view: ContextView, enough: number): number {
  const { images } = resultIndex(view.columns, undefined);
  if (images.length < enough) return images.length;
  const end = pendingFrom(view);
  const last = end === 0 ? -1 : view.items.at(end - 1);
  const [from, to] = [lowerBound(images, firstRecorded(view)), lowerBound(images, last + 1)];
  if (to - from < enough) return to - from;
  return images.subarray(from, to).filter((image) => view.tokensOf(image) > 0).length;
}

/** Items, and what each comes to when it is cleared. */
export type Changes = readonly (readonly [ItemIndex, Tokens])[];

/** What is cleared before this request; `undefined` where nothing is. */
export function clearing(view: ContextView, settings: Settings): Changes | undefined {
  if (view.items.length === 0) return undefined;
  const { rows, before } = resultIndex(view.columns, settings);
  const { idleMinutes, limit } = rulesOf(view.window, settings);
  const { from, to } = stretchOf(view, rows);
  const idle = isIdle(view, idleMinutes);
  const most = (before[to] ?? 0) - (before[from] ?? 0);
  if (!idle && (limit < 0 || most <= limit)) return undefined;
  return clearedNow(view, settings);
}

/** Looks at what is there: results that went with their calls are still in the sums. */
const clearedNow = remembered((view: ContextView, settings: Settings): Changes | undefined => {
  const { rows, before } = resultIndex(view.columns, settings);
  const { idleMinutes, limit, keep } = rulesOf(view.window, settings);
  const idle = isIdle(view, idleMinutes);
  const end = pendingFrom(view);
  const pending = end < view.items.length ? view.items.at(end) : view.columns.length;
  const { from, to } = stretchOf(view, rows);
  const charsAt = (index: number) => (before[index + 1] ?? 0) - (before[index] ?? 0);
  const own: number[] = [];
  let total: Chars = 0;
  for (let index = from; index < to; index++) {
    const row = rows[index] ?? -1;
    if (!view.items.isWhole(row)) continue;
    total += charsAt(index);
    if (row < pending) own.push(index);
  }
  if (!idle && total <= limit) return undefined;
  const changes: (readonly [ItemIndex, Tokens])[] = [];
  for (let at = 0; at < own.length - keep && (idle || total > Math.floor(limit / 2)); at++) {
    total -= charsAt(own[at] ?? 0);
    putCleared(view, rows[own[at] ?? 0] ?? -1, changes);
  }
  if (idle) changes.push(...clearedMedia(view, end, keep, changes));
  return changes.length === 0 ? undefined : changes;
});

/** The context once these are cleared: the last usage is what it was. */
export function asCleared(view: ContextView, changes: Changes): ContextView {
  const sizes = new Map(changes);
  const saved = changes.reduce((sum, [item, tokens]) => sum + view.tokensOf(item) - tokens, 0);
  return {
    ...view,
    history: view.history - saved,
    tokensOf: (item) => sizes.get(item) ?? view.tokensOf(item),
    synthetic: (item) => view.synthetic(item),
  };
}

const rulesOf = perSettings((_window, settings) => ({
  idleMinutes: numberSetting(settings, "clearIdleMinutes"),
  limit: numberSetting(settings, "clearAboveChars"),
  keep: numberSetting(settings, "keepToolResults"),
}));

/** Stretch of the results that may be there and whole, as indices: those gone with their calls are in it. */
interface Stretch {
  readonly compactions: number;
  readonly from: number;
  to: number;
}

const stretches = new WeakMap<ContextView, Stretch>();

/** Begins where the last compaction or clearing left it, and ends with the newest item: looked for from where it ended before. */
function stretchOf(view: ContextView, rows: Int32Array): Stretch {
  const stretch = begunStretch(view, rows);
  const last = view.items.at(view.items.length - 1);
  while (stretch.to < rows.length && (rows[stretch.to] ?? 0) <= last) stretch.to += 1;
  while (stretch.to > 0 && (rows[stretch.to - 1] ?? 0) > last) stretch.to -= 1;
  return stretch;
}

function begunStretch(view: ContextView, rows: Int32Array): Stretch {
  const known = stretches.get(view);
  if (known?.compactions === view.compactions) return known;
  const clearedTo = Math.max(-1, ...marksOf(view).map(({ label }) => clearedItem(label)));
  const first = firstRecorded(view);
  const from = lowerBound(rows, Math.max(first, clearedTo + 1));
  const stretch = { compactions: view.compactions, from, to: from };
  // Without a recorded item it does not begin yet.
  if (first < view.columns.length) stretches.set(view, stretch);
  return stretch;
}

function clearedItem(label: string): ItemIndex {
  return label.startsWith(CLEARED_TO) ? Number(label.slice(CLEARED_TO.length)) : -1;
}

const MINUTE = 60_000;

/** A prompt after a pause. */
function isIdle(view: ContextView, minutes: number): boolean {
  if (!view.turnStart || minutes < 0 || view.request === 0) return false;
  const prompt = view.items.at(pendingFrom(view));
  const gap = (view.columns.at[prompt] ?? Number.NaN) - (view.columns.requests.at[view.request - 1] ?? Number.NaN);
  return gap >= minutes * MINUTE;
}

/** What stands in the place of a result: 33 characters, and 64 as for any response. Exact under the compaction rule. */
const CLEARED_TOKENS: Tokens = Math.ceil((CLEARED_RESULT.length + RESPONSE_CHARS) / CHARS_PER_TOKEN);

function clearedTokens(view: ContextView, row: ItemIndex): Tokens {
  const tokens = view.tokensOf(row);
  const chars = view.columns.chars[row] ?? 0;
  const isOwnCount = tokens === Math.ceil((chars + RESPONSE_CHARS) / CHARS_PER_TOKEN);
  return isOwnCount ? CLEARED_TOKENS : Math.min(tokens, CLEARED_TOKENS);
}

/** Puts down a result in its cleared size, and what stood within it: that goes. */
function putCleared(view: ContextView, row: ItemIndex, changes: (readonly [ItemIndex, Tokens])[]): void {
  const { message, kind, pair, length } = view.columns;
  changes.push([row, clearedTokens(view, row)]);
  for (let inner = row + 1; inner < length && message[inner] === message[row]; inner++) {
    const isWithin = kind[inner] === IMAGE || (kind[inner] === RESULT && pair[inner] === pair[row]);
    if (!isWithin) break;
    if (view.items.isWhole(inner)) changes.push([inner, 0]);
  }
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
export function cleared(view: ContextView, changes: Changes): Retention {
  const results = changes.map(([item]) => item).filter((item) => view.columns.kind[item] === RESULT);
  const { length } = view.columns;
  const isOldMark = (item: ItemIndex) => item >= length && view.synthetic(item)?.label.startsWith(CLEARED_TO) === true;
  const furthest = results.at(-1);
  return {
    kept: furthest === undefined ? everything(view) : positionsWhere(view, 0, (item) => !isOldMark(item)),
    truncated: [],
    cleared: changes.toSorted(([a], [b]) => a - b),
    added: furthest === undefined ? [] : [mark(`${CLEARED_TO}${furthest}`)],
    addedAt: "front",
    outcome: "clear",
    summaryTokens: 0,
    summaryCallTokens: 0,
  };
}
