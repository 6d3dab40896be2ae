import { z } from "zod";
import { FACETS } from "@/lib/core/base/facet-keys";
import { MISS_CAUSES } from "@/lib/core/cost/cache-misses";
import { type InsightsAnswer, MAX_ASKED } from "@/lib/queries/contract/schemas";
import { withUnpriced } from "@/lib/queries/wire/least";
import { facetsOver } from "../list/facets";
import { type Groups, missesOf, unpricedIn, withoutCopies } from "../list/groups";
import type { IndexColumns, Places } from "../list/index/index-columns";
import { chosen, type Listed, listFilter } from "../list/list-filter";
import { compareText } from "../list/relations/relations";
import type { Score } from "../read/numbers/index-facts";
import { byEndDescending, textAt, withRequests } from "./asked-sessions";
import { deletedSoon } from "./deleted-soon";
import { type FindingSource, findingsOf, type UntitledFinding } from "./findings";

/** Query of `GET /api/insights`. */
export const insightsQuery = listFilter.extend({
  by: z.enum(FACETS).default("day").describe("the facet that groups the sums"),
  limit: z.coerce.number().int().min(1).max(1000).default(60).describe("maximum number of groups"),
});
export type InsightsQuery = z.infer<typeof insightsQuery>;

type Distribution = InsightsAnswer["distributions"]["peak"];

/** Findings, sums and distributions over matching sessions. Rejects with `RefusedError` for an invalid condition. */
export async function overviewOf(
  columns: IndexColumns,
  listed: Listed,
  { by, limit, ...filter }: InsightsQuery,
  now: number = Date.now(),
): Promise<InsightsAnswer> {
  const matched = await chosen(columns, listed, filter);
  const { places } = matched;
  const { total, breaksByCause, timeZone, facets } = facetsOver(columns, matched, { by: [by], limit });
  const { groups: byValue, rows } = matched.by(by);
  const groupOf = new Map(byValue.values.map((value, group) => [value, group]));
  const [breaks, peaks] = [missesOf(rows, byValue), peaksOf(columns, byValue)];
  const groups = (facets[by] ?? []).map((sums) => {
    const group = groupOf.get(sums.value) ?? 0;
    return { ...sums, breaksByCause: breaks(group), peak: percentiles(peaks[group]) };
  });
  // A session without usage has no cost and no peak.
  const own = withRequests(columns, places);
  const distribution = (metric: "peak" | "cost" | "requests") =>
    distributionOf(Float64Array.from(own, (place) => columns.number(metric)[place] ?? Number.NaN));
  return {
    by,
    total,
    breaksByCause,
    timeZone,
    groups,
    trust: trustOf(columns, places),
    findings: await titled(
      columns,
      findingsOf(findingSources(columns, byEndDescending(columns, own).slice(0, MAX_ASKED))),
    ),
    deletedSoon: deletedSoon(columns, places, listed, now),
    distributions: {
      peak: distribution("peak"),
      cost: distribution("cost"),
      requests: distribution("requests"),
    },
  };
}

const IDLE = MISS_CAUSES.indexOf("idle");

function findingSources(columns: IndexColumns, places: readonly number[]): FindingSource[] {
  const agent = textAt(columns.text("agent"));
  const [fill, cacheRead, inherited] = (["peak_share", "cache_read", "inherited"] as const).map((name) =>
    columns.number(name),
  );
  return places.map((place) => ({
    id: columns.ids[place] ?? "",
    agent: agent(place),
    fill: fill?.[place] ?? Number.NaN,
    cacheRead: cacheRead?.[place] ?? Number.NaN,
    idle: columns.breaks[place]?.find(({ cause }) => cause === IDLE),
    evidence: (inherited?.[place] ?? 0) > 0 ? undefined : columns.evidence(place),
  }));
}

/** Adds the sessions' titles, as the list shows them. */
async function titled(
  columns: IndexColumns,
  findings: readonly UntitledFinding[],
): Promise<InsightsAnswer["findings"]> {
  const ids = findings.flatMap(({ largest }) => largest.map(({ id }) => id));
  const rows = await columns.rows([...new Set(ids)]);
  const titleOf = (id: string) => rows.get(id)?.title?.trim() || rows.get(id)?.name || id;
  return findings.map((one) => ({
    ...one,
    largest: one.largest.map((part) => ({ ...part, title: titleOf(part.id) })),
  }));
}

