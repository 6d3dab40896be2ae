import { z } from "zod";
import { isPlaceFacet, PLACE_FACETS, type PlaceFacet } from "@/lib/core/base/facet-keys";
import { isTimeZone, ownTimeZone } from "@/lib/core/base/time-zone";
import { RefusedError } from "../base/refusal";
import { Chosen, type DayTest } from "./chosen";
import { type Days, daysOf } from "./days";
import {
  type IndexColumns,
  modelsIn,
  type NumberName,
  type Places,
  placesWhereAll,
  type TextColumn,
} from "./index/index-columns";
import { fold } from "./index/session-list";

/** Filters of queries of lists and of their sums. */
export const listFilter = z.object({
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "words, all of which must occur: in titles, names of files, agents, models, prompts, paths, tools, and in messages if the index has them",
    ),
  agent: z.string().max(60).optional(),
  project: z.string().max(1000).optional(),
  tz: z.string().max(64).optional().describe("time zone of the days, such as Europe/Berlin; by default the server's"),
  where: z
    .array(z.string().max(1200))
    .max(200)
    .default([])
    .describe("conditions: KEY=VALUE, KEY!=VALUE, and with numbers < <= > >=; several = of one key mean any of them"),
});
export type ListFilter = z.infer<typeof listFilter>;

/** Columns of conditions: texts and numbers. */
const TEXT_KEYS = ["agent", "project", "version", "day", "source", "state", ...PLACE_FACETS] as const;
const NUMBER_KEYS = [
  ...(["requests", "compactions", "peak", "cost", "sent", "input", "output", "bytes", "fill"] as const),
  ...([
    "compacted",
    "faulty",
    "damaged",
    "problems",
    "accuracy",
    "fidelity",
    "needed",
    "repeated",
    "copy",
    "sample",
    "upload",
    "gone",
  ] as const),
] as const;
/** Keys without a column of their own: models are several to a session, and `session` is its id. */
const OTHER_KEYS = ["model", "session"] as const;
type OtherKey = (typeof OTHER_KEYS)[number];
type TextKey = (typeof TEXT_KEYS)[number];
type NumberKey = (typeof NUMBER_KEYS)[number];

const OPERATORS = ["=", "!=", "<", "<=", ">", ">="] as const;
type Operator = (typeof OPERATORS)[number];

interface Condition {
  readonly key: TextKey | NumberKey | OtherKey;
  readonly operator: Operator;
  /** `null` stands for unknown. */
  readonly value: string | number | null;
}

/** Conditions in their text format: `cost>=1.5`, `agent=codex`, `project=` for no project. Throws `RefusedError`. */
export function parseConditions(texts: readonly string[]): Condition[] {
  return texts.map(parseCondition);
}

function parseCondition(text: string): Condition {
  const [, key = "", operator = "", value = ""] = /^([a-z]+)\s*(!=|<=|>=|=|<|>)(.*)$/su.exec(text) ?? [];
  const known = [...TEXT_KEYS, ...OTHER_KEYS, ...NUMBER_KEYS].find((one) => one === key);
  const sign = OPERATORS.find((one) => one === operator);
  if (known === undefined || sign === undefined) {
    const keys = [...TEXT_KEYS, ...OTHER_KEYS, ...NUMBER_KEYS].join(", ");
    throw new RefusedError(
      "malformed",
      `A condition is a key, one of ${OPERATORS.join(" ")}, and a value; keys: ${keys}.`,
    );
  }
  if (value.trim() === "") {
    if (sign !== "=" && sign !== "!=") throw new RefusedError("malformed", `${key}${operator} needs a value.`);
    return { key: known, operator: sign, value: null };
  }
  if (!isNumberKey(known)) return { key: known, operator: sign, value: value.trim() };
  const number = Number(value);
  if (!Number.isFinite(number)) throw new RefusedError("malformed", `${key} is compared with a number.`);
  return { key: known, operator: sign, value: number };
}

function isNumberKey(key: string): key is NumberKey {
  return NUMBER_KEYS.some((one) => one === key);
}

/** The sessions that a server lists. */
export interface Listed {
  readonly sources: readonly string[];
  /** Sources whose agent deletes its files, and after how many days without a change. */
  readonly deletions?: readonly { readonly source: string; readonly agent: string; readonly days: number }[];
}

/** Maximum cached filters: other sources are listed when databases come and go. */
const MAX_LISTED = 8;

