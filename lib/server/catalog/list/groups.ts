import type { SessionFacets, SessionSums } from "@/lib/api/contract";
import type { Facet } from "@/lib/api/facet-keys";
import { BREAK_CAUSES } from "@/lib/core/cost/breaks";
import type { IndexColumns, NumberName, Places } from "../index/index-columns";
import { compareText } from "../relations/relations";
import { modelsIn } from "./list-filter";

/** Sessions by what they have in common. A session of several models is in the group of each. */
export interface Groups {
  /** What the sessions of every group have. */
  readonly values: readonly (string | null)[];
  readonly places: Places;
  /** For each of the places, its group. */
  readonly groups: Uint32Array;
}

/** All of the sessions, as one group. */
export function together(places: Places): Groups {
  return { values: [null], places, groups: new Uint32Array(places.length) };
}

/** The sessions by a facet's values. Sessions without a model are in no group of models. */
export function groupsBy(columns: IndexColumns, places: Places, facet: Facet | "state"): Groups {
  const { codes, values } = columns.text(facet === "model" ? "models" : facet);
  const groups = new Uint32Array(places.length);
  for (let at = 0; at < places.length; at++) groups[at] = codes[places[at] ?? 0] ?? 0;
  return facet === "model" ? apart(columns, places, groups) : { values, places, groups };
}

/** The models, and which of them every list of models that a session has names. */
export function modelCodes(columns: IndexColumns): {
  readonly values: readonly string[];
  readonly codes: readonly (readonly number[])[];
} {
  const lists = columns.text("models").values.map(modelsIn);
  const values = [...new Set(lists.flat())];
  const codeOf = new Map(values.map((value, code) => [value, code]));
  return { values, codes: lists.map((list) => list.map((value) => codeOf.get(value) ?? 0)) };
}

/** Groups of lists of models as groups of models. */
function apart(columns: IndexColumns, places: Places, lists: Uint32Array): Groups {
  const { values, codes } = modelCodes(columns);
  const room = lists.reduce((sum, list) => sum + (codes[list]?.length ?? 0), 0);
  const [eachPlace, eachGroup] = [new Uint32Array(room), new Uint32Array(room)];
  let count = 0;
  for (let at = 0; at < places.length; at++) {
    for (const code of codes[lists[at] ?? 0] ?? []) {
      eachPlace[count] = places[at] ?? 0;
      eachGroup[count++] = code;
    }
  }
  return { values, places: eachPlace, groups: eachGroup };
}

/** How many sessions every group has. */
export function countsOf({ values, groups }: Groups): Uint32Array {
  const counts = new Uint32Array(values.length);
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at] ?? 0;
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return counts;
}

/** The groups without sessions all of whose requests other ones count. */
export function withoutCopies(columns: IndexColumns, all: Groups): Groups {
  const copy = columns.number("copy");
  const { values, places, groups } = all;
  const own = new Uint32Array(places.length);
  let count = 0;
  for (let at = 0; at < places.length; at++) if (copy[places[at] ?? 0] === 0) own[count++] = at;
  // As a rule there are none.
  if (count === places.length) return all;
  const chosen = (of: Uint32Array) => own.subarray(0, count).map((at) => of[at] ?? 0);
  return { values, places: chosen(places), groups: chosen(groups) };
}

/** Sums that count a request once: they leave out sessions of which other ones count all requests. `null` where no session says how much. */
const ONCE = {
  requests: "requests",
  compactions: "compactions",
  input: "input",
  cacheRead: "cache_read",
  cacheWrite: "cache_write",
  output: "output",
  sent: "sent",
  neededAgain: "needed",
  neededAgainTokens: "needed_tokens",
  pricedUsd: "cost",
  unpriced: "unpriced",
  lowerBounds: "cost_is_least",
} as const satisfies Partial<Record<keyof SessionSums, NumberName>>;
type Once = keyof typeof ONCE;
const ONCE_KEYS = Object.keys(ONCE) as Once[]; // as they are written above
/** What is summed of every session, behind what counts a request once. */
const EACH = ["bytes", "copy"] as const;
const SUMMED = ONCE_KEYS.length + EACH.length;

interface Summed {
  revision: number;
  /**
   * Session by session, so that a sum of all figures goes through them once, where they lie beside each other. What is not known is −0, which changes no sum: a sum of
   * nothing else stays at −0.
   */
  figures: Float64Array;
}
const summedOf = new WeakMap<IndexColumns, Summed>();

