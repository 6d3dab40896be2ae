import { realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { profileOf } from "@/lib/agents/registry";
import type { Placed, SubagentFolder } from "@/lib/agents/shared/places";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { SessionIndexes } from "@/lib/server/list/files/session-indexes";
import { placedBy, unpackedName } from "@/lib/server/list/files/sources";
import { type FoundFile, realFolder, walk } from "@/lib/server/list/files/walk";
import type { RelatedInput } from "@/lib/server/list/relations/related-input";
import { namesOf, type Related, relate, subagentsBelow } from "@/lib/server/list/relations/relations";
import { headText } from "@/lib/server/read/head";
import { storedAt, storedPath } from "@/lib/server/read/stored-path";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import type { TaskRunner } from "@/lib/server/threads/tasks";

/** A file that may hold a subagent's session. */
interface Candidate {
  readonly path: string;
  readonly placed: Placed;
  /** True if its first bytes must be read to decide whether it belongs to the session. */
  readonly isShared: boolean;
}

/** A subagent's session, and its relations to the session that started it. */
interface Subagent {
  readonly session: OpenedSession;
  readonly related: Related | undefined;
}

interface Subagents {
  /** The relations of the session itself. */
  readonly related: Related | undefined;
  readonly subagents: readonly Subagent[];
}

const NO_SUBAGENTS: Subagents = { related: undefined, subagents: [] };

/** Shorter names occur in any text. */
const MIN_NAME = 6;

/**
 * The sessions of a session's subagents, and of theirs, as the session list relates them. Searches the folders that its agent declares
 * (`AgentPlaces.subagents`), or the other sessions of its database; in folders of many sessions, only files whose first bytes name a known session
 * are read. Unreadable files are skipped.
 */
export async function subagentsOf(path: string, session: OpenedSession, runner: TaskRunner): Promise<Subagents> {
  const { summary, requestKeys: keys } = session;
  const { agent } = summary;
  let left = await candidatesOf(path, summary, runner);
  if (left.length === 0) return NO_SUBAGENTS;
  const own = { id: path, summary, placed: await placedOf(path, agent), keys };
  const inputs: RelatedInput[] = [own];
  const opened = new Map<string, OpenedSession>();
  const names = new Set<string>();
  for (let added: readonly RelatedInput[] = inputs; added.length > 0; ) {
    for (const input of added) for (const name of childNames(input)) names.add(name);
    const mentioned = await Promise.all(left.map((one) => isMentioned(one, names)));
    const next = left.filter((_, at) => mentioned[at]);
    left = left.filter((_, at) => !mentioned[at]);
    const read = await Promise.all(next.map(async (one) => ({ ...one, session: await open(one.path, runner) })));
    added = read.flatMap(({ path: id, placed, session: one }) => {
      if (one === undefined) return [];
      opened.set(id, one);
      return [{ id, summary: one.summary, placed, keys: one.requestKeys }];
    });
    inputs.push(...added);
  }
  const related = relate(inputs);
  const subagents = subagentsBelow(related, path).flatMap((id) => {
    const one = opened.get(id);
    return one === undefined ? [] : [{ session: one, related: related.get(id) }];
  });
  return { related: related.get(path), subagents };
}

/** Names of a session that may occur in the files or paths of its subagents. */
function childNames(input: RelatedInput): readonly string[] {
  const started = input.summary.links.subagents.filter(({ isInFile }) => isInFile !== true);
  return [...namesOf(input), ...started.map(({ agentId }) => agentId)].filter(({ length }) => length >= MIN_NAME);
}

async function candidatesOf(path: string, summary: SessionSummary, runner: TaskRunner): Promise<readonly Candidate[]> {
  const stored = storedAt(path);
  if (stored !== undefined) {
    const { database, id } = stored;
    const sessions = await runner.run("database", { path: database });
    const others = sessions.filter((one) => one.id !== id);
    return others.map(({ id, placed }) => ({ path: storedPath({ database, id }), placed, isShared: true }));
  }
  const { agent, sessionId, startedAt, endedAt } = summary;
  const times = { startedAt: timeOf(startedAt), endedAt: timeOf(endedAt) };
  const parent = { path: unpackedName(path.split(sep).join("/")), sessionId: sessionId ?? undefined, ...times };
  const folders = profileOf(agent)?.places.subagents?.(parent) ?? [];
  const real = await realpath(path);
  const found = new Map<string, Candidate>();
  for (const folder of folders) {
    for (const file of await filesIn(join(dirname(real), folder.folder), folder)) {
      if (file.path === real || found.has(file.path)) continue;
      const isShared = folder.isShared === true;
      found.set(file.path, { path: file.path, placed: placedBy(file.path, agent), isShared });
    }
  }
  const entries = [...found.values()].map((one) => ({ ...one, kind: "folder", agent }));
  return new SessionIndexes().annotate(entries);
}

async function filesIn(path: string, { files, days, depth }: SubagentFolder): Promise<readonly FoundFile[]> {
  const real = await realFolder(path);
  if (real === undefined) return [];
  const takes = (file: string) =>
    files.test(unpackedName(file)) && (days === undefined || days.some((day) => file.includes(day)));
  return walk({ id: "", label: "", kind: "folder", agent: null, path: real, depth, takes }, [real]);
}

async function placedOf(path: string, agent: string | null): Promise<Placed> {
  const [entry] = await new SessionIndexes().annotate([{ kind: "folder", agent, path, placed: placedBy(path, agent) }]);
  return entry?.placed ?? {};
}

/** True for a file with one of the names in its path or in its first bytes, and for every file in a folder of only this session. */
async function isMentioned({ path, placed, isShared }: Candidate, names: ReadonlySet<string>): Promise<boolean> {
  const placedNames = [placed.parentSession, placed.agentId, placed.sessionId];
  if (!isShared || placedNames.some((name) => name !== undefined && names.has(name))) return true;
  if (storedAt(path) !== undefined) return false;
  const head = await headText(path);
  return [...names].some((name) => head.includes(name));
}

async function open(path: string, runner: TaskRunner): Promise<OpenedSession | undefined> {
  try {
    const name = basename(path);
    return new OpenedSession(path, await runner.run("ingest", { path, name }), runner);
  } catch {
    return undefined; // The file vanished, or is not a transcript.
  }
}

function timeOf(instant: string | null): number | undefined {
  return instant === null ? undefined : Date.parse(instant);
}
