import { isSubagentKey, subagentKey } from "@/lib/core/transcript/file-sessions";
import type { FileSessionRow, SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { type CatalogEntry, partsOf } from "../list/files/entries";
import type { NamedInput } from "../list/index/kinship";
import { type Related, relate } from "../list/relations/relations";
import type { OpenedSession } from "./opened-session";

/** The relations of sessions, and their titles. */
interface Relations {
  readonly of: (id: string) => Related | undefined;
  readonly titleOf: (id: string) => string | undefined;
}

export function relationsOf(inputs: readonly NamedInput[]): Relations {
  const related = relate(inputs);
  const titles = new Map(inputs.map(({ id, title }) => [id, title]));
  return { of: (id) => related.get(id), titleOf: (id) => titles.get(id) };
}

/**
 * The sessions to compare with an opened session that has no row in the list: one of several sessions in its file, or a session read in another
 * format than the list's. These are the listed sessions and the other sessions of the file, with the facts of their first records. The file's own row
 * is left out, because it holds the same requests; for a subagent it stays, because it is the subagent's parent.
 * @param listed the listed sessions
 */
export function inputsAround(entry: CatalogEntry, session: OpenedSession, listed: readonly NamedInput[]): NamedInput[] {
  const { file, session: key } = partsOf(entry.id);
  const { summary, requestKeys: keys } = session;
  const isSubagent = key !== undefined && isSubagentKey(key) && summary.links.agentId !== null;
  // In a file of several sessions, the facts in its name may belong to another one.
  const placed = summary.fileSessions == null && !isSubagent ? entry.placed : {};
  const own = { id: entry.id, summary, placed, keys, title: summary.title ?? entry.name };
  if (isSubagent) return [...listed, own];
  return [...listed.filter(({ id }) => id !== file), own, ...siblingsOf(entry.id, summary)];
}

/**
 * The subagents of a session with their own records in its file, as related sessions: each can be opened as one session of that file.
 * @param others its relations to other files, which may include files of the same subagents
 */
export function subagentsInFile(
  id: string,
  { links }: Pick<SessionSummary, "links">,
  others: SessionRow["related"],
): SessionRow["related"] {
  const { file, format = "" } = partsOf(id);
  const known = new Set(others.flatMap(({ callId }) => callId ?? []));
  return links.subagents.flatMap(({ agentId, callId, isInFile }) => {
    const key = isInFile === true && !known.has(callId ?? "") ? subagentKey(agentId) : undefined;
    return key === undefined
      ? []
      : [{ kind: "has-subagent" as const, id: `${file}~${format}~${key}`, title: agentId, callId, item: null }];
  });
}

const NO_KEYS = { exact: new Float64Array(0), sizes: new Float64Array(0), classes: [] };

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
