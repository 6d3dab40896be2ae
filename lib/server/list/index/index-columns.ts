import { sql } from "kysely";
import { MISS_CAUSES } from "@/lib/core/cost/cache-misses";
import type { SessionRow } from "@/lib/queries/contract/schemas";
import type { MissSum } from "@/lib/queries/cost/cost";
import type { IndexedEvidence } from "../../read/numbers/evidence";
import type { IndexedScore } from "../../read/numbers/index-facts";
import type { SessionPlace } from "../../read/numbers/request-places";
import { type ColumnPage, type IndexDatabase, numberIn, type Value } from "../../store/database/database";
import { FoundWords } from "./found-words";
import { type CountedMetrics, type FactMetrics, type RowMetrics, rowsOf } from "./index-rows";
import type { PartSum } from "./own-metrics";

type Metrics = RowMetrics & FactMetrics & CountedMetrics;

/** Columns of texts that many sessions share, and of numbers: for queries, and for the metrics. Models are JSON lists. */
const KEY_TEXTS = ["source", "agent", "project", "state"] as const;
const METRIC_TEXTS = [
  ...(["version", "models", "unpriced_models", "branch", "worktree", "subagent"] as const),
] as const satisfies readonly (keyof Metrics)[];
const KEY_NUMBERS = ["sample", "gone"] as const;
const METRIC_NUMBERS = [
  ...(["upload", "shown", "copy", "repeated", "started", "modified", "ended", "bytes"] as const),
  ...(["requests", "compactions", "compacted", "peak", "peak_share", "damaged", "problems", "faulty"] as const),
  ...(["cost", "cost_is_least", "priced", "unpriced"] as const),
  ...([
    "counted_requests",
    "counted_compactions",
    "first_at",
    "last_at",
    "inherited",
    "place_count",
    "compacting_ms",
  ] as const),
  ...(["input", "cache_read", "cache_write", "output", "sent", "all_sent"] as const),
  ...(["accuracy", "fidelity", "checked", "needed", "needed_tokens"] as const),
] as const satisfies readonly (keyof Metrics)[];
const TEXTS = [...KEY_TEXTS, ...METRIC_TEXTS];
const NUMBERS = [...KEY_NUMBERS, ...METRIC_NUMBERS];
export type TextName = (typeof TEXTS)[number];
export type NumberName = (typeof NUMBERS)[number];

/** Columns read of a session, in this order. */
const READ = ["number", "revision", "id", "listed", ...KEY_TEXTS, ...KEY_NUMBERS] as const;

/** Rows read per query. */
const AT_ONCE = 1000;
/** Initial capacity of the columns, in sessions. */
const FIRST_ROOM = 1024;

/** Distinct texts, each held once. */
export interface TextColumn {
  /** By session, the index of its value. */
  readonly codes: Uint32Array;
  readonly values: readonly (string | null)[];
}

/** A sum of cache misses as numbers. */
export interface KnownMiss {
  /** Index into `MISS_CAUSES`. */
  readonly cause: number;
  readonly count: number;
  readonly tokens: number;
  /** `NaN` if a request has no price. */
  readonly usd: number;
}

/** Some sessions, by their places in the columns. */
export type Places = Uint32Array;

/**
 * Filter, sort and sum columns of the list in memory: a session is a place in all of them. The database records every process's writes, and a query
 * first reads these; so a hundred thousand sessions are searched in milliseconds.
 */
export class IndexColumns {
  readonly #database: IndexDatabase;
  readonly #atOnce: number;
  readonly #words: FoundWords;
  readonly #texts = new Map<TextName, GrowingTexts>(TEXTS.map((name) => [name, new GrowingTexts()]));
  readonly #numbers = new Map<NumberName, Float64Array>(NUMBERS.map((name) => [name, new Float64Array(FIRST_ROOM)]));
  #revisions = new Float64Array(FIRST_ROOM);
  /** Places by the sessions' numbers in the database. */
  readonly #places = new Map<number, number>();
  #revision = 0;
  #refreshing: Promise<void> = Promise.resolve();
  readonly ids: string[] = [];
  /** Sort keys: see `sortText`. */
  readonly titles: string[] = [];
  /** Tokens sent uncached although a cache held them. */
  readonly breaks: (readonly KnownMiss[])[] = [];
  readonly #scores: (string | null)[] = [];
  readonly #parts: (string | null)[] = [];
  readonly #requestPlaces: (string | null)[] = [];
  readonly #evidence: (string | null)[] = [];

  /** @param atOnce rows per read */
  constructor(database: IndexDatabase, atOnce = AT_ONCE) {
    this.#database = database;
    this.#atOnce = atOnce;
    this.#words = new FoundWords(database);
  }

  /** Unknown values are `NaN`. */
  number(name: NumberName): Float64Array {
    return this.#numbers.get(name) ?? new Float64Array(0); // There is one of every name.
  }

  text(name: TextName): TextColumn {
    return this.#texts.get(name) ?? new GrowingTexts(); // There is one of every name.
  }

