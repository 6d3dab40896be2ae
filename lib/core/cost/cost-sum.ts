import type { Milliseconds, RequestIndex, Tokens } from "../base/units";
import type { Rates } from "../prices/model";
import type { CacheModel, Reads } from "./cache-model";
import { costOf, costOfOne, type MicroDollars } from "./money";
import type { PricedRequest } from "./priced-requests";
import { type Cost, inputOf } from "./recorded-cost";

/** Cache writes of uncached tokens: never, always, or at a price of their own. */
type Writes = "never" | "always" | "priced";

/** Without a separate price for writes, uncached tokens cost as much as other input. */
export function cacheWrites({ entry }: PricedRequest, rates: Rates): Writes {
  if (entry?.provider === "anthropic") return "always";
  return rates.write5m === rates.input ? "never" : "priced";
}

/** Simulated part of a call to the model's API. */
export interface Call {
  readonly sent: Tokens;
  readonly output: Tokens;
  readonly reads: Reads;
  readonly writes: Writes;
}

/** Tokens that a compaction sent for its summary, and the summary's size. */
export interface SummaryCall {
  readonly request: RequestIndex;
  /** Time of a compaction during the pause before the request; absent for one right before it. */
  readonly at?: Milliseconds | undefined;
  readonly summaryCallTokens: Tokens;
  readonly summaryTokens: Tokens;
}

/** Costs of several calls: their parts by the rule, and their input at both ends of the band. */
export class CostSum {
  output = 0;
  low = 0;
  high = 0;
  #read = 0;
  #write = 0;
  #plain = 0;
  #isKnown = true;

  constructor(private readonly cache: CacheModel) {}

  /** @param index of the request at the call's position in the session */
  add(index: number, rates: Rates, { sent, output, reads, writes }: Call): void {
    const { likely, most, least } = reads;
    const charge = (read: Tokens, how: Writes) => this.#input(index, rates, sent, read, how);
    // If the provider charges for writes but the file records none, it is unknown if they were paid for.
    const cheapest = writes === "priced" && !this.cache.writesSeen ? "never" : writes;
    const ofLikely = likely === undefined ? undefined : charge(likely, writes);
    if (ofLikely === undefined) this.#isKnown = false;
    else this.#plus(ofLikely);
    const isSure = ofLikely !== undefined && likely === most && likely === least && cheapest === writes;
    this.low += inputOf(isSure ? ofLikely : charge(most, cheapest));
    this.high += inputOf(isSure ? ofLikely : charge(least, writes));
    this.output += costOfOne(output, rates.output, this.#factor(index));
  }

  /** Adds a request with a recorded cost. */
  addKnown(cost: Cost): void {
    this.#plus(cost);
    this.output += cost.output;
    this.low += inputOf(cost);
    this.high += inputOf(cost);
  }

  /** `undefined` if the reads are unknown. */
  get cost(): Cost | undefined {
    if (!this.#isKnown) return undefined;
    return { read: this.#read, write: this.#write, plain: this.#plain, output: this.output };
  }

  /** Cost of the input, by the rule and at both ends. */
  get input(): InputBand {
    const { cost, low, high } = this;
    return { input: cost && inputOf(cost), low, high };
  }

  #plus({ read, write, plain }: InputCost): void {
    this.#read += read;
    this.#write += write;
    this.#plain += plain;
  }

  #input(index: number, rates: Rates, sent: Tokens, read: Tokens, writes: Writes): InputCost {
    const factor = this.#factor(index);
    const rest = sent - read;
    const plain = plainOf(this.cache, index, rest, writes);
    const written = rest - plain;
    const long = writes === "always" ? Math.round(written * this.cache.longShare(index)) : 0;
    return {
      read: costOfOne(read, rates.read, factor),
      write:
        long === 0 || long === written
          ? costOfOne(written, long === 0 ? rates.write5m : rates.write1h, factor)
          : costOf(
              [
                { tokens: written - long, price: rates.write5m },
                { tokens: long, price: rates.write1h },
              ],
              factor,
            ),
      plain: costOfOne(plain, rates.input, factor),
    };
  }

  #factor(index: number): number {
    return this.cache.requests[index]?.factor ?? 1;
  }
}

/** Plain tokens among a call's uncached ones. */
export function plainOf(cache: CacheModel, index: number, rest: Tokens, writes: Writes): Tokens {
  return writes === "never" ? rest : Math.min(rest, writes === "always" ? cache.tail(index) : 0);
}

type InputCost = Omit<Cost, "output">;

/** Cost of the input, by the rule and at both ends. */
export interface InputBand {
  readonly input: MicroDollars | undefined;
  readonly low: MicroDollars;
  readonly high: MicroDollars;
}