/** @param values of some sessions, `NaN` if unknown */
function distributionOf(values: Float64Array): Distribution {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  const sessions = known.length;
  // The value at each hundredth of the sessions: at most a hundred values, which include all percentiles.
  const passed = (count: number) => Math.floor((count * 100) / sessions);
  const points: Distribution["points"] = [];
  for (const [before, value] of known.entries())
    if (passed(before + 1) > passed(before)) points.push([value, before + 1]);
  return { sessions, unknown: values.length - sessions, points };
}

/** The largest contexts of the sessions of every group. */
function peaksOf(columns: IndexColumns, all: Groups): readonly Distribution[] {
  const { values, places, groups } = withoutCopies(columns, all);
  const peak = columns.number("peak");
  const peaks = values.map((): number[] => []);
  for (const [at, place] of places.entries()) peaks[groups[at] ?? 0]?.push(peak[place] ?? Number.NaN);
  return peaks.map((numbers) => distributionOf(Float64Array.from(numbers)));
}

/** Percentiles by nearest rank, so each is the value of a session. */
function percentiles(distribution: Distribution | undefined) {
  if (distribution === undefined || distribution.points.length === 0) return null;
  const { sessions, points } = distribution;
  const at = (share: number) => points.find(([, place]) => place >= share * sessions)?.[0] ?? 0;
  return { p50: at(0.5), p75: at(0.75), p95: at(0.95) };
}

type Trust = InsightsAnswer["trust"][number];

/** Maximum rows: agents have many versions. */
const MAX_ROWS = 40;

/** Reliability of sessions' metrics, by the version of the agent that wrote them. */
function trustOf(columns: IndexColumns, places: Places): Trust[] {
  const [agents, versions, states] = (["agent", "version", "state"] as const).map((name) => textAt(columns.text(name)));
  const copy = columns.number("copy");
  const groups = new Map<string, Pick<Trust, "agent" | "version"> & { readonly places: number[] }>();
  for (const place of places) {
    if (copy[place] !== 0 || states?.(place) !== "read") continue;
    const [agent, version] = [agents?.(place) ?? null, versions?.(place) ?? null];
    const key = JSON.stringify([agent, version]);
    const group = groups.get(key) ?? { agent, version, places: [] };
    group.places.push(place);
    groups.set(key, group);
  }
  const most = [...groups.values()].sort(
    (a, b) =>
      b.places.length - a.places.length ||
      compareText(a.agent ?? "", b.agent ?? "") ||
      compareText(a.version ?? "", b.version ?? ""),
  );
  return most
    .slice(0, MAX_ROWS)
    .map(({ agent, version, places: own }) => ({ agent, version, ...trustIn(columns, own) }));
}

/** Reliability of these sessions' metrics. */
function trustIn(columns: IndexColumns, places: readonly number[]): Omit<Trust, "agent" | "version"> {
  const shares = sharesOf(columns, places);
  const share = (score: Score) => shares.get(score) ?? null;
  return {
    sessions: places.length,
    estimatorError: median(known(columns.number("accuracy"), places)),
    fidelity: fidelityOf(columns, places),
    unpriced: sumOf(known(columns.number("unpriced"), places)),
    ...withUnpriced(places.flatMap(unpricedIn(columns))),
    damagedLines: sumOf(known(columns.number("damaged"), places)),
    cacheRule: share("cache"),
    predictorPrecision: share("foreseen"),
    predictorRecall: share("bought"),
    summaryRecall: share("summary-recall"),
    summaryPrecision: share("summary-precision"),
  };
}

function fidelityOf(columns: IndexColumns, places: readonly number[]): Trust["fidelity"] {
  const [fidelity, checked] = [columns.number("fidelity"), columns.number("checked")];
  const tried = places.filter((place) => !Number.isNaN(fidelity[place]));
  if (tried.length === 0) return null;
  const met = tried.map((place) => (fidelity[place] ?? 0) * (checked[place] ?? 0));
  return { part: Math.round(sumOf(met)), whole: sumOf(known(checked, tried)) };
}

function sharesOf(columns: IndexColumns, places: readonly number[]) {
  const shares = new Map<Score, { readonly part: number; readonly whole: number }>();
  for (const { score, part, whole } of places.flatMap((place) => columns.scores(place))) {
    const before = shares.get(score) ?? { part: 0, whole: 0 };
    shares.set(score, { part: before.part + part, whole: before.whole + whole });
  }
  return shares;
}

function known(column: Float64Array, places: readonly number[]): number[] {
  return places.flatMap((place) => {
    const value = column[place] ?? Number.NaN;
    return Number.isNaN(value) ? [] : [value];
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** For an even number, the lower middle value. */
function median(values: readonly number[]): number | null {
  return Float64Array.from(values).sort()[Math.ceil(values.length / 2) - 1] ?? null;
}
