import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";

/** No position, and no row. */
const NOWHERE = 0x7fffffff;

/** More tokens than any context has. */
const ALL = 0x7fffffff;

interface CountedContext {
  /** Number of items, without the overhead. */
  readonly length: number;
  /** Tokens of all items, overhead included. */
  readonly total: Tokens;
  at(position: number): ItemIndex;
  tokensOf(item: ItemIndex): Tokens;
}

/**
 * Uncached tokens: the part of a request's context that is neither the unchanged beginning of the previous request nor new.
 *
 * A context is a list of (item, size). A provider's cache can serve the longest common beginning of two contexts, with the overhead in front of it. If
 * that is the whole earlier context, nothing is uncached. Otherwise all later items are uncached, except those that enter with this request: kept items
 * after the change, added items such as summaries, and the rest of cleared and truncated items. The cache TTL is ignored here.
 *
 * The simulation reports every change and reads the result once per request. A request without a change costs one comparison. A request with a change
 * costs a loop from the nearest of three positions with a known sum: the start, the end, the last change.
 */
export class SentPrefix {
  /** First position that changed, and first row whose size changed. The row's position is looked up at the end. */
  #firstPosition = NOWHERE;
  #firstRow = NOWHERE;
  /** Position of the last change: everything before it is unchanged. */
  #knownPosition = 0;
  #knownTokens: Tokens;
  readonly #entered: Int32Array;
  readonly #overhead: Tokens;
  /** Tokens before the first change of each request; `ALL` if nothing changed. */
  readonly #unchanged: Int32Array;

  /**
   * @param entered the request of every row; items at or above its length were added
   * @param overhead tokens in front of all items
   */
  constructor(entered: Int32Array, overhead: Tokens, requests: number) {
    this.#entered = entered;
    this.#unchanged = new Int32Array(requests).fill(ALL);
    this.#overhead = overhead;
    this.#knownTokens = overhead;
  }

  /** Records that the item at a position is replaced or removed. */
  changed(position: number, item: ItemIndex, request: RequestIndex): void {
    if (position < this.#firstPosition && !this.#isNew(item, request)) this.#firstPosition = position;
  }

  /** Records that the items between two positions leave. Call it before they do. */
  left(context: CountedContext, from: number, to: number, request: RequestIndex): void {
    for (let position = from; position < to && position < this.#firstPosition; position++) {
      this.changed(position, context.at(position), request);
    }
  }

  /** Records that an item is inserted in front of all others, so that known positions become invalid. Call it before the insertion. */
  pushedBack(context: CountedContext, request: RequestIndex): void {
    if (this.#holdsSent(context, request)) this.#firstPosition = 0;
    this.#knownPosition = 0;
    this.#knownTokens = this.#overhead;
  }

  /** Records that the size of a row changed. */
  resized(row: ItemIndex, request: RequestIndex): void {
    if (row < this.#firstRow && !this.#isNew(row, request)) this.#firstRow = row;
  }

  /** Returns the uncached tokens of a request. Call it when the context of the request is complete. */
  settle(context: CountedContext, request: RequestIndex): Tokens {
    if (this.#firstRow === NOWHERE && this.#firstPosition === NOWHERE) return 0;
    const position = Math.min(this.#firstPosition, this.#positionOf(this.#firstRow, context));
    this.#knownTokens = this.#tokensBefore(position, context);
    this.#knownPosition = position;
    this.#firstPosition = NOWHERE;
    this.#firstRow = NOWHERE;
    this.#unchanged[request] = this.#knownTokens;
    return context.total - this.#knownTokens - this.#newTokens(context, request);
  }

  /**
   * By request, the tokens of the longest common beginning with the request before it; 0 for the first.
   * @param sent by request, its whole context
   */
  sharedOf(sent: Int32Array): Int32Array {
    const shared = new Int32Array(sent.length);
    for (let request = 1; request < sent.length; request++) {
      shared[request] = Math.min(this.#unchanged[request] ?? ALL, sent[request - 1] ?? 0, sent[request] ?? 0);
    }
    return shared;
  }

  /** True if the context holds an item that was sent before a request, or held it until a change. */
  #holdsSent(context: CountedContext, request: RequestIndex): boolean {
    return this.#firstPosition !== NOWHERE || (context.length > 0 && !this.#isNew(context.at(0), request));
  }

  /** True if an item enters with a request. Such an item was not sent before, so its change breaks no prefix. */
  #isNew(item: ItemIndex, request: RequestIndex): boolean {
    return this.#entered[item] === request;
  }

  /**
   * Position of a row if it is before the first changed position, else `NOWHERE`. Rows ascend there. The search takes growing steps from the last
   * change, because consecutive clearings are close to each other.
   */
  #positionOf(row: ItemIndex, context: CountedContext): number {
    let high = Math.min(this.#firstPosition, context.length);
    let low = this.#knownPosition < high && context.at(this.#knownPosition) <= row ? this.#knownPosition : 0;
    for (let step = 1; low < high; step *= 2) {
      const position = this.#nextRow(context, low + step, high);
      if (position >= high || context.at(position) > row) break;
      low = position;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      const position = this.#nextRow(context, middle, high);
      const found = position < high ? context.at(position) : NOWHERE;
      if (found === row) return position;
      if (found < row) low = position + 1;
      else high = middle;
    }
    return NOWHERE;
  }

  /** First position between `from` and `end` without an added item. */
  #nextRow(context: CountedContext, from: number, end: number): number {
    let position = from;
    while (position < end && context.at(position) >= this.#entered.length) position += 1;
    return position;
  }

  #tokensBefore(position: number, context: CountedContext): Tokens {
    const isBehind = this.#knownPosition <= position;
    const from = isBehind ? this.#knownPosition : 0;
    if (context.length - position < position - from) return context.total - sumOf(context, position, context.length);
    return (isBehind ? this.#knownTokens : this.#overhead) + sumOf(context, from, position);
  }

  /** Tokens that enter with a request. They are at the end, before items that are added after them. */
  #newTokens(context: CountedContext, request: RequestIndex): Tokens {
    let tokens = 0;
    for (let position = context.length - 1; position >= 0; position--) {
      const item = context.at(position);
      if (item >= this.#entered.length) continue;
      if (!this.#isNew(item, request)) break;
      tokens += context.tokensOf(item);
    }
    return tokens;
  }
}

function sumOf(context: CountedContext, from: number, to: number): Tokens {
  let tokens = 0;
  for (let position = from; position < to; position++) tokens += context.tokensOf(context.at(position));
  return tokens;
}
