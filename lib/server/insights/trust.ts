import type { InsightsAnswer } from "@/lib/api/contract";
import { withUnpriced } from "@/lib/api/least";
import type { IndexColumns, Places } from "../catalog/index/index-columns";
import { unpricedIn } from "../catalog/list/groups";
import { compareText } from "../catalog/relations/relations";
import type { Score } from "../session/index-facts";

type Trust = InsightsAnswer["trust"][number];

/** The most rows: agents have many versions. */
const MOST = 40;

/** How far the figures of sessions can be trusted, by the version of the agent that wrote them. */
export function trustOf(columns: IndexColumns, places: Places): Trust[] {
  const [agents, versions, states] = (["agent", "version", "state"] as const).map((name) => {
    const { codes, values } = columns.text(name);
    return (place: number) => values[codes[place] ?? 0] ?? null;
  });
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
  return most.slice(0, MOST).map(({ agent, version, places: own }) => ({ agent, version, ...trustIn(columns, own) }));
}

/** How far the figures of these sessions can be trusted. */
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

/** Of an even number the lower one of the middle. */
function median(values: readonly number[]): number | null {
  return Float64Array.from(values).sort()[Math.ceil(values.length / 2) - 1] ?? null;
}
