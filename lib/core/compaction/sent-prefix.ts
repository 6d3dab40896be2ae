import type { ItemIndex, RequestIndex, Tokens } from "../base/units";

/** No position, and no row. */
const NOWHERE = 0x7fffffff;

/** A context as the walk over it needs it. */
export interface CountedContext {
  /** Number of items, overhead not among them. */
  readonly length: number;
  /** Tokens of everything, overhead included. */
  readonly total: Tokens;
  at(position: number): ItemIndex;
  tokensOf(item: ItemIndex): Tokens;
}

/**
 * How much of a request's context is not the beginning of what the request before it sent, and yet not new: *rewritten*.
 *
 * Two contexts are lists of (item, size). Their longest common beginning, the overhead in front of it, can be read from a
 * provider's cache. Where all of the earlier context is in it, nothing is rewritten. Else everything of the later one behind
 * it is, but for items that enter with this request: kept items behind the change, summaries and what else a compaction
 * adds, what is left of cleared and truncated items. How long the cache lives is no part of it.
 *
 * Told of every change as it is made; asked once a request. A request without a change costs a comparison, one with a change
 * a walk from the nearest of three places whose sum is known: the start, the end, the last change.
 */
export class SentPrefix {
  /** First position that changed, and first row whose size did: where that stands is looked up in the end. */
  #firstPosition = NOWHERE;
  #firstRow = NOWHERE;
  /** The place of the last change: everything before it is as it was then. */
  #knownPosition = 0;
  #knownTokens: Tokens;
  /** What the request that was settled last shares with the one before it; absent where that is all of that one. */
  #shared: Tokens | undefined;
  readonly #entered: Int32Array;
  readonly #overhead: Tokens;

  /** @param entered request of every row; items behind them were added. @param overhead tokens in front of all items */
  constructor(entered: Int32Array, overhead: Tokens) {
    this.#entered = entered;
    this.#overhead = overhead;
    this.#knownTokens = overhead;
  }

  /** Another item than before, or none, stands at the position of an item. */
  changed(position: number, item: ItemIndex, request: RequestIndex): void {
    if (position < this.#firstPosition && !this.#isNew(item, request)) this.#firstPosition = position;
  }

  /** What stood between two positions is gone. To be told while it still stands there. */
  left(context: CountedContext, from: number, to: number, request: RequestIndex): void {
    for (let position = from; position < to && position < this.#firstPosition; position++) {
      this.changed(position, context.at(position), request);
    }
  }

  /** Something comes to stand in front of everything: nothing that is known of positions holds any more. To be told before it does. */
  pushedBack(context: CountedContext, request: RequestIndex): void {
    if (this.#holdsSent(context, request)) this.#firstPosition = 0;
    this.#knownPosition = 0;
    this.#knownTokens = this.#overhead;
  }

  /** A row has another size. */
  resized(row: ItemIndex, request: RequestIndex): void {
    if (row < this.#firstRow && !this.#isNew(row, request)) this.#firstRow = row;
  }

  /** Tokens that a request rewrites: to be asked when its context stands. */
  settle(context: CountedContext, request: RequestIndex): Tokens {
    this.#shared = undefined;
    if (this.#firstRow === NOWHERE && this.#firstPosition === NOWHERE) return 0;
    const position = Math.min(this.#firstPosition, this.#positionOf(this.#firstRow, context));
    this.#knownTokens = this.#tokensBefore(position, context);
    this.#knownPosition = position;
    this.#firstPosition = NOWHERE;
    this.#firstRow = NOWHERE;
    this.#shared = this.#knownTokens;
    return context.total - this.#knownTokens - this.#newTokens(context, request);
  }

  /**
   * Tokens of the longest common beginning of the request that was settled last and the one before it; `undefined` where that is all that the one before
   * had sent.
   */
  get shared(): Tokens | undefined {
    return this.#shared;
  }

  /** Whether anything that was sent before a request stands in the context, or did until something changed. */
  #holdsSent(context: CountedContext, request: RequestIndex): boolean {
    return this.#firstPosition !== NOWHERE || (context.length > 0 && !this.#isNew(context.at(0), request));
  }

  /** Whether an item enters with a request: what was not sent before it cannot break what was. */
  #isNew(item: ItemIndex, request: RequestIndex): boolean {
    return this.#entered[item] === request;
  }

  /**
   * Where a row stands in front of the first position that changed, `NOWHERE` where it does not. Rows ascend there; looked for
   * in growing steps from the last change, as a policy that clears at every request moves on by little.
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

  /** First position from one on, in front of an end, at which no added item stands. */
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

  /** What enters with a request stands at the end, in front of what is added behind it. */
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