/** What is summed of every session, as the columns are now. */
function summed(columns: IndexColumns): Float64Array {
  const known = summedOf.get(columns) ?? { revision: -1, figures: new Float64Array(0) };
  summedOf.set(columns, known);
  if (known.revision === columns.revision) return known.figures;
  const room = columns.ids.length * SUMMED;
  if (known.figures.length < room) known.figures = new Float64Array(2 * room);
  const copy = columns.number("copy");
  const names = [...ONCE_KEYS.map((key) => ONCE[key]), ...EACH];
  for (const [at, name] of names.entries()) {
    const numbers = columns.number(name);
    const isOnce = at < ONCE_KEYS.length;
    for (let place = 0; place < columns.ids.length; place++) {
      const figure = numbers[place] ?? Number.NaN;
      known.figures[place * SUMMED + at] = (isOnce && copy[place] !== 0) || Number.isNaN(figure) ? -0 : figure;
    }
  }
  known.revision = columns.revision;
  return known.figures;
}

/** What the sessions of every group come to: how many they are, and group by group the sums of their figures. */
export interface Tally {
  readonly values: readonly (string | null)[];
  readonly counts: Uint32Array;
  readonly sums: Float64Array;
}

export function tallied(columns: IndexColumns, all: Groups): Tally {
  const sums = new Float64Array(all.values.length * SUMMED).fill(-0);
  addUp(sums, summed(columns), all);
  return { values: all.values, counts: countsOf(all), sums };
}

/** The tally of groups that are made of finer ones. @param groupsOf in which of them a finer one is */
export function gathered(
  fine: Tally,
  values: readonly (string | null)[],
  groupsOf: (fine: number) => readonly number[],
): Tally {
  const counts = new Uint32Array(values.length);
  const sums = new Float64Array(values.length * SUMMED).fill(-0);
  for (const [from, count] of fine.counts.entries()) {
    for (const group of groupsOf(from)) {
      counts[group] = (counts[group] ?? 0) + count;
      addAt(sums, group * SUMMED, fine.sums, from * SUMMED);
    }
  }
  return { values, counts, sums };
}

/** Sums over the sessions of every group, told by the group's number. */
export function sumsOf({ counts, sums }: Tally): (group: number) => SessionSums {
  return (group) => {
    const sumAt = (at: number) => sums[group * SUMMED + at] ?? -0;
    const once = Object.fromEntries(
      ONCE_KEYS.map((key, at) => [key, Object.is(sumAt(at), -0) ? null : sumAt(at)]),
    ) as Record<Once, number | null>; // every key has one
    const [bytes, copies] = [sumAt(ONCE_KEYS.length), sumAt(ONCE_KEYS.length + 1)];
    const unpriced = once.unpriced ?? 0;
    return {
      ...once,
      sessions: counts[group] ?? 0,
      copies: copies || 0,
      bytes: bytes || 0,
      unpriced,
      lowerBounds: once.lowerBounds ?? 0,
      costUsd: unpriced > 0 ? null : once.pricedUsd,
    };
  };
}

/** Adds the figures of every session to the sums of its group. */
function addUp(sums: Float64Array, figures: Float64Array, { places, groups }: Groups): void {
  for (let at = 0; at < places.length; at++) {
    addAt(sums, (groups[at] ?? 0) * SUMMED, figures, (places[at] ?? 0) * SUMMED);
  }
}

function addAt(sums: Float64Array, to: number, figures: Float64Array, from: number): void {
  for (let next = 0; next < SUMMED; next++) {
    sums[to + next] = (sums[to + next] ?? 0) + (figures[from + next] ?? 0);
  }
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** In the order in which they are told. */
const CAUSES = [...BREAK_CAUSES.entries()].sort(([, a], [, b]) => compareText(a, b));

/** What was sent anew by cause, over the sessions of every group. */
export function breaksOf(columns: IndexColumns, all: Groups): (group: number) => SessionFacets["breaksByCause"] {
  const { values, places, groups } = withoutCopies(columns, all);
  const none = () => new Float64Array(values.length * CAUSES.length);
  const [counts, tokens, usd] = [none(), none(), none()];
  for (let at = 0; at < places.length; at++) {
    const first = (groups[at] ?? 0) * CAUSES.length;
    for (const one of columns.breaks[places[at] ?? 0] ?? []) {
      add(counts, first + one.cause, one.count);
      add(tokens, first + one.cause, one.tokens);
      add(usd, first + one.cause, one.usd); // A sum that lacks one price is none.
    }
  }
  return (group) =>
    CAUSES.flatMap(([at, cause]) => {
      const sum = group * CAUSES.length + at;
      const count = counts[sum] ?? 0;
      return count === 0 ? [] : [{ cause, count, tokens: tokens[sum] ?? 0, usd: orNull(usd[sum]) }];
    });
}

function add(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] ?? 0) + value;
}
