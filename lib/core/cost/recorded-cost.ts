import type { Tokens } from "../base/units";
import type { Rates } from "../prices/model";
import { costOf, costOfOne, type MicroDollars } from "./money";
import type { PricedRequest, SentTokens } from "./priced-requests";

/** Costs of requests, in micro-dollars. Each part of a request is rounded separately; sums add the rounded parts. */
export interface Cost {
  readonly read: MicroDollars;
  readonly write: MicroDollars;
  readonly plain: MicroDollars;
  readonly output: MicroDollars;
}

export const NO_COST: Cost = { read: 0, write: 0, plain: 0, output: 0 };

/** The sum of a cost's parts. */
export function totalOf({ read, write, plain, output }: Cost): MicroDollars {
  return read + write + plain + output;
}

/** Cost of the input, without the output. */
export function inputOf({ read, write, plain }: Omit<Cost, "output">): MicroDollars {
  return read + write + plain;
}

export function sumOf(a: Cost, b: Cost): Cost {
  return { read: a.read + b.read, write: a.write + b.write, plain: a.plain + b.plain, output: a.output + b.output };
}

/**
 * Cost of a request; `undefined` if it has no price.
 * @param sent other tokens than the recorded ones
 */
export function costOfRequest(request: PricedRequest, sent: SentTokens = request): Cost | undefined {
  const { rates, factor, output } = request;
  return rates === undefined ? undefined : costOfTokens(sent, output, rates, factor);
}

/** Cost of tokens at given rates, with each part rounded separately. */
export function costOfTokens(sent: SentTokens, output: Tokens, rates: Rates, factor: number): Cost {
  return {
    read: costOfOne(sent.read, rates.read, factor),
    write: costOfWrites(sent, rates, factor),
    plain: costOfOne(sent.plain, rates.input, factor),
    output: costOfOne(output, rates.output, factor),
  };
}

/** Writes are rounded once, for all cache TTLs together. */
function costOfWrites({ write5m, write1h }: SentTokens, rates: Rates, factor: number): MicroDollars {
  if (write1h === 0) return costOfOne(write5m, rates.write5m, factor);
  if (write5m === 0) return costOfOne(write1h, rates.write1h, factor);
  const charges = [
    { tokens: write5m, price: rates.write5m },
    { tokens: write1h, price: rates.write1h },
  ];
  return costOf(charges, factor);
}

/** Requests of one model, by its name as written in the file. */
interface ModelCost {
  readonly requests: number;
  /** `undefined` if one of them has no price. */
  readonly cost: Cost | undefined;
}

export interface RecordedCost {
  readonly requests: number;
  /** Number of requests that have a price. */
  readonly priced: number;
  /** `undefined` if a request has no price, or without requests: a partial sum would look complete. */
  readonly cost: Cost | undefined;
  /** True if one of them records cache writes. */
  readonly writesRecorded: boolean;
  /** By the models' names as written; requests without a model have the empty name. */
  readonly byModel: ReadonlyMap<string, ModelCost>;
}

/** Total cost of a session's requests. Source: docs/prices.md, "Cost of a request". */
export function recordedCost(requests: readonly PricedRequest[]): RecordedCost {
  const byModel = new Map<string, ModelCost>();
  let cost: Cost | undefined = requests.length === 0 ? undefined : NO_COST;
  let priced = 0;
  for (const request of requests) {
    const own = costOfRequest(request);
    if (own !== undefined) priced += 1;
    cost = plus(cost, own);
    const name = request.model ?? "";
    const before = byModel.get(name) ?? { requests: 0, cost: NO_COST };
    byModel.set(name, { requests: before.requests + 1, cost: plus(before.cost, own) });
  }
  const writesRecorded = requests.some((request) => request.writesRecorded);
  return { requests: requests.length, priced, cost, byModel, writesRecorded };
}

function plus(sum: Cost | undefined, cost: Cost | undefined): Cost | undefined {
  return sum === undefined || cost === undefined ? undefined : sumOf(sum, cost);
}
