import type { RequestIndex, Share, Tokens } from "../base/units";
import { recordedContext, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import type { Membership } from "../columns/membership";
import type { Breakdown } from "./breakdown";
import type { ContextOverhead } from "./context-overhead";
import type { ContextSeries } from "./series";

/** Input of an agent's own view of the window. It is numbers only, so that it can be computed wherever the cursor moves. */
export interface BreakdownInput extends CountedColumns {
  /** Recorded or simulated context, with its overhead split. */
  readonly series: ContextSeries & Membership;
  readonly simulated: boolean;
  readonly request: RequestIndex;
  readonly window: Tokens;
  /** True if only a lower bound of the window is known: then the only valid limit is one that the user chose. Absent means false. */
  readonly isLowerBound?: boolean;
  /** Share of the window at which the agent compacts, if the user chose one. */
  readonly threshold?: Share | undefined;
  /** Context size at which the agent compacts, by its own rule or the user's share of the window. */
  readonly trigger?: Tokens | undefined;
  readonly overhead: ContextOverhead;
}

/** An agent's own breakdown of its window (`/context`), with one set of rules per preset. */
export interface OwnBreakdown {
  /** The first is the default. */
  readonly presets: readonly string[];
  /** The rows sum to the window; a residual row holds the error of the agent's own rounding. */
  readonly at: (input: BreakdownInput, preset: string) => Breakdown;
  /** Text with the agent's own words and layout for a terminal; absent if they are unknown. */
  readonly text?: (breakdown: Breakdown, about: BreakdownText, preset: string) => string;
}

/** Facts for the text that the numbers do not contain. */
export interface BreakdownText {
  readonly window: Tokens;
  readonly model: string;
  /** `detail` also lists the items. */
  readonly view: "list" | "detail";
}

/** Tokens of a recorded request that the provider read from its cache or wrote to it; 0 if none are recorded. */
export function cachedAt({ columns, request, simulated }: BreakdownInput): Tokens {
  if (simulated) return 0;
  const { cacheRead, cacheWrite } = columns.requests;
  return Math.max(0, cacheRead[request] ?? 0) + Math.max(0, cacheWrite[request] ?? 0);
}

const firstUsage = new WeakMap<SessionColumns["requests"], RequestIndex>();

/** True if the provider had reported a size by the time of a request's response. */
export function hasUsageBy(columns: SessionColumns, request: RequestIndex): boolean {
  let first = firstUsage.get(columns.requests);
  if (first === undefined) {
    first = 0;
    while (first < columns.requests.length && recordedContext(columns, first) < 0) first += 1;
    firstUsage.set(columns.requests, first);
  }
  return first < columns.requests.length && first <= request;
}
