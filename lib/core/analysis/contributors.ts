import { ITEM_CATEGORIES } from "../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { KIND } from "../columns/columns";
import type { MicroDollars } from "../cost/money";
import { type ContributorKind, type GroupCodes, type Grouping, groupCodes } from "./contributor-groups";
import type { InputPrices } from "./input-prices";
import type { MeasuredContext } from "./measured-context";

/** Part of the context that one tool, server, file, message or turn takes. */
export interface Contributor {
  readonly kind: ContributorKind;
  /** Index of the contributor within its kind: see `ContributorKind`. */
  readonly index: number;
  /** Its tokens in the context at the request. All contributors together sum to the context. */
  readonly tokens: Tokens;
  /** Tokens × requests that sent them, from the first request to this one. All contributors together sum to the tokens sent. */
  readonly residency: number;
  /**
   * The cost of its tokens over all these requests (`InputPrices`). All contributors together sum to the cost of the input; absent if that is
   * unknown.
   */
  readonly cost?: MicroDollars | undefined;
  /** Number of its items that were sent with any request up to this one. */
  readonly items: number;
  /** Number of these items that are in the context at the request. */
  readonly present: number;
  /** Number of its items that are calls. */
  readonly calls: number;
  /** The item with the largest residency; −1 if there is none. */
  readonly largest: ItemIndex;
}

export interface Contributors {
  readonly request: RequestIndex;
  readonly context: Tokens;
  /** Sum of the context over the requests up to this one. */
  readonly sent: Tokens;
  /** Cost of the input of these requests; absent if unknown. */
  readonly inputCost?: MicroDollars | undefined;
  /** All contributors that were ever sent, in no particular order. */
  readonly rows: readonly Contributor[];
}

/**
 * Contributors to the context at a request, with the residency of each until then. Linear in items and requests.
 * @param prices cost of the context's tokens at every request, if known
 */
export function contributorsAt(
  measured: MeasuredContext,
  request: RequestIndex,
  grouping: Grouping,
  prices?: InputPrices,
): Contributors {
  const { series } = measured;
  const groups = groupCodes(measured.columns, grouping);
  const sums = new GroupSums(measured, request, groups, prices);
  const inputCost = prices?.upTo(request);
  const context = series.context[request] ?? 0;
  const sent = sumUpTo(series.context, request);
  const rows = sums.rows(context - (series.unattributed[request] ?? 0));
  const rest = {
    tokens: context - rows.reduce((sum, row) => sum + row.tokens, 0),
    residency: Math.max(0, sent - rows.reduce((sum, row) => sum + row.residency, 0)),
  };
  const isLeft = rest.tokens > 0 || sumUpTo(series.unattributed, request) > 0;
  const cost = inputCost === undefined ? undefined : rows.reduce((sum, row) => sum - (row.cost ?? 0), inputCost);
  const left = { kind: "unattributed", index: -1, ...rest, cost, items: 0, present: 0, calls: 0, largest: -1 } as const;
  return { request, context, sent, inputCost, rows: isLeft ? [...rows, left] : rows };
}

function sumUpTo(values: Int32Array, request: RequestIndex): number {
  let sum = 0;
  for (let point = 0; point <= request; point++) sum += values[point] ?? 0;
  return sum;
}

/** Sums by group over the items that were sent up to a request. */
class GroupSums {
  readonly #groups: GroupCodes;
  readonly #tokens: Float64Array;
  readonly #residency: Float64Array;
  readonly #cost: Float64Array;
  readonly #items: Int32Array;
  readonly #present: Int32Array;
  readonly #calls: Int32Array;
  readonly #largest: Int32Array;
  readonly #most: Float64Array;

  constructor(
    measured: MeasuredContext,
    request: RequestIndex,
    groups: GroupCodes,
    private readonly prices: InputPrices | undefined,
  ) {
    this.#groups = groups;
    this.#tokens = new Float64Array(groups.size);
    this.#residency = new Float64Array(groups.size);
    this.#cost = new Float64Array(groups.size);
    this.#items = new Int32Array(groups.size);
    this.#present = new Int32Array(groups.size);
    this.#calls = new Int32Array(groups.size);
    this.#largest = new Int32Array(groups.size).fill(-1);
    this.#most = new Float64Array(groups.size).fill(-1);
    this.#add(measured, request);
    this.#addWithoutItems(measured, request);
  }

  #add({ columns, stays, factor, factorSum }: MeasuredContext, request: RequestIndex): void {
    let last: ItemIndex = -1;
    stays((item, category, tokens, from, to) => {
      if (from > request) return;
      const code = this.#groups.codeOf(item, category);
      const end = Math.min(to, request + 1);
      const residency = tokens * factorSum(category, from, end);
      increase(this.#residency, code, residency);
      if (this.prices !== undefined) {
        increase(this.#cost, code, this.prices.stay(category, tokens, from, end, item !== last));
      }
      if (to > request) {
        increase(this.#tokens, code, tokens * factor(category, request));
        increase(this.#present, code, 1);
      }
      if (residency > (this.#most[code] ?? 0) && item < columns.length) {
        this.#most[code] = residency;
        this.#largest[code] = item;
      }
      // The stays of an item are consecutive, so the item is counted at the first one only.
      if (item === last) return;
      last = item;
      increase(this.#items, code, 1);
      if (columns.kind[item] === KIND.tool_call) increase(this.#calls, code, 1);
    });
  }

  #addWithoutItems({ columns, withoutItems }: MeasuredContext, request: RequestIndex): void {
    for (let category = 0; category < ITEM_CATEGORIES.length; category++) {
      const code = this.#groups.codeOf(columns.length, category);
      increase(this.#residency, code, withoutItems(category, 0, request + 1));
      increase(this.#cost, code, this.prices?.withoutItems(category, 0, request + 1) ?? 0);
      increase(this.#tokens, code, withoutItems(category, request, request + 1));
    }
  }

  /** The groups with any tokens, rounded so that they sum to a total. */
  rows(total: Tokens): readonly Contributor[] {
    const tokens = roundedTo(total, this.#tokens);
    const rows: Contributor[] = [];
    for (let code = 0; code < this.#groups.size; code++) {
      const items = this.#items[code] ?? 0;
      if (items === 0 && this.#residency[code] === 0) continue;
      rows.push({
        kind: this.#groups.kindOf(code),
        index: this.#groups.indexOf(code),
        tokens: tokens[code] ?? 0,
        residency: this.#residency[code] ?? 0,
        cost: this.prices && (this.#cost[code] ?? 0),
        items,
        present: this.#present[code] ?? 0,
        calls: this.#calls[code] ?? 0,
        largest: this.#largest[code] ?? -1,
      });
    }
    return rows;
  }
}

function increase(column: Float64Array | Int32Array, index: number, by: number): void {
  column[index] = (column[index] ?? 0) + by;
}

/**
 * Rounds parts to whole numbers that sum to a total, each less than 1 away from its part, by rounding the running sum. If the total differs from the
 * sum of the parts by more than rounding, the result sums to the parts.
 */
function roundedTo(total: Tokens, parts: Float64Array): Int32Array {
  const whole = new Int32Array(parts.length);
  let sum = 0;
  let given = 0;
  for (let index = 0; index < parts.length; index++) {
    sum += parts[index] ?? 0;
    const upTo = Math.min(total, Math.round(sum));
    whole[index] = upTo - given;
    given = upTo;
  }
  return whole;
}
