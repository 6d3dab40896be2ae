import type { SessionRow, SessionSummary } from "@/lib/api/contract";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { summarise } from "@/lib/questions/boundaries/summarise";
import type { CatalogEntry } from "../catalog/files/entries";
import { factsWrites, rowWrites, searchWrites } from "../catalog/index/index-rows";
import type { IndexDatabase, Write } from "../database/database";
import type { IndexFacts } from "../session/index-facts";

/** The summary of a session in which nothing was said. */
export function emptySummary(): SessionSummary {
  const builder = new TranscriptBuilder({ keepChars: 0, byteLength: (text) => text.length });
  return summarise(builder.finish("codex", "codex"), "empty.jsonl");
}

/** A row of the list. */
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

/** A row that is made up, with what else is kept of its session. */
export type MadeRow = Partial<SessionRow> & {
  readonly id: string;
  readonly text?: string;
  readonly facts?: Partial<IndexFacts>;
};

/** Puts rows into an empty index. */
export async function listedRows(database: IndexDatabase, rows: readonly MadeRow[]): Promise<void> {
  for (const row of rows) await database.write(writesOf(database, row));
}

/** The writes that put a row into an index. */
export function writesOf(database: IndexDatabase, { text = "", facts, ...change }: MadeRow): Write[] {
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
    ...factsWrites(database, row, {
      text,
      breaks: [],
      accuracy: null,
      fidelity: null,
      needed: null,
      scores: [],
      ...facts,
    }),
    ...searchWrites(database, row, text),
  ];
}
