import type { Milliseconds } from "@/lib/core/base/units";
import type { TokenUsage } from "./schema";

/** The kinds of records that state a response's usage. From 0.151 on a file has both for a response, in either order, or one of them. */
export type UsageSource = "token_count" | "token_usage_record";

/** Usage of a response in one record. */
interface StatedUsage {
  readonly source: UsageSource;
  readonly last: TokenUsage;
  /** The thread's running total; absent if the record has none. */
  readonly total: TokenUsage | undefined;
  readonly at: Milliseconds | undefined;
}

/** The longest time between the two records of one response, which are written one right after the other. Source: README.md, "Traps". */
const PAIR_WITHIN: Milliseconds = 5000;
/** Maximum number of records that wait for their counterpart; a bound for files without times. */
const MAX_WAITING = 8;

/** Pairs the two records of one response, so that its usage counts once. */
export class StatedUsages {
  readonly #totals = new Map<UsageSource, TokenUsage>();
  /** Waiting records, each with its response. */
  #waiting: (StatedUsage & { readonly response: number })[] = [];

  /** Reads the running total; returns true if it differs from the previous record of the same kind. */
  changes({ source, total }: Pick<StatedUsage, "source" | "total">): boolean {
    const before = this.#totals.get(source);
    if (total === undefined) return true;
    this.#totals.set(source, total);
    return before === undefined || !isSameUsage(total, before);
  }

  /** The response already paid for by a record of the other kind, which is used up then. */
  paid(stated: StatedUsage): number | undefined {
    this.#waiting = this.#waiting.filter(({ at }) => isNear(at, stated.at));
    const place = this.#waiting.findIndex(
      ({ source, last }) => source !== stated.source && isSameUsage(last, stated.last),
    );
    return place === -1 ? undefined : this.#waiting.splice(place, 1)[0]?.response;
  }

  /** Remembers a record that paid for a response: one of the other kind may follow. */
  wait(stated: StatedUsage, response: number): void {
    this.#waiting.push({ ...stated, response });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }
}

function isNear(a: Milliseconds | undefined, b: Milliseconds | undefined): boolean {
  return a === undefined || b === undefined || Math.abs(a - b) <= PAIR_WITHIN;
}

/** Compares all fields that a request changes. */
function isSameUsage(a: TokenUsage, b: TokenUsage): boolean {
  return (
    a.input_tokens === b.input_tokens &&
    a.cached_input_tokens === b.cached_input_tokens &&
    a.output_tokens === b.output_tokens &&
    a.reasoning_output_tokens === b.reasoning_output_tokens &&
    a.total_tokens === b.total_tokens
  );
}