  /** Reliability of a session's metrics. */
  scores(place: number): readonly IndexedScore[] {
    return parsed<IndexedScore>(this.#scores[place]);
  }

  /** Evidence of a session for findings over many; `undefined` if it has no request. */
  evidence(place: number): IndexedEvidence | undefined {
    const json = this.#evidence[place];
    return json == null ? undefined : JSON.parse(json); // This program wrote it.
  }

  /** A session's counted requests by quarters of an hour and places; nothing if all lie in one part. */
  parts(place: number): readonly PartSum[] {
    return parsed<PartSum>(this.#parts[place]);
  }

  /** The places of a session's counted requests, if there are several. */
  requestPlaces(place: number): readonly SessionPlace[] {
    return parsed<SessionPlace>(this.#requestPlaces[place]);
  }

  /** Increases with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** Reads everything that was written before the call. */
  refresh(): Promise<void> {
    const refreshed = this.#refreshing.then(() => this.#readChanges());
    this.#refreshing = refreshed.catch(() => undefined);
    return refreshed;
  }

  where(tests: readonly ((place: number) => boolean)[]): Places {
    const places = new Uint32Array(this.ids.length);
    for (let place = 0; place < places.length; place++) places[place] = place;
    return placesWhereAll(places, tests);
  }

  /** Occurrences of a word in the sessions' texts, by place. */
  found(word: string): Promise<Uint8Array> {
    const places = this.#places;
    return this.#words.of(word, { places, revisions: this.#revisions, revision: this.#revision });
  }

  /** Rows as sent, by id. */
  rows(ids: readonly string[]): Promise<ReadonlyMap<string, SessionRow>> {
    return rowsOf(this.#database, ids);
  }

  async #readChanges(): Promise<void> {
    const changes = this.#database.query
      .selectFrom("session_changes")
      .leftJoin("sessions", "sessions.number", "session_changes.number")
      .select(["session_changes.number as number", "revision", "id", ...KEY_TEXTS, ...KEY_NUMBERS])
      .select(
        sql<string | null>`'[' || figures || ',' || coalesce(facts, '{}') || ',' || coalesce(counted, '{}') || ']'`.as(
          "listed",
        ),
      )
      .orderBy("revision")
      .limit(this.#atOnce);
    const after = (revision: Value) => changes.where("revision", ">", numberIn(revision));
    const pages = { key: "revision", first: this.#revision, size: this.#atOnce } as const;
    for await (const page of this.#database.columnPages(after, READ, pages)) this.#take(page);
  }

  /** Reads rows by columns, in the order of `READ`. */
  #take([numbers = [], revisions = [], ids = [], listed = [], ...keys]: ColumnPage): void {
    for (const [at, number] of numbers.entries()) {
      const place = this.#placeOf(numberIn(number));
      // Removed sessions are not shown.
      this.ids[place] = textIn(ids[at]) ?? "";
      this.#revisions[place] = numberIn(revisions[at]);
      this.#revision = Math.max(this.#revision, numberIn(revisions[at]));
      const metrics: Partial<Metrics> = Object.assign({}, ...parsed<Partial<Metrics>>(textIn(listed[at])));
      this.titles[place] = metrics.title ?? "";
      this.breaks[place] = parsed<MissSum>(metrics.breaks).map(knownMiss);
      this.#scores[place] = metrics.scores ?? null;
      this.#parts[place] = metrics.parts ?? null;
      this.#requestPlaces[place] = metrics.places ?? null;
      this.#evidence[place] = metrics.evidence ?? null;
      const key = (name: (typeof READ)[number]) => keys[READ.indexOf(name) - READ.indexOf(KEY_TEXTS[0])]?.[at];
      for (const name of KEY_TEXTS) this.#texts.get(name)?.set(place, textIn(key(name)));
      for (const name of METRIC_TEXTS) this.#texts.get(name)?.set(place, metrics[name] ?? null);
      for (const name of KEY_NUMBERS) this.number(name)[place] = numberIn(key(name));
      for (const name of METRIC_NUMBERS) this.number(name)[place] = metrics[name] ?? Number.NaN;
    }
  }

  #placeOf(number: number): number {
    const known = this.#places.get(number);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(number, place);
    if (place === this.#revisions.length) {
      for (const [name, numbers] of this.#numbers) this.#numbers.set(name, doubled(numbers));
      this.#revisions = doubled(this.#revisions);
    }
    return place;
  }
}

/** The models of a session, in the index's format. */
export function modelsIn(json: string | null): readonly string[] {
  return json === null ? [] : JSON.parse(json); // This program wrote it.
}

/** Places for which a test holds. */
function placesWhere(places: Places, holds: (place: number) => boolean): Places {
  const found = new Uint32Array(places.length);
  let count = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0;
    if (holds(place)) found[count++] = place;
  }
  return found.subarray(0, count);
}

export function placesWhereAll(places: Places, tests: readonly ((place: number) => boolean)[]): Places {
  return tests.reduce(placesWhere, places);
}

class GrowingTexts implements TextColumn {
  codes = new Uint32Array(FIRST_ROOM);
  readonly values: (string | null)[] = [];
  readonly #codes = new Map<string | null, number>();

  set(place: number, value: string | null): void {
    if (place >= this.codes.length) {
      const codes = new Uint32Array(2 * this.codes.length);
      codes.set(this.codes);
      this.codes = codes;
    }
    const known = this.#codes.get(value);
    const code = known ?? this.values.length;
    if (known === undefined) {
      this.#codes.set(value, code);
      this.values.push(value);
    }
    this.codes[place] = code;
  }
}

function doubled(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

export function knownMiss({ cause, count, tokens, usd }: MissSum): KnownMiss {
  return { cause: MISS_CAUSES.indexOf(cause), count, tokens, usd: usd ?? Number.NaN };
}

function textIn(value: Value | undefined): string | null {
  return typeof value === "string" ? value : null;
}

const NOTHING: readonly never[] = [];

/** A list that this program wrote. */
function parsed<Entry>(json: string | null | undefined): readonly Entry[] {
  return json == null ? NOTHING : JSON.parse(json);
}
