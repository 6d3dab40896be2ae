import { bandsOfTotals, metricsOfReplay } from "@/lib/core/metrics/answered";
import { METRICS } from "@/lib/core/metrics/registry";
import type { KnownMetric, MetricBands, Metrics } from "@/lib/core/metrics/values";
import { shownTitle } from "@/lib/core/transcript/title";
import type { ReplayResult, SessionAnswer } from "@/lib/queries/contract/types";
import { costOutsideChain, inheritedPart, ownCost } from "@/lib/queries/wire/own-cost";

/** Units of the axes. */
export const AXIS_UNITS = ["request", "share"] as const;
export type AxisUnit = (typeof AXIS_UNITS)[number];
export const UPWARDS = ["tokens", "window"] as const;
export type Upwards = (typeof UPWARDS)[number];

/** Maximum number of points of a line: about the number of columns of a wide screen. */
const MAX_POINTS = 900;

export interface ComparedSession {
  readonly id: string;
  /** Its index among the requested ones, loaded or not: gives its letter and its colour. */
  readonly place: number;
  readonly facts: SessionAnswer;
  readonly replay: ReplayResult;
}

/** The context of a session as a line: over requests or its share of the session, in tokens or as a share of its window. */
export function lineOf({ replay }: ComparedSession, across: AxisUnit, upwards: Upwards): LinePoint[] {
  const { contextTokens } = replay.series;
  const last = Math.max(1, contextTokens.length - 1);
  return thinned(contextTokens, MAX_POINTS).map(({ x, y }) => ({
    x: across === "share" ? x / last : x,
    y: upwards === "window" ? y / replay.window.tokens : y,
  }));
}

/** A session's title, or its file's name if it has none. */
export function nameOf({ facts }: ComparedSession): string {
  return shownTitle(facts.title ?? "") || facts.name;
}

/** The context of every session at every request, a row each; `null` after a session's last. */
export function seriesOf(sessions: readonly ComparedSession[]): readonly (readonly (number | null)[])[] {
  const series = sessions.map(({ replay }) => replay.series.contextTokens);
  const most = Math.max(0, ...series.map(({ length }) => length));
  return Array.from({ length: most }, (_, request) => [request, ...series.map((values) => values[request] ?? null)]);
}

/** The metrics of a session, with their ranges. */
export interface ComparedMetrics {
  readonly metrics: Metrics;
  readonly bands: MetricBands;
}

export function metricsOf({ replay }: ComparedSession): ComparedMetrics {
  return { metrics: metricsOfReplay(replay), bands: bandsOfTotals(replay.totals) };
}

/** A difference between the requests of a comparison, those of the main chain, and those that a session paid itself, which the list sums. */
export interface ListDifference {
  readonly kind: "inherited" | "outsideChain";
  readonly count: number;
  readonly place: number;
  /** Price in the list. */
  readonly usd: number;
}

export function differencesFromList({ facts, place }: Pick<ComparedSession, "facts" | "place">): ListDifference[] {
  const usd = ownCost(facts);
  if (usd === null) return [];
  const inherited = inheritedPart(facts)?.requests ?? 0;
  const outside = costOutsideChain(facts)?.requests ?? 0;
  const found: readonly ListDifference[] = [
    { kind: "inherited", count: inherited, place, usd },
    { kind: "outsideChain", count: outside, place, usd },
  ];
  return found.filter(({ count }) => count > 0);
}

/** The metrics of at least one of them, except the final context: for a request without usage it is an estimate, which the peak leaves out. */
export function shownMetrics(compared: readonly ComparedMetrics[]): readonly KnownMetric[] {
  return METRICS.filter(({ key }) => key !== "final" && compared.some(({ metrics }) => metrics[key] !== null));
}

/** A point of a line: its position on the axis, and its height. */
interface LinePoint {
  readonly x: number;
  readonly y: number;
}

/** A series with about `most` points: of the values at one position the lowest, highest and last are kept, so that no peak is lost. */
export function thinned(values: readonly number[], most: number): LinePoint[] {
  const width = Math.max(1, Math.ceil((values.length * 3) / most));
  const points: LinePoint[] = [];
  for (let from = 0; from < values.length; from += width) {
    const kept = new Set(ends(values, from, Math.min(values.length, from + width)));
    for (const at of [...kept].sort((a, b) => a - b)) points.push({ x: at, y: values[at] ?? 0 });
  }
  return points;
}

/** Indexes of the lowest, the highest and the last of some values. */
function ends(values: readonly number[], from: number, to: number): number[] {
  let low = from;
  let high = from;
  for (let at = from; at < to; at += 1) {
    if ((values[at] ?? 0) < (values[low] ?? 0)) low = at;
    if ((values[at] ?? 0) > (values[high] ?? 0)) high = at;
  }
  return [low, high, to - 1];
}
