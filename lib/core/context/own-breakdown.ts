import type { RequestIndex, Share, Tokens } from "../base/units";
import { recordedContext, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import type { Membership } from "../columns/membership";
import type { Breakdown } from "./breakdown";
import type { ContextSeries } from "./series";
import type { StandingOverhead } from "./standing";

/** What an agent's own view of the window is computed from. It is numbers only, so that it can run wherever the cursor moves. */
export interface BreakdownQuestion extends CountedColumns {
  /** The recorded or a simulated context, with its overhead split. */
  readonly series: ContextSeries & Membership;
  readonly simulated: boolean;
  readonly request: RequestIndex;
  readonly window: Tokens;
  /** Whether only a lower bound of the window is known: then no limit follows from it but one that the user chose. Absent means no. */
  readonly isLowerBound?: boolean;
  /** Share of the window at which the agent compacts, where the user chose one. */
  readonly threshold?: Share | undefined;
  /** Size at which the agent compacts, by its own rule or the user's share of the window. */
  readonly trigger?: Tokens | undefined;
  readonly standing: StandingOverhead;
}

/** An agent's own breakdown of its window (`/context`), by one of several sets of rules. */
export interface OwnBreakdown {
  /** The first is the default. */
  readonly presets: readonly string[];
  /** Sums to the window; what the agent's own rounding leaves is a residual. */
  readonly at: (question: BreakdownQuestion, preset: string) => Breakdown;
  /** The agent's own words and layout for a terminal; absent where none are known. */
  readonly text?: (breakdown: Breakdown, about: BreakdownText, preset: string) => string;
}

/** What a text needs beside the numbers. */
export interface BreakdownText {
  readonly window: Tokens;
  readonly model: string;
  /** `detail` lists the items too. */
  readonly view: "list" | "detail";
}

/** The part of a recorded request that the provider read from its cache or wrote to it; 0 where none is recorded. */
export function cachedAt({ columns, request, simulated }: BreakdownQuestion): Tokens {
  if (simulated) return 0;
  const { cacheRead, cacheWrite } = columns.requests;
  return Math.max(0, cacheRead[request] ?? 0) + Math.max(0, cacheWrite[request] ?? 0);
}

const firstUsage = new WeakMap<SessionColumns["requests"], RequestIndex>();

/** Whether the provider had reported a size by the time of a request's response. */
export function hasUsageBy(columns: SessionColumns, request: RequestIndex): boolean {
  let first = firstUsage.get(columns.requests);
  if (first === undefined) {
    first = 0;
    while (first < columns.requests.length && recordedContext(columns, first) < 0) first += 1;
    firstUsage.set(columns.requests, first);
  }
  return first < columns.requests.length && first <= request;
}
