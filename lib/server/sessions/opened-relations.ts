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

/** The relations between sessions. */
export function relationsOf(inputs: readonly NamedInput[]): Relations {
  const related = relate(inputs);
  const titles = new Map(inputs.map(({ id, title }) => [id, title]));
  return { of: (id) => related.get(id), titleOf: (id) => titles.get(id) };
}

/**
 * The sessions among which the relations of a session are sought that is no row of the list: one of several in its file, or of a file that is read as
 * another format. The row of its file holds the same requests and is left out, but for a subagent in that file, which that row started. The file's other
 * sessions are included, as far as their first records say.
 * @param listed the listed sessions
 */
export function inputsAround(entry: CatalogEntry, session: OpenedSession, listed: readonly NamedInput[]): NamedInput[] {
  const { file, session: key } = partsOf(entry.id);
  const { summary, requestKeys: keys } = session;
  const isSubagent = key !== undefined && isSubagentKey(key) && summary.links.agentId !== null;
  // A file name's facts about its session need not hold for one of several.
  const placed = summary.fileSessions == null && !isSubagent ? entry.placed : {};
  const own = { id: entry.id, summary, placed, keys, title: summary.title ?? entry.name };
  if (isSubagent) return [...listed, own];
  return [...listed.filter(({ id }) => id !== file), own, ...siblingsOf(entry.id, summary)];
}

/**
 * The subagents of a session whose own records are in its file, as related sessions: each can be opened as one session of that file.
 * @param others its relations to other files, some of which may be the same subagents' own
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