/** True if it holds for the session at a place. */
type Test = (place: number) => boolean;

/** The listed sessions that match, in the current index. Rejects with `RefusedError` for an invalid condition. */
export async function matching(columns: IndexColumns, listed: Listed, filter: ListFilter): Promise<Places> {
  return (await chosen(columns, listed, filter)).places;
}

/** As `matching`, with the summed rows of the sessions. */
export async function chosen(columns: IndexColumns, { sources }: Listed, filter: ListFilter): Promise<Chosen> {
  const conditions = parseConditions(filter.where);
  const timeZone = timeZoneOf(filter);
  await columns.refresh();
  const words = fold(filter.q ?? "")
    .split(/\s+/u)
    .filter(Boolean);
  const found = await Promise.all(words.map((word) => columns.found(word)));
  const isAsked = (asked: string) => conditions.some(({ key }) => key === asked);
  const dayTest = dayTestOf(conditions.filter(({ key }) => key === "day"));
  const places = placesWhereAll(
    listedPlaces(columns, sources, isAsked("gone"), isAsked("sample") || isAsked("session")),
    [
      ...(["agent", "project"] as const).flatMap((key) =>
        filter[key] ? [ofTexts(columns.text(key), (value) => value === filter[key])] : [],
      ),
      ...found.map((holds) => (place: number) => holds[place] === 1),
      ...testsOf(
        columns,
        conditions.filter(({ key }) => key !== "day"),
      ),
      ...(dayTest === undefined ? [] : [onDays(daysOf(columns, timeZone), dayTest)]),
    ],
  );
  return new Chosen(columns, places, timeZone, dayTest);
}

/** The requested time zone, else that of this program. Throws `RefusedError` for an unknown name. */
function timeZoneOf({ tz }: ListFilter): string {
  if (tz === undefined || tz === "") return ownTimeZone();
  if (isTimeZone(tz)) return tz;
  throw new RefusedError(
    "malformed",
    `${tz} is not a time zone; names are those of the IANA database, such as Europe/Berlin.`,
  );
}

/** A test of one day for all conditions on days; `undefined` without any. */
function dayTestOf(conditions: readonly Condition[]): DayTest | undefined {
  if (conditions.length === 0) return undefined;
  const equal = conditions.filter(({ operator }) => operator === "=");
  const others = conditions.filter(({ operator }) => operator !== "=");
  const holds = (day: string | null) => (one: Condition) => compares(day, one.operator, one.value);
  return (day) => (equal.length === 0 || equal.some(holds(day))) && others.every(holds(day));
}

/** True for a session with requests on a day for which a test holds. */
function onDays({ values, only, parts }: Days, test: DayTest): Test {
  const tested = values.map(test);
  return (place) => parts.get(place)?.some(({ day }) => tested[day] === true) ?? tested[only[place] ?? -1] === true;
}

interface ListedPlaces {
  readonly revision: number;
  readonly places: Places;
}
/** Caches the listed sessions: every query begins with them. */
const listedOf = new WeakMap<IndexColumns, Map<string, ListedPlaces>>();

/**
 * The sessions of these sources. Samples are listed while no other session can be read, or if a condition names them; removed sessions only if a
 * condition names them.
 */
function listedPlaces(
  columns: IndexColumns,
  sources: readonly string[],
  withGone: boolean,
  withSamples: boolean,
): Places {
  const { revision } = columns;
  const known = listedOf.get(columns) ?? new Map<string, ListedPlaces>();
  listedOf.set(columns, known);
  const key = JSON.stringify([sources, withGone, withSamples]);
  const before = known.get(key);
  if (before?.revision === revision) return before.places;
  const [shown, gone, sample] = (["shown", "gone", "sample"] as const).map((name) => columns.number(name));
  const withOwnOnly = hasReadable(columns, sources);
  const places = columns.where([
    ofTexts(columns.text("source"), (source) => source !== null && sources.includes(source)),
    (place) => shown?.[place] === 1,
    ...(withGone ? [] : [(place: number) => gone?.[place] === 0]),
    ...(withSamples || !withOwnOnly ? [] : [(place: number) => sample?.[place] === 0]),
  ]);
  if (before === undefined && known.size === MAX_LISTED) known.clear();
  known.set(key, { revision, places });
  return places;
}

