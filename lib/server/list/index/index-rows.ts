import { profileOf } from "@/lib/agents/registry";
import type { SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { peakShare, recordedPeak } from "@/lib/queries/wire/recorded-facts";
import type { IndexFacts } from "../../read/numbers/index-facts";
import type { IndexDatabase, Write } from "../../store/database/database";
import type { SessionState } from "../../store/database/schema";
import { shortWordsOf } from "../../store/database/short-words";
import type { CatalogEntry } from "../files/entries";
import { NO_FIGURES, type OwnMetrics } from "./own-metrics";
import { folderKey } from "./projects";
import { fold, isShown } from "./session-list";
import { sortText } from "./sort-text";

/** Ends what a search finds of a session's own row; behind it is what its recording says. */
const TEXT_BEHIND = "\n\u0001\n";

/** The writes that bring a session's row and everything that it is filtered, sorted and found by up to date. */
export function rowWrites(database: IndexDatabase, entry: CatalogEntry, row: SessionRow): Write[] {
  const { query, repeated } = database;
  const { id, source, agent, project } = row;
  const columns = {
    id,
    source,
    sample: Number(row.sample),
    gone: 0,
    agent,
    project,
    folder: folderOf(entry, row),
    state: stateOf(row),
    figures: JSON.stringify(rowMetrics(entry, row)),
    row: JSON.stringify(row),
  };
  return [
    repeated.of("session", columns, (columns) =>
      query
        .insertInto("sessions")
        .values(columns)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(columns)),
    ),
  ];
}

/** Rows as they are sent, by their ids, in the order of the sessions' numbers. */
export async function rowsOf({ query }: IndexDatabase, ids: readonly string[]): Promise<Map<string, SessionRow>> {
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom("sessions")
    .select(["id", "row"])
    .where("id", "in", ids)
    .orderBy("number")
    .execute();
  // We wrote them ourselves, from this type; of another release's rows, what is missing is made when they are read again.
  return new Map(rows.map(({ id, row }) => [id, JSON.parse(row) as SessionRow]));
}

/** The write of a listed session's row as it is sent. */
export function jsonWrite({ query, repeated }: IndexDatabase, row: SessionRow): Write {
  const { id, project } = row;
  return repeated.of("row", { id, project, json: JSON.stringify(row) }, ({ id, project, json }) =>
    query.updateTable("sessions").set({ project, row: json }).where("id", "=", id),
  );
}

/** The write of what a recording says beyond its row. */
export function factsWrite({ query, repeated }: IndexDatabase, { id }: SessionRow, facts: IndexFacts): Write {
  return repeated.of("facts", { id, facts: JSON.stringify(factMetrics(facts)) }, ({ id, facts }) =>
    query.updateTable("sessions").set({ facts }).where("id", "=", id),
  );
}

/**
 * The writes that let a session be found, once its row is written. SQLite gathers the words of a transaction as long as it only writes words, by the sessions' numbers, one
 * value at a time; what is gathered it writes before whatever else could fail halfway, such as a select, or a change that sets off a trigger.
 * @param text what its recording says
 */
export function searchWrites({ query, repeated }: IndexDatabase, row: SessionRow, text: string): Write[] {
  const { title, project, name, agent, summary } = row;
  const texts = [title, project, name, agent, profileOf(agent)?.label, ...(summary?.models ?? []), summary?.branch];
  const own = texts.filter(Boolean).join("\n");
  const searched = `${fold(own)}${TEXT_BEHIND}${fold(text)}`;
  const id = row.id;
  const numberOf = (id: string) => query.selectFrom("sessions").select("number").where("id", "=", id);
  return [
    repeated.of("no search", { id }, ({ id }) => query.deleteFrom("search").where("rowid", "=", numberOf(id))),
    repeated.of("no words", { id }, ({ id }) => query.deleteFrom("short_words").where("rowid", "=", numberOf(id))),
    repeated.of("search", { id, searched }, ({ id, searched }) =>
      query.insertInto("search").values({ rowid: numberOf(id), text: searched }),
    ),
    repeated.of("words", { id, words: shortWordsOf(searched) }, ({ id, words }) =>
      query.insertInto("short_words").values({ rowid: numberOf(id), words }),
    ),
  ];
}

/** What a recording said, of a text that is searched. */
export function recordedText(searched: string): string {
  const at = searched.indexOf(TEXT_BEHIND);
  return at < 0 ? "" : searched.slice(at + TEXT_BEHIND.length);
}

/** All tables that have rows of a session. */
export function removalWrites({ query }: IndexDatabase, id: string): Write[] {
  const number = query.selectFrom("sessions").select("number").where("id", "=", id);
  return [
    query.deleteFrom("search").where("rowid", "=", number),
    query.deleteFrom("short_words").where("rowid", "=", number),
    query.deleteFrom("sessions").where("id", "=", id),
    query.deleteFrom("session_links").where("id", "=", id),
    query.deleteFrom("files").where("id", "=", id),
  ];
}

export type RowMetrics = ReturnType<typeof rowMetrics>;
export type FactMetrics = ReturnType<typeof factMetrics>;
export type CountedMetrics = ReturnType<typeof countedMetrics>;

