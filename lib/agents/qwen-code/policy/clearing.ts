import { lowerBound } from "@/lib/core/base/lower-bound";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, PolicyPlan } from "@/lib/core/compaction/policy";
import { itemsFrom } from "@/lib/core/compaction/retention";
import { firstRecorded } from "@/lib/core/compaction/selection";
import { numberSetting } from "@/lib/core/compaction/settings";
import { CHARS_PER_TOKEN, CLEARED_RESULT, RESPONSE_CHARS } from "../constants";
import { IMAGE, pendingFrom, RESULT, TOOL } from "./history";
import { CLEARED_MEDIA_TOKENS } from "./pictures";
import { clearableChars, type Results, resultsOf } from "./results";

/** Items in their order, and what each comes to once it is cleared. */
export type Changes = readonly (readonly [ItemIndex, Tokens])[];

/** Clears old results by their size and by time. Source: README.md, "Cleared results". */
export class Clearing {
  readonly #results: Results;
  readonly #idleMinutes: number;
  readonly #limit: Chars;
  readonly #keep: number;
  /** The newest result that was cleared since the last summary, −1 where none was. */
  #clearedTo: ItemIndex = -1;
  /**
   * The results that may be there and whole, as places in the table: from the first that is left to the newest that has entered. Those
   * that went with their calls are among them.
   */
  #from = 0;
  #to = 0;
  /** Whether the first place is known: a compaction moves it. */
  #hasBegun = false;

  constructor({ columns, settings }: PolicyPlan) {
    this.#results = resultsOf(columns, settings.entryTruncation === true);
    this.#idleMinutes = numberSetting(settings, "clearIdleMinutes");
    this.#limit = numberSetting(settings, "clearAboveChars");
    this.#keep = numberSetting(settings, "keepToolResults");
  }

  /** What is to be cleared before a request; `undefined` where nothing is. */
  before(view: ContextView): Changes | undefined {
    if (view.items.length === 0) return undefined;
    this.#follow(view);
    const { before } = this.#results;
    const isIdle = this.#isIdle(view);
    const most = (before[this.#to] ?? 0) - (before[this.#from] ?? 0);
    return isIdle || (this.#limit >= 0 && most > this.#limit) ? this.#changes(view, isIdle) : undefined;
  }

  /** Takes down what was cleared. */
  clear(view: ContextView, changes: Changes): void {
    this.#clearedTo = changes.findLast(([item]) => view.columns.kind[item] === RESULT)?.[0] ?? this.#clearedTo;
    this.#hasBegun = false;
  }

  /** Takes down that a summary stands in the place of the history. */
  summarise(): void {
    this.#clearedTo = -1;
    this.#hasBegun = false;
  }

  /** Brings the results that may be there up to the newest item; a person may have taken some back. */
  #follow(view: ContextView): void {
    const { rows } = this.#results;
    if (!this.#hasBegun) {
      const first = firstRecorded(view, 0);
      this.#from = lowerBound(rows, Math.max(first, this.#clearedTo + 1));
      this.#to = this.#from;
      // Without a recorded item there is no first one yet.
      this.#hasBegun = first < view.columns.length;
    }
    const last = view.items.at(view.items.length - 1);
    while (this.#to < rows.length && (rows[this.#to] ?? 0) <= last) this.#to += 1;
    while (this.#to > 0 && (rows[this.#to - 1] ?? 0) > last) this.#to -= 1;
  }

  /** Whether a prompt comes after a pause. */
  #isIdle(view: ContextView): boolean {
    if (!view.turnStart || this.#idleMinutes < 0 || view.request === 0) return false;
    const prompt = view.items.at(pendingFrom(view));
    const gap = (view.columns.at[prompt] ?? Number.NaN) - (view.columns.requests.at[view.request - 1] ?? Number.NaN);
    return gap >= this.#idleMinutes * MINUTE;
  }

  /** Looks at what is there: after a pause all goes but the newest, else the oldest until half of the limit is left. */
  #changes(view: ContextView, isIdle: boolean): Changes | undefined {
    const { rows, before } = this.#results;
    const end = pendingFrom(view);
    const pending = end < view.items.length ? view.items.at(end) : view.columns.length;
    const charsAt = (index: number) => (before[index + 1] ?? 0) - (before[index] ?? 0);
    const own: number[] = [];
    let total: Chars = 0;
    for (let index = this.#from; index < this.#to; index++) {
      const row = rows[index] ?? -1;
      if (!view.items.isWhole(row)) continue;
      total += charsAt(index);
      if (row < pending) own.push(index);
    }
    if (!isIdle && total <= this.#limit) return undefined;
    const changes: (readonly [ItemIndex, Tokens])[] = [];
    for (let at = 0; at < own.length - this.#keep && (isIdle || total > Math.floor(this.#limit / 2)); at++) {
      total -= charsAt(own[at] ?? 0);
      putCleared(view, rows[own[at] ?? 0] ?? -1, changes);
    }
    if (isIdle) changes.push(...clearedMedia(view, end, this.#keep, changes));
    return changes.length === 0 ? undefined : changes.sort(([a], [b]) => a - b);
  }
}

const MINUTE = 60_000;

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
