import { lowerBound } from "@/lib/core/base/numbers";
import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { ContextView, PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { firstRecorded } from "@/lib/core/compaction/selection";
import { CHARS_PER_TOKEN, CLEARED_RESULT, RESPONSE_CHARS } from "../base/constants";
import { ASSISTANT, firstPending, IMAGE, pendingFrom, RESULT } from "./history";
import { PART } from "./measures";
import { clearableChars, partBits, rowsWithin } from "./parts";
import { CLEARED_MEDIUM_TOKENS, isPutBack, withoutPictures } from "./pictures";
import { type Results, resultsOf } from "./results";

type Sizes = readonly (readonly [ItemIndex, Tokens])[];

/** Cleared items, each with its new size. */
interface Changes {
  /** Rows in order. */
  readonly rows: Sizes;
  /** The newest result whose output is cleared; −1 if there is none. */
  readonly newest: ItemIndex;
  /** The item of restored pictures if some of them are cleared, and their number. */
  readonly putBack: Sizes;
  readonly pictures: number;
}

/** Clears old results by size and by time. Source: README.md, "Cleared results". */
export class Clearing {
  readonly #results: Results;
  readonly #idleMinutes: number;
  readonly #limit: Chars;
  readonly #keep: number;
  /** The newest result that was cleared since the last summary; −1 if there is none. */
  #clearedTo: ItemIndex = -1;
  /**
   * The range of results that may still be uncleared, as indices in the table: from the first remaining one to the newest that has entered. The range
   * may include results that were dropped with their calls.
   */
  #from = 0;
  #to = 0;
  /** True if the first index is known: a compaction moves it. */
  #hasBegun = false;

  constructor({ columns, settings }: PolicyPlan) {
    this.#results = resultsOf(columns, settings.entryTruncation === true);
    this.#idleMinutes = numberSetting(settings, "clearIdleMinutes");
    this.#limit = numberSetting(settings, "clearAboveChars");
    this.#keep = numberSetting(settings, "keepToolResults");
  }

  /**
   * Items to clear before a request; `undefined` if there are none.
   * @param putBack number of restored pictures in the context
   */
  before(view: ContextView, putBack: number): Changes | undefined {
    if (view.items.length === 0) return undefined;
    this.#follow(view);
    if (this.#isIdle(view)) return this.#afterPause(view, putBack);
    const { before } = this.#results;
    const most = (before[this.#to] ?? 0) - (before[this.#from] ?? 0);
    return this.#limit >= 0 && most > this.#limit ? this.#bySize(view) : undefined;
  }

  /** Remembers cleared items. */
  clear({ newest }: Changes): void {
    this.#clearedTo = Math.max(this.#clearedTo, newest);
    this.#hasBegun = false;
  }

  /** Remembers that a summary has replaced the history. */
  summarise(): void {
    this.#clearedTo = -1;
    this.#hasBegun = false;
  }

  /** Extends the range of results to the newest item, or shortens it after a rollback. */
  #follow(view: ContextView): void {
    const { rows } = this.#results;
    if (!this.#hasBegun) {
      const first = firstRecorded(view, 0);
      this.#from = lowerBound(rows, Math.max(first, this.#clearedTo + 1));
      this.#to = this.#from;
      // Without a recorded item the first index is unknown.
      this.#hasBegun = first < view.columns.length;
    }
    const last = view.items.at(view.items.length - 1);
    while (this.#to < rows.length && (rows[this.#to] ?? 0) <= last) this.#to += 1;
    while (this.#to > 0 && (rows[this.#to - 1] ?? 0) > last) this.#to -= 1;
  }

  /** True if this request begins with a prompt after a pause. */
  #isIdle(view: ContextView): boolean {
    if (!view.turnStart || this.#idleMinutes < 0 || view.request === 0) return false;
    const prompt = view.items.at(pendingFrom(view));
    const gap = (view.columns.at[prompt] ?? Number.NaN) - (view.columns.requests.at[view.request - 1] ?? Number.NaN);
    return gap >= this.#idleMinutes * MINUTE;
  }

  #afterPause(view: ContextView, putBack: number): Changes | undefined {
    const { outputs, holders, media } = agedParts(view, pendingFrom(view), this.#keep, putBack);
    const own = media.filter((item) => item < view.columns.length);
    const rows = [
      ...outputs.flatMap((row) => clearedResult(view, row)),
      ...holders.flatMap((row) => clearedWithin(view, row)),
      ...own.map((row) => [row, CLEARED_MEDIUM_TOKENS] as const),
    ];
    const pictures = media.length - own.length;
    const item = media.find((one) => one >= view.columns.length) ?? -1;
    if (rows.length === 0 && pictures === 0) return undefined;
    return {
      rows: rows.sort(([a], [b]) => a - b),
      newest: outputs.at(-1) ?? -1,
      putBack: pictures === 0 ? [] : [[item, withoutPictures(view.tokensOf(item), pictures)]],
      pictures,
    };
  }

  /** Above the limit, clears the oldest results until half of it is left, but never the newest. Results about to be sent count, but are kept. */
  #bySize(view: ContextView): Changes | undefined {
    const { rows, before } = this.#results;
    const pending = firstPending(view);
    const charsAt = (place: number) => (before[place + 1] ?? 0) - (before[place] ?? 0);
    const own: number[] = [];
    let total: Chars = 0;
    for (let place = this.#from; place < this.#to; place++) {
      const row = rows[place] ?? -1;
      if (!view.items.isWhole(row)) continue;
      total += charsAt(place);
      if (row < pending) own.push(place);
    }
    if (total <= this.#limit) return undefined;
    const cleared: (readonly [ItemIndex, Tokens])[] = [];
    let newest = -1;
    for (const place of own.slice(0, -this.#keep)) {
      if (total <= Math.floor(this.#limit / 2)) break;
      total -= charsAt(place);
      newest = rows[place] ?? -1;
      cleared.push(...clearedResult(view, newest));
    }
    return newest < 0 ? undefined : { rows: cleared, newest, putBack: [], pictures: 0 };
  }
}

const MINUTE = 60_000;

/** The context after this clearing; the last usage is unchanged. */
export function asCleared(view: ContextView, { rows, putBack }: Changes): ContextView {
  const sizes = new Map([...rows, ...putBack]);
  const saved = [...sizes].reduce((sum, [item, tokens]) => sum + view.tokensOf(item) - tokens, 0);
  return {
    ...view,
    history: view.history - saved,
    tokensOf: (item) => sizes.get(item) ?? view.tokensOf(item),
    synthetic: (item) => view.synthetic(item),
  };
}

/** Size of a cleared result: the placeholder's 33 characters, and 64 as for any response. Exact under the compaction rule. */
const CLEARED_TOKENS: Tokens = Math.ceil((CLEARED_RESULT.length + RESPONSE_CHARS) / CHARS_PER_TOKEN);

function clearedTokens(view: ContextView, row: ItemIndex): Tokens {
  const tokens = view.tokensOf(row);
  const chars = view.columns.chars[row] ?? 0;
  const isOwnCount = tokens === Math.ceil((chars + RESPONSE_CHARS) / CHARS_PER_TOKEN);
  return isOwnCount ? CLEARED_TOKENS : Math.min(tokens, CLEARED_TOKENS);
}

/** A result in its cleared size, and size 0 for everything within it. */
function clearedResult(view: ContextView, row: ItemIndex): Sizes {
  const size = [row, clearedTokens(view, row)] as const;
  return view.items.isWhole(row) ? [size, ...clearedWithin(view, row)] : clearedWithin(view, row);
}

function clearedWithin(view: ContextView, result: ItemIndex): Sizes {
  return rowsWithin(view.columns, result)
    .filter((row) => view.items.isWhole(row))
    .map((row) => [row, 0]);
}

/** Items cleared after a pause. */
interface AgedParts {
  /** Results whose output is cleared, together with everything within them. */
  readonly outputs: readonly ItemIndex[];
  /** Kept results that lose the media within them. */
  readonly holders: readonly ItemIndex[];
  /** Media outside any result. The item of restored pictures occurs once for every picture in it. */
  readonly media: readonly ItemIndex[];
}

/**
 * Clears all but the newest of each kind: results of tools whose results may be cleared, other results that hold media, and separate media. Results
 * that report an error count among the newest but are never cleared.
 * @param end position after the history
 * @param putBack number of pictures in the item of restored pictures
 */
function agedParts(view: ContextView, end: number, keep: number, putBack: number): AgedParts {
  const { columns } = view;
  const outputs: ItemIndex[] = [];
  const holders: ItemIndex[] = [];
  const media: ItemIndex[] = [];
  for (let position = 0; position < end; position++) {
    const item = view.items.at(position);
    if (isPutBack(view.synthetic(item))) for (let count = 0; count < putBack; count++) media.push(item);
    if (item >= columns.length) continue;
    const bits = partBits(columns, item);
    if ((bits & PART.WITHIN) !== 0) continue;
    if (columns.kind[item] === IMAGE) {
      if (columns.role[item] !== ASSISTANT && view.items.isWhole(item)) media.push(item);
    } else if (columns.kind[item] === RESULT) {
      const holdsMedia = hasMedia(view, item);
      if ((bits & PART.CLEARABLE) === 0) {
        if (holdsMedia) holders.push(item);
      } else if (holdsMedia || (view.items.isWhole(item) && clearableChars(columns, item) > 0)) outputs.push(item);
    }
  }
  const hasNoError = (item: ItemIndex) => (partBits(columns, item) & PART.ERROR) === 0;
  return {
    outputs: outputs.slice(0, -keep).filter(hasNoError),
    holders: holders.slice(0, -keep).filter(hasNoError),
    media: media.slice(0, -keep),
  };
}

function hasMedia({ columns, items }: ContextView, result: ItemIndex): boolean {
  return rowsWithin(columns, result).some((row) => columns.kind[row] === IMAGE && items.isWhole(row));
}
