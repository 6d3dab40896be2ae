import { profileOf } from "@/lib/agents/registry";
import { worktreeOf } from "@/lib/core/base/worktree";
import type { SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { isLeastTogether } from "@/lib/queries/wire/least";
import { allRequests, allSent, peakShare, recordedPeak } from "@/lib/queries/wire/recorded-facts";
import type { IndexFacts } from "../../read/numbers/index-facts";
import type { SessionPlace } from "../../read/numbers/request-places";
import type { IndexDatabase, Write } from "../../store/database/database";
import type { SessionState } from "../../store/database/schema";
import { shortWordsOf } from "../../store/database/short-words";
import type { CatalogEntry } from "../files/entries";
import { NO_METRICS, type OwnMetrics } from "./own-metrics";
import { folderKey } from "./projects";
import { fold, isShown } from "./session-list";
import { sortText } from "./sort-text";

/** Separates a session's own row from its recording in the searched text. */
const TEXT_SEPARATOR = "\n\u0001\n";

/** Writes that update a session's row and everything that filters, sorts and searches use. */
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

/** Rows as sent, by id, in the order of the sessions' numbers. */
export async function rowsOf({ query }: IndexDatabase, ids: readonly string[]): Promise<Map<string, SessionRow>> {
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom("sessions")
    .select(["id", "row"])
    .where("id", "in", ids)
    .orderBy("number")
    .execute();
  // This program wrote them from this type; fields that another release did not write appear when the file is read again.
  return new Map(rows.map(({ id, row }) => [id, JSON.parse(row) as SessionRow]));
}

/** The write of a listed session's row as sent. */
export function jsonWrite({ query, repeated }: IndexDatabase, row: SessionRow): Write {
  const { id, project } = row;
  return repeated.of("row", { id, project, json: JSON.stringify(row) }, ({ id, project, json }) =>
    query.updateTable("sessions").set({ project, row: json }).where("id", "=", id),
  );
}

/** The write of a recording's facts beyond its row. */
export function factsWrite({ query, repeated }: IndexDatabase, { id }: SessionRow, facts: IndexFacts): Write {
  return repeated.of("facts", { id, facts: JSON.stringify(factMetrics(facts)) }, ({ id, facts }) =>
    query.updateTable("sessions").set({ facts }).where("id", "=", id),
  );
}

/**
 * Writes that let a session be found, after its row. SQLite buffers the words of a transaction only while it writes words alone, in the order of the
 * sessions' numbers, one value at a time; any statement that could fail halfway, such as a select or a change with a trigger, flushes the buffer.
 * @param text searched text of its recording
 */
export function searchWrites({ query, repeated }: IndexDatabase, row: SessionRow, text: string): Write[] {
  const { title, project, name, agent, summary } = row;
  const texts = [title, project, name, agent, profileOf(agent)?.label, ...(summary?.models ?? []), summary?.branch];
  const own = texts.filter(Boolean).join("\n");
  const searched = `${fold(own)}${TEXT_SEPARATOR}${fold(text)}`;
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

/** The recording's part of a searched text. */
export function recordedText(searched: string): string {
  const at = searched.indexOf(TEXT_SEPARATOR);
  return at < 0 ? "" : searched.slice(at + TEXT_SEPARATOR.length);
}

/** All tables with rows of a session. */
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

/** Filter, sort and sum values of a row. Unknown values are `null`; truth values are 0 and 1, lists are JSON. */
function rowMetrics(entry: CatalogEntry, row: SessionRow) {
  const { summary } = row;
  return {
    upload: Number(row.upload),
    /** 1 if the list shows it. */
    shown: Number(isShown(row)),
    version: summary?.agentVersion ?? null,
    started: instantOf(row.startedAt),
    modified: entry.version.mtimeMs,
    bytes: row.bytes,
    /** End of the recording, else the last change of its file. A session without messages has no time: it comes last. */
    ended: isEmpty(summary) ? null : (instantOf(summary?.endedAt) ?? entry.version.mtimeMs),
    title: sortText(row.title?.trim() || row.name),
    models: listed(new Set(summary?.models)),
    /** All requests; 0 if none has usage. */
    requests: orNull(summary, (read) => (read.requests === 0 ? 0 : allRequests(read))),
    /** Tokens sent with all requests. */
    all_sent: orNull(summary, allSent),
    compactions: summary?.compactions.length ?? null,
    /** 1 if there is a compaction. */
    compacted: orNull(summary, ({ compactions }) => Number(compactions.length > 0)),
    /** The largest context, in tokens and as a share of the window. */
    peak: summary && recordedPeak(summary),
    peak_share: orNull(summary, peakShare),
    // The session's subagents in its file count with it; those with files of their own have rows.
    cost_is_least: summary?.costUsd?.lowerBound == null ? null : Number(isLeastTogether(summary, summary.bill)),
    damaged: summary?.records.damagedTotal ?? null,
    problems: orNull(summary, problemsOf),
    /** 1 if the file could not be read, or a part of it was not read or is odd. */
    faulty: row.error === null ? orNull(summary, isFaulty) : 1,
  };
}

/** Facts of a recording beyond its row. */
function factMetrics({ accuracy, fidelity, scores, evidence }: IndexFacts) {
  return {
    /** Mean error of the bytes / 4 estimate, as a share; absent with fewer than eight pairs of requests. */
    accuracy,
    /** Share of the predictable recorded compactions that the agent's own policy predicts, and their number. */
    fidelity: fidelity === null ? null : fidelity.met / fidelity.checked,
    checked: fidelity === null ? null : fidelity.checked,
    /** Reliability of its metrics: a list of `IndexedScore`. */
    scores: listed(scores),
    /** Evidence for findings: an `IndexedEvidence` as JSON. */
    evidence: evidence === null ? null : JSON.stringify(evidence),
  };
}

function stateOf({ error, summary }: SessionRow): SessionState {
  if (error !== null) return "failed";
  return summary === null ? "unread" : "read";
}

/** True for a session that was read and has no message and no request. */
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

/** A list as JSON, `null` if empty. */
function listed(values: Iterable<unknown>): string | null {
  const all = [...values];
  return all.length === 0 ? null : JSON.stringify(all);
}

/** The write of a session's counted requests; nothing for an unreadable file. */
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
  const { chain = 0, inherited = 0, firstAt = null, lastAt = null, parts = [], places = [], billed } = own ?? {};
  const counted = own ?? NO_METRICS;
  const place = places[0] ?? placeOf(summary);
  return {
    ...place,
    /** Number of places of its requests, and a list of `SessionPlace` if there are several. */
    place_count: places.length,
    places: places.length < 2 ? null : JSON.stringify(places),
    repeated: repeatedRequests,
    /** Number of leading requests that other sessions count. */
    inherited,
    /** 1 if other sessions count all of its requests. */
    copy: Number(repeatedRequests > 0 && chain === 0),
    /** US dollars at list prices, without its subagents; `null` if a request has no price. */
    cost: billed?.total ?? null,
    counted_requests: summary === null ? null : counted.requests,
    counted_compactions: summary === null ? null : counted.compactions,
    /** US dollars of priced requests, 1 if one has no price, and the names of the models without a price. */
    priced: counted.priced,
    unpriced: counted.unpriced,
    unpriced_models: listed(counted.unpricedModels ?? []),
    first_at: firstAt,
    last_at: lastAt,
    /** A list of `PartSum`; `null` if all lie in one quarter of an hour and one place. */
    parts: listed(parts),
    input: counted.input,
    cache_read: counted.cacheRead,
    cache_write: counted.cacheWrite,
    output: counted.output,
    /** All input: uncached, cache reads and cache writes. */
    sent: sumOf([counted.input, counted.cacheRead, counted.cacheWrite]),
    /** Recorded time of its compactions, in milliseconds. */
    compacting_ms: counted.compactingMs,
    /** Re-fetches after its compactions, and their tokens. */
    needed: counted.refetched,
    needed_tokens: counted.refetchedTokens,
    /** Cache misses by cause: a list of `MissSum`. */
    breaks: listed(counted.breaks),
  };
}

/** The place of a session without requests of its own. */
function placeOf(summary: SessionSummary | null): SessionPlace {
  const { branch = null, project = null, sessionId, links } = summary ?? {};
  const agent = links?.agentId ?? null;
  const worktree = project === null ? null : worktreeOf(project, project);
  return { branch, worktree, subagent: agent === null ? null : `${sessionId ?? ""}/${agent}` };
}

/** The folder that may name the project later, through another session. */
function folderOf({ agent, placed }: CatalogEntry, { project, summary }: SessionRow): string | null {
  const folder = placed.projectFolder;
  if (folder === undefined || placed.project !== undefined) return null;
  const recorded = summary === null ? (project === folder ? null : project) : summary.project;
  return recorded === null ? folderKey(agent, folder) : null;
}

/** The sum of the recorded parts. */
function sumOf(parts: readonly (number | null | undefined)[]): number | null {
  const known = parts.filter((part) => part != null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
}

function orNull<T, R>(value: T | null | undefined, change: (value: T) => R): R | null {
  return value == null ? null : change(value);
}
