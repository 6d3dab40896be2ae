import type { FileSessionRow, SessionSummary } from "@/lib/api/contract";
import type { OpenedSession } from "../../session/opened-session";
import { type CatalogEntry, partsOf } from "../files/entries";
import type { NamedInput } from "./kinship";
import { type Related, relate } from "./relations";

/** The relations of sessions, and their titles. */
export interface Relations {
  readonly of: (id: string) => Related | undefined;
  readonly titleOf: (id: string) => string | undefined;
}

/** The relations between sessions. */
export function relationsOf(inputs: readonly NamedInput[]): Relations {
  const related = relate(inputs);
  const titles = new Map(inputs.map(({ id, title }) => [id, title]));
  return { of: (id) => related.get(id), titleOf: (id) => titles.get(id) };
}

/**
 * The sessions among which the relations of a session are sought that is no row of the list: one of several in its file, or of a file that is read as
 * another format. The row of its file holds the same requests and is left out. The file's other sessions are included, as far as their first records
 * say.
 * @param listed the listed sessions
 */
export function inputsAround(entry: CatalogEntry, session: OpenedSession, listed: readonly NamedInput[]): NamedInput[] {
  const { file } = partsOf(entry.id);
  const { summary, requestKeys: keys } = session;
  // What a file's name says about its session need not be true of one of several.
  const placed = summary.fileSessions == null ? entry.placed : {};
  const own = { id: entry.id, summary, placed, keys, title: summary.title ?? entry.name };
  return [...listed.filter(({ id }) => id !== file), own, ...siblingsOf(entry.id, summary)];
}

const NO_KEYS = { exact: new Float64Array(0), sizes: new Float64Array(0) };

function siblingsOf(id: string, { fileSessions, format }: SessionSummary): NamedInput[] {
  const { file, format: chosenFormat = "" } = partsOf(id);
  const siblings = fileSessions?.sessions.filter(({ key }) => key !== fileSessions.chosen) ?? [];
  return siblings.map((row) => ({
    id: `${file}~${chosenFormat}~${row.key}`,
    summary: summaryOf(row, format),
    placed: {},
    keys: NO_KEYS,
    title: row.title ?? row.sessionId ?? row.key,
  }));
}

function summaryOf({ sessionId, startedAt, parents }: FileSessionRow, format: string): NamedInput["summary"] {
  const links = { agentId: null, parents, subagents: [] };
  return { format, sessionId, requests: 0, startedAt, endedAt: null, links };
}
