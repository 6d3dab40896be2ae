import type { Tokens } from "../base/units";
import { EXTRA, FLAG, type RequestColumns, type SessionColumns } from "../columns/columns";
import type { Prices } from "../prices/prices";
import { type PriceChoice, type PricedRequest, pricedRequests } from "./priced-requests";

/** Sums of recorded usage; a field is `undefined` if no request records it. */
interface UsageSums {
  readonly input: Tokens | undefined;
  readonly output: Tokens | undefined;
  readonly cacheRead: Tokens | undefined;
  readonly cacheWrite: Tokens | undefined;
  readonly reasoning: Tokens | undefined;
}

/** Requests of one class, with their prices. */
export interface BillPart {
  /** Number of responses: further passes belong to theirs. In `passes`, number of passes. */
  readonly requests: number;
  readonly usage: UsageSums;
  /** Requests and their further passes. `request` is a row of the requests for the main chain, and of the extra requests otherwise. */
  readonly priced: readonly PricedRequest[];
  /** True if one of its responses has no final output, so that its cost is a lower bound. */
  readonly isPartial: boolean;
}

/** Requests of a session by the session that paid for them. A part without requests is absent. Source: docs/prices.md, "Responses of a session". */
export interface Bill {
  /** The session's own requests of the main chain, with their further passes. */
  readonly own?: BillPart;
  /** Requests that another session made and paid for. */
  readonly inherited?: BillPart;
  /** Requests on abandoned branches. */
  readonly branches?: BillPart;
  /** Summary calls with recorded usage. */
  readonly compactions?: BillPart;
  /** Requests of subagents whose records are in the file, shown apart from the sum. */
  readonly subagents?: BillPart;
  /** Further passes within `own`. */
  readonly passes?: BillPart;
  /** All requests that the session itself paid for: own, branches and compactions. */
  readonly billed?: BillPart;
}

type PartName = Exclude<keyof Bill, "passes" | "billed">;

/** Collects a part: the rows of its requests, and the number of responses among them. */
class PartSum {
  readonly priced: PricedRequest[] = [];
  requests = 0;
  isPartial = false;
  readonly #usage: { -readonly [Name in keyof UsageSums]: UsageSums[Name] } = {
    input: undefined,
    output: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
    reasoning: undefined,
  };

  add(one: BilledRequest): void {
    const { priced, columns, isResponse, isPartial } = one;
    this.priced.push(priced);
    if (isResponse) this.requests += 1;
    if (isPartial) this.isPartial = true;
    for (const name of USAGE) {
      const tokens = columns[name][priced.request] ?? -1;
      if (tokens >= 0) this.#usage[name] = (this.#usage[name] ?? 0) + tokens;
    }
  }

  part(): BillPart {
    return { requests: this.requests, usage: this.#usage, priced: this.priced, isPartial: this.isPartial };
  }
}

const USAGE = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "reasoning",
] as const satisfies readonly (keyof UsageSums)[];

/** A request with recorded usage, and its part of the bill. */
interface BilledRequest {
  readonly part: PartName;
  readonly priced: PricedRequest;
  /** Columns with the request in row `priced.request`. */
  readonly columns: RequestColumns;
  /** False for a further pass of a response. */
  readonly isResponse: boolean;
  readonly isPartial: boolean;
}

/** Columns that a bill is computed from. */
export type BilledColumns = Pick<SessionColumns, "requests" | "extra" | "flags" | "tables">;

/** Computes a session's bill. Only this function decides which requests a session paid for. */
export function billOf(columns: BilledColumns, prices: Prices, choice: PriceChoice = {}): Bill {
  const sums = new Map<keyof Bill, PartSum>();
  const add = (name: keyof Bill, one: BilledRequest) => {
    const sum = sums.get(name) ?? new PartSum();
    sums.set(name, sum);
    sum.add(one);
  };
  for (const one of billedRequests(columns, prices, choice)) {
    add(one.part, one);
    if (one.part === "own" && !one.isResponse) add("passes", { ...one, isResponse: true });
    if (one.part !== "inherited" && one.part !== "subagents") add("billed", one);
  }
  return Object.fromEntries(Array.from(sums, ([name, sum]) => [name, sum.part()]));
}

/** All requests with recorded usage, each response and each further pass once: those of the main chain, then the others. */
export function* billedRequests(
  columns: BilledColumns,
  prices: Prices,
  choice: PriceChoice = {},
): Generator<BilledRequest> {
  const { requests, extra, flags, tables } = columns;
  for (const priced of pricedRequests(columns, prices, choice)) {
    const isPartial = hasPartialOutput({ requests, flags }, priced.request);
    const part = requests.inherited[priced.request] === 1 ? "inherited" : "own";
    yield { part, priced, columns: requests, isResponse: true, isPartial };
  }
  for (const priced of pricedRequests({ requests: extra, tables }, prices, choice)) {
    const row = priced.request;
    const isInherited = extra.inherited[row] === 1 || requests.inherited[extra.point[row] ?? -1] === 1;
    yield {
      part: isInherited ? "inherited" : (PART_OF[extra.kind[row] ?? -1] ?? "subagents"),
      priced,
      columns: extra,
      isResponse: extra.furtherPass[row] !== 1,
      isPartial: extra.partial[row] === 1,
    };
  }
}

/** True if a main-chain request has only the beginning of its output recorded. */
export function hasPartialOutput(
  { requests, flags }: Pick<SessionColumns, "requests" | "flags">,
  row: number,
): boolean {
  const isPartialItem = ((flags[requests.firstItem[row] ?? -1] ?? 0) & FLAG.PARTIAL_OUTPUT) !== 0;
  return requests.partial[row] === 1 || isPartialItem;
}

/** Part of the bill of each kind of extra request, by its code. */
const PART_OF: Readonly<Record<number, PartName>> = {
  [EXTRA.subagent]: "subagents",
  [EXTRA.branch]: "branches",
  [EXTRA.pass]: "own",
  [EXTRA.compaction]: "compactions",
};
