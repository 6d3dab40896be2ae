import { niceStep } from "@/components/charts/scale";
import { type Facet, isPlaceFacet } from "@/lib/core/base/facet-keys";
import { MISS_CAUSES, type MissCause } from "@/lib/core/cost/cache-misses";
import type { InsightsAnswer } from "@/lib/queries/contract/types";
import { dayNumber } from "./day-axis";

export type Group = InsightsAnswer["groups"][number];

/** Maximum number of drawn groups: more bars would be indistinguishable. */
const DRAWN = { day: 60, other: 12 } as const;

/** The metrics of the small multiples; cache misses are stacked by their causes, the 95th percentile of peaks on the median. */
export const CHARTS = ["cost", "breaks", "neededAgain", "compactions", "peak"] as const;
export type Chart = (typeof CHARTS)[number];

/** One bar: a group with its parts, without the unknown ones. */
interface Bar {
  readonly group: Group;
  readonly parts: Readonly<Record<string, number>>;
  /** Sum of all parts; `null` if unknown. */
  readonly total: number | null;
}

/** The drawn groups, days from left to right. Sessions without a date have no place on an axis of days. */
export function drawnGroups(groups: readonly Group[], by: Facet): readonly Group[] {
  if (by !== "day") return groups.slice(0, DRAWN.other);
  const days = groups.filter(({ value }) => value !== null).slice(0, DRAWN.day);
  return days.toReversed().slice(strayDays(days.map(({ value }) => dayNumber(value ?? "")).toReversed()));
}

/** Number of first days to leave out: a tenth of all at most, if a pause after them takes half of the axis. */
function strayDays(days: readonly number[]): number {
  const last = days.at(-1) ?? 0;
  const most = Math.floor(days.length / 10);
  return days.findLastIndex((day, at) => at < most && 2 * ((days[at + 1] ?? day) - day) > last - day) + 1;
}

/** The parts that any bar of the chart has, in stacking order. */
export function partsOf(chart: Chart, groups: readonly Group[]): readonly string[] {
  if (chart === "peak") return ["p50", "p95"];
  if (chart !== "breaks") return ["total"];
  // A session's first request is not a miss: nothing was cached before it.
  const known = new Set(groups.flatMap(({ breaksByCause }) => breaksByCause.map(({ cause }) => cause)));
  return MISS_CAUSES.filter((cause) => cause !== "first" && known.has(cause));
}

export function barOf(chart: Chart, group: Group): Bar {
  if (chart === "peak") {
    if (group.peak === null) return { group, parts: {}, total: null };
    const { p50, p95 } = group.peak;
    return { group, parts: { p50, p95: p95 - p50 }, total: p95 };
  }
  if (chart === "breaks") {
    const broken = group.breaksByCause.filter(({ cause }) => cause !== "first");
    const parts = Object.fromEntries(broken.map(({ cause, tokens }) => [cause, tokens]));
    return { group, parts, total: broken.reduce((sum, { tokens }) => sum + tokens, 0) };
  }
  const value = { cost: group.pricedUsd, neededAgain: group.neededAgainTokens, compactions: group.compactions }[chart];
  return { group, parts: value === null ? {} : { total: value }, total: value };
}

/** True if a part of a bar is a cause of cache misses, not a percentile or the whole bar. */
export function isCause(part: string): part is MissCause {
  return MISS_CAUSES.some((cause) => cause === part);
}

/** The filters of the list that select a group's sessions; `undefined` if the list has none for an unknown value. */
export function groupFilter(by: Facet, value: string | null): Readonly<Record<string, string>> | undefined {
  if (by === "day" || isPlaceFacet(by)) return { where: `${by}=${value ?? ""}` };
  if (value !== null) return { [by]: value };
  return by === "agent" || by === "version" ? { where: `${by}=` } : undefined;
}

/** The value of a part of a bar: a percentile's part is drawn on top of the lower percentile's. */
export function writtenPart(chart: Chart, group: Group, part: string): number | undefined {
  return chart === "peak" && part === "p95" ? group.peak?.p95 : barOf(chart, group).parts[part];
}

export type Distribution = InsightsAnswer["distributions"]["peak"];

/** The value that a share of the sessions do not exceed: an actual value of a session. `undefined` if no session has one. */
export function percentileOf({ sessions, points }: Distribution, share: number): number | undefined {
  return points.find(([, place]) => place >= share * sessions)?.[0];
}

/** One bar of a histogram: the number of sessions with a value from `from` up to, but without, `to`. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly sessions: number;
}

/** Bars of a histogram between neighbouring edges. For more than a hundred sessions, the counts are exact to 1 % of the sessions. */
export function binsOf({ points }: Distribution, edges: readonly number[]): readonly Bin[] {
  const below = (edge: number) => points.findLast(([value]) => value < edge)?.[1] ?? 0;
  return edges.slice(1).map((to, at) => {
    const from = edges[at] ?? 0;
    return { from, to, sessions: below(to) - below(from) };
  });
}

/** Maximum number of bars of a histogram. */
const MAX_BINS = 12;

/** Edges at whole multiples of a round step, from 0 to beyond the largest value. */
export function evenEdges({ points }: Distribution): readonly number[] {
  const most = points.at(-1)?.[0] ?? 0;
  const step = niceStep(most, MAX_BINS);
  return Array.from({ length: Math.floor(most / step) + 2 }, (_, at) => at * step);
}

/** Edges at 1, 2 and 5 times powers of ten, since a few sessions may have a thousand times the value of most. Small values share the first bar. */
export function growingEdges({ points }: Distribution): readonly number[] {
  const [least = 0, most = 0] = [points[0]?.[0], points.at(-1)?.[0]];
  if (most <= 0) return [0, 1];
  const edges: number[] = [];
  for (let power = Math.floor(Math.log10(most)) + 1; edges.length < MAX_BINS + 4; power -= 1)
    edges.unshift(...[1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
  const above = edges.findIndex((edge) => edge > most);
  const shown = edges.slice(Math.max(0, above + 1 - MAX_BINS), above + 1);
  const from = shown.findLastIndex((edge) => edge <= least);
  return from < 0 ? [0, ...shown] : shown.slice(from);
}
