import type { Facet } from "@/lib/core/base/facet-keys";
import { BREAK_CAUSES, type MissCause } from "@/lib/core/cost/cache-misses";
import type { InsightsAnswer } from "@/lib/queries/contract/types";

export type Group = InsightsAnswer["groups"][number];

/** Maximum number of drawn groups: more bars would be indistinguishable. */
const DRAWN = { day: 60, other: 12 } as const;

/** The metrics of the small multiples; cache misses are stacked by their causes, peaks are three percentiles. */
export const CHARTS = ["cost", "breaks", "neededAgain", "compactions", "peak"] as const;
export type Chart = (typeof CHARTS)[number];

/** One bar: a group with its parts, without the unknown ones. */
interface Bar {
  readonly group: Group;
  readonly parts: Readonly<Record<string, number>>;
  /** Sum of all parts; `null` if unknown. */
  readonly total: number | null;
}

/** The drawn groups, days from left to right. */
export function drawnGroups(groups: readonly Group[], by: Facet): readonly Group[] {
  return by === "day" ? groups.slice(0, DRAWN.day).toReversed() : groups.slice(0, DRAWN.other);
}

/** The parts that any bar of the chart has, in stacking order. */
export function partsOf(chart: Chart, groups: readonly Group[]): readonly string[] {
  if (chart === "peak") return ["p50", "p75", "p95"];
  if (chart !== "breaks") return ["total"];
  // A session's first request is no miss: nothing was cached before it.
  const known = new Set(groups.flatMap(({ breaksByCause }) => breaksByCause.map(({ cause }) => cause)));
  return BREAK_CAUSES.filter((cause) => cause !== "first" && known.has(cause));
}

export function barOf(chart: Chart, group: Group): Bar {
  if (chart === "peak") return { group, parts: group.peak ?? {}, total: group.peak?.p95 ?? null };
  if (chart === "breaks") {
    const broken = group.breaksByCause.filter(({ cause }) => cause !== "first");
    const parts = Object.fromEntries(broken.map(({ cause, tokens }) => [cause, tokens]));
    return { group, parts, total: broken.reduce((sum, { tokens }) => sum + tokens, 0) };
  }
  const value = { cost: group.pricedUsd, neededAgain: group.neededAgainTokens, compactions: group.compactions }[chart];
  return { group, parts: value === null ? {} : { total: value }, total: value };
}

/** True if a part of the cache misses is a cause, as opposed to a percentile or a whole. */
export function isCause(part: string): part is MissCause {
  return BREAK_CAUSES.some((cause) => cause === part);
}

/** The filters of the list that select a group's sessions; `undefined` if the list has none for an unknown value. */
export function groupFilter(by: Facet, value: string | null): Readonly<Record<string, string>> | undefined {
  if (by === "day") return { where: `day=${value ?? ""}` };
  if (value !== null) return { [by]: value };
  return by === "agent" || by === "version" ? { where: `${by}=` } : undefined;
}

export type Distribution = InsightsAnswer["distributions"]["peak"];

/** The value that a share of the sessions do not exceed: an actual value of a session. `undefined` if no session has one. */
export function percentileOf({ sessions, points }: Distribution, share: number): number | undefined {
  return points.find(([, place]) => place >= share * sessions)?.[0];
}