/** What lists are filtered, sorted and summed by, as its row says it. What is not known is `null`; truth values are 0 and 1, lists are JSON. */
function rowMetrics(entry: CatalogEntry, row: SessionRow) {
  const { summary } = row;
  return {
    upload: Number(row.upload),
    /** Whether the list shows it. */
    shown: Number(isShown(row)),
    version: summary?.agentVersion ?? null,
    started: instantOf(row.startedAt),
    modified: entry.version.mtimeMs,
    bytes: row.bytes,
    /** When the recording ended, else when its file was changed. A session in which nobody said anything has no place in time: it comes last. */
    ended: isEmpty(summary) ? null : (instantOf(summary?.endedAt) ?? entry.version.mtimeMs),
    title: sortText(row.title?.trim() || row.name),
    models: listed(new Set(summary?.models)),
    requests: summary?.requests ?? null,
    compactions: summary?.compactions.length ?? null,
    /** Whether there is a compaction. */
    compacted: orNull(summary, ({ compactions }) => Number(compactions.length > 0)),
    /** The largest context, in tokens and as a share of the window. */
    peak: summary && recordedPeak(summary),
    peak_share: orNull(summary, peakShare),
    cost_is_least: orNull(summary?.costUsd?.lowerBound, Number),
    damaged: summary?.records.damagedTotal ?? null,
    problems: orNull(summary, problemsOf),
    /** Whether the file could not be read, or something in it was not read or is odd. */
    faulty: row.error === null ? orNull(summary, isFaulty) : 1,
  };
}

/** What a recording says beyond its row. */
function factMetrics({ accuracy, fidelity, scores }: IndexFacts) {
  return {
    /** Mean error of the bytes / 4 estimate, as a share; with fewer than eight pairs of requests nothing can be said. */
    accuracy,
    /** The share that the agent's own policy meets of the recorded compactions that it could have met, and how many these are. */
    fidelity: fidelity === null ? null : fidelity.met / fidelity.checked,
    checked: fidelity === null ? null : fidelity.checked,
    /** How well its figures can be trusted: a list of `IndexedScore`. */
    scores: listed(scores),
  };
}

function stateOf({ error, summary }: SessionRow): SessionState {
  if (error !== null) return "failed";
  return summary === null ? "unread" : "read";
}

/** Whether a session was read and has no message and no request. */
function isEmpty(summary: SessionSummary | null): boolean {
  if (summary === null) return false;
  const { requests, messages } = summary;
  return requests === 0 && messages.user === 0 && messages.assistant === 0;
}

function instantOf(text: string | null | undefined): number | null {
  return text == null ? null : Date.parse(text);
}

function problemsOf({ problems }: SessionSummary): number {
  return problems.reduce((sum, { count }) => sum + count, 0);
}

function isFaulty(summary: SessionSummary): number {
  return Number(summary.records.damagedTotal > 0 || problemsOf(summary) > 0);
}

/** A list as JSON, `null` where there is nothing in it. */
function listed(values: Iterable<unknown>): string | null {
  const all = [...values];
  return all.length === 0 ? null : JSON.stringify(all);
}

/** The write of what a session counts of its requests; nothing where its file could not be read. */
export function ownWrite(
  { query, repeated }: IndexDatabase,
  row: Pick<SessionRow, "id" | "summary" | "repeatedRequests">,
  own: OwnMetrics | undefined,
): Write {
  const counted = JSON.stringify(countedMetrics(row, own));
  return repeated.of("own", { id: row.id, counted }, ({ id, counted }) =>
    query.updateTable("sessions").set({ counted }).where("id", "=", id),
  );
}

/** Sums over the requests that a session counts, those of subagents in its file included. */
function countedMetrics(
  { summary, repeatedRequests }: Pick<SessionRow, "summary" | "repeatedRequests">,
  own: OwnMetrics | undefined,
) {
  const { chain = 0, inherited = 0, firstAt = null, lastAt = null, quarters = [], billed } = own ?? {};
  const counted = own ?? NO_FIGURES;
  return {
    repeated: repeatedRequests,
    /** How many requests it begins with that other sessions count. */
    inherited,
    /** 1 where other sessions count all of its requests. */
    copy: Number(repeatedRequests > 0 && chain === 0),
    /** US dollars by list prices, without its subagents; `null` where a request has no price. */
    cost: billed?.total ?? null,
    counted_requests: summary === null ? null : counted.requests,
    counted_compactions: summary === null ? null : counted.compactions,
    /** US dollars of those that have a price, 1 where one has none, and the names of the models without a price. */
    priced: counted.priced,
    unpriced: counted.unpriced,
    unpriced_models: listed(counted.unpricedModels ?? []),
    first_at: firstAt,
    last_at: lastAt,
    /** A list of `QuarterSum`; `null` where all lie in one quarter of an hour. */
    quarters: listed(quarters),
    input: counted.input,
    cache_read: counted.cacheRead,
    cache_write: counted.cacheWrite,
    output: counted.output,
    /** Everything sent: input and what was read from and written to the cache. */
    sent: sumOf([counted.input, counted.cacheRead, counted.cacheWrite]),
    /** What was fetched again after its compactions, and its tokens. */
    needed: counted.refetched,
    needed_tokens: counted.refetchedTokens,
    /** Cache misses by cause: a list of `MissSum`. */
    breaks: listed(counted.breaks),
  };
}

/** The folder that may tell the project later on, once another session names it. */
function folderOf({ agent, placed }: CatalogEntry, { project, summary }: SessionRow): string | null {
  const folder = placed.projectFolder;
  if (folder === undefined || placed.project !== undefined) return null;
  const said = summary === null ? (project === folder ? null : project) : summary.project;
  return said === null ? folderKey(agent, folder) : null;
}

/** The sum of the parts that were recorded. */
function sumOf(parts: readonly (number | null | undefined)[]): number | null {
  const known = parts.filter((part) => part != null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
}

function orNull<T, R>(value: T | null | undefined, change: (value: T) => R): R | null {
  return value == null ? null : change(value);
}