/** True if these sources hold a session besides the samples that was read or is still to be read. Unreadable files do not hide the samples. */
function hasReadable(columns: IndexColumns, sources: readonly string[]): boolean {
  const [sample, gone] = [columns.number("sample"), columns.number("gone")];
  const isListed = ofTexts(columns.text("source"), (source) => source !== null && sources.includes(source));
  const isReadable = ofTexts(columns.text("state"), (state) => state !== "failed");
  return columns.ids.some(
    (_, place) => sample[place] === 0 && gone[place] === 0 && isListed(place) && isReadable(place),
  );
}

/** A filter without its conditions on one key. Throws `RefusedError` for an invalid condition. */
export function withoutKey(filter: ListFilter, key: string): ListFilter {
  const { agent, project, where, q, tz } = filter;
  const conditions = parseConditions(where);
  return {
    where: where.filter((_, at) => conditions[at]?.key !== key),
    ...(q !== undefined && { q }),
    ...(tz !== undefined && { tz }),
    ...(agent !== undefined && key !== "agent" && { agent }),
    ...(project !== undefined && key !== "project" && { project }),
  };
}

/** Equalities of one key are alternatives; all other conditions must hold. */
function testsOf(columns: IndexColumns, conditions: readonly Condition[]): Test[] {
  const equal = conditions.filter(({ operator }) => operator === "=");
  const alternatives = [...new Set(equal.map(({ key }) => key))].map((key): Test => {
    const tests = equal.filter((one) => one.key === key).map((one) => testOf(columns, one));
    return (place) => tests.some((holds) => holds(place));
  });
  const others = conditions.filter(({ operator }) => operator !== "=");
  return [...alternatives, ...others.map((one) => testOf(columns, one))];
}

function testOf(columns: IndexColumns, { key, operator, value }: Condition): Test {
  if (key === "model") return modelTest(columns, operator, value);
  if (key === "session") return (place) => compares(columns.ids[place] ?? null, operator, value);
  if (key === "day") return () => true; // Days are tested together: see `dayTestOf`.
  if (isPlaceFacet(key)) return placeTest(columns, key, operator, value);
  if (!isNumberKey(key)) return ofTexts(columns.text(key), (text) => compares(text, operator, value));
  const numbers = columns.number(columnOf(key));
  return (place) => {
    const number = numbers[place] ?? Number.NaN;
    return compares(Number.isNaN(number) ? null : number, operator, value);
  };
}

/** An unknown value is neither less nor greater than any value, and differs from every known one. */
function compares(one: string | number | null, operator: Operator, other: string | number | null): boolean {
  if (operator === "=") return one === other;
  if (operator === "!=") return one !== other;
  if (one === null || other === null) return false;
  if (operator.startsWith("<")) return one < other || (operator === "<=" && one === other);
  return one > other || (operator === ">=" && one === other);
}

/** The column of a key that has another name: the largest share of the window, and the sent tokens of the session's row. */
const columnOf = (key: NumberKey): NumberName => (key === "fill" ? "peak_share" : key === "sent" ? "all_sent" : key);

function modelTest(columns: IndexColumns, operator: Operator, value: Condition["value"]): Test {
  if (operator !== "=" && operator !== "!=")
    throw new RefusedError("malformed", "model is compared with = or != only.");
  const has = (json: string | null) => {
    const models = modelsIn(json);
    return value === null ? models.length > 0 : models.includes(String(value));
  };
  // Without a value, the condition matches sessions without a model.
  return ofTexts(columns.text("models"), (json) => has(json) === ((operator === "=") === (value !== null)));
}

/** True for a session with a request in such a place; for `!=`, with none in it. */
function placeTest(columns: IndexColumns, key: PlaceFacet, operator: Operator, value: Condition["value"]): Test {
  const [holds, isNegated] = operator === "!=" ? (["=", true] as const) : ([operator, false] as const);
  const ofOne = ofTexts(columns.text(key), (text) => compares(text, holds, value));
  const several = columns.number("place_count");
  return (place) => {
    const found =
      (several[place] ?? 0) > 1
        ? columns.requestPlaces(place).some((one) => compares(one[key], holds, value))
        : ofOne(place);
    return found !== isNegated;
  };
}

/** Tests each distinct text once. */
function ofTexts({ codes, values }: TextColumn, holds: (value: string | null) => boolean): Test {
  const tested = Uint8Array.from(values, (value) => Number(holds(value)));
  return (place) => tested[codes[place] ?? 0] === 1;
}
