import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { summarise } from "@/lib/queries/boundaries/summarise";
import type { SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import type { CatalogEntry } from "../list/files/entries";
import { factsWrite, ownWrite, rowWrites, searchWrites } from "../list/index/index-rows";
import { NO_METRICS, type OwnMetrics } from "../list/index/own-metrics";
import type { IndexFacts } from "../read/numbers/index-facts";
import type { IndexDatabase, Write } from "../store/database/database";

/** The summary of a session without messages. */
export function emptySummary(): SessionSummary {
  const builder = new TranscriptBuilder({ keepChars: 0, byteLength: (text) => text.length });
  return summarise(builder.finish("codex", "codex"), "empty.jsonl");
}

export function listedRow(id: string, change: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    source: "s",
    sample: false,
    upload: false,
    name: `${id}.jsonl`,
    agent: "codex",
    project: "/home/ada/shop",
    title: change.summary?.title ?? null,
    startedAt: change.summary?.startedAt ?? null,
    variant: null,
    bytes: 10,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    summary: null,
    sparkline: null,
    error: null,
    errorCode: null,
    related: [],
    repeatedRequests: 0,
    ...change,
  };
}

/** A made-up row, with the other stored data of its session. */
export type MadeRow = Partial<SessionRow> & {
  readonly id: string;
  readonly text?: string;
  readonly facts?: Partial<IndexFacts>;
  /** Its counts; default: all of its summary, at its start. */
  readonly own?: Partial<OwnMetrics>;
};

/** Puts rows into an empty index. */
export async function listedRows(database: IndexDatabase, rows: readonly MadeRow[]): Promise<void> {
  for (const row of rows) await database.write(writesOf(database, row));
}

/** The writes that put a row into an index. */
export function writesOf(database: IndexDatabase, { text = "", facts, own, ...change }: MadeRow): Write[] {
  const row = listedRow(change.id, change);
  const entry: CatalogEntry = {
    id: row.id,
    source: row.source,
    kind: "folder",
    agent: row.agent,
    path: "/nowhere",
    name: row.name,
    version: { bytes: row.bytes, mtimeMs: Date.parse(row.modifiedAt ?? "") },
    placed: {},
  };
  return [
    ...rowWrites(database, entry, row),
    factsWrite(database, row, {
      text,
      metrics: new Float64Array(0),
      accuracy: null,
      fidelity: null,
      needed: null,
      places: [],
      scores: [],
      evidence: null,
      ...facts,
    }),
    ownWrite(database, row, ownOf(row, facts, own)),
    ...searchWrites(database, row, text),
  ];
}

/** Counts of a made-up session: all of its summary, unless other sessions count it. */
function ownOf(
  { summary, startedAt, repeatedRequests }: SessionRow,
  facts: Partial<IndexFacts> | undefined,
  own: Partial<OwnMetrics> | undefined,
): OwnMetrics | undefined {
  if (summary === null) return undefined;
  const isCopy = repeatedRequests > 0 && repeatedRequests >= summary.requests;
  const { requests, usage, compactions, costUsd } = summary;
  const cost = costUsd?.total ?? null;
  const at = startedAt === null ? null : Date.parse(startedAt);
  const bill = { own: null, inherited: null, branches: null, compactions: null, subagents: null, passes: null };
  const none = {
    ...NO_METRICS,
    chain: 0,
    inherited: 0,
    firstAt: null,
    lastAt: null,
    parts: [],
    places: [],
    billed: costUsd ?? null,
    bill,
  };
  if (isCopy) return none;
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    ...none,
    ...{ requests, compactions: compactions.length, input, output, cacheRead, cacheWrite, priced: cost },
    unpriced: Number(requests > 0 && cost === null),
    refetched: facts?.needed?.count ?? null,
    refetchedTokens: facts?.needed?.tokens ?? null,
    chain: requests,
    firstAt: at,
    lastAt: at,
    ...own,
  };
}
