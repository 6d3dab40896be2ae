import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LRUCache } from "lru-cache";
import { profileOf } from "@/lib/agents/registry";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { keyedRequests, requestKeys } from "@/lib/core/columns/request-keys";
import { withBoundaries } from "@/lib/core/transcript/compaction-calls";
import type { ExtraRequest, MessageRows, Transcript } from "@/lib/core/transcript/model";
import { readUncounted } from "./read-transcript";
import type { SessionFiles } from "./session-files";
import { versionKey } from "./source-file";

/** Maximum files with summary calls that are cached. */
const KEPT_FILES = 500;

/** A possible summary call, with its keys in every file. */
interface Candidate {
  readonly request: ExtraRequest;
  readonly exact: number;
  readonly sizes: number;
}

/** The contents of a file with a summary call. */
interface CallFile {
  readonly candidates: readonly Candidate[];
  /** The sessions that it names as its own. */
  readonly sessions: readonly string[];
}

/**
 * Finds summary calls that an agent wrote to separate files next to a session's (`AgentPlaces.compactionCalls`). Such a file repeats the session's
 * records, followed by the call: only requests after the last prompt that the session does not hold are the call's.
 */
export class CompactionFiles {
  readonly #files: SessionFiles;
  readonly #known = new LRUCache<string, CallFile>({ max: KEPT_FILES });

  constructor(files: SessionFiles) {
    this.#files = files;
  }

  /**
   * The columns of a session with the calls in files next to it. A subagent's file names its parent's session, which
   * has these calls.
   * @param isChosen true for one of several sessions in its file
   */
  async withCalls(
    path: string,
    { transcript, columns }: { readonly transcript: Transcript; readonly columns: SessionColumns },
    isChosen: boolean,
  ): Promise<SessionColumns> {
    if (transcript.links.agentId !== undefined) return columns;
    const found = await callFiles(path, transcript.agent);
    if (found.length === 0) return columns;
    const held = new HeldRequests(columns);
    const all: ExtraRequest[] = [];
    for (const { file, isOwn } of found) {
      const inFile = await this.#callsIn(file, transcript.format);
      const isOfSession = isOwn && !isChosen;
      if (inFile === undefined || !(isOfSession || inFile.sessions.includes(transcript.sessionId ?? ""))) continue;
      const calls = inFile.candidates.filter((one) => !held.has(one));
      for (const call of calls) held.add(call);
      all.push(...calls.map(({ request }) => request));
    }
    if (all.length === 0) return columns;
    const related = withBoundaries(all, transcript.boundaries);
    return columnsFromTranscript(transcript, [...transcript.extraRequests, ...related]);
  }

  async #callsIn(path: string, format: string): Promise<CallFile | undefined> {
    try {
      return await this.#files.use(path, (file) => {
        const key = `${versionKey(file.version)} ${path}`;
        const known = this.#known.get(key) ?? callFile(readUncounted(file, { format }).transcript);
        this.#known.set(key, known);
        return known;
      });
    } catch {
      return undefined; // The file vanished, or is not a transcript.
    }
  }
}

/** The known requests, by response id; by their keys if a file has no ids. */
class HeldRequests {
  readonly #responses: Set<number>;
  readonly #exact: Set<number>;
  readonly #sizes: Set<number>;

  constructor(columns: SessionColumns) {
    const { exact, sizes } = requestKeys(columns);
    this.#responses = new Set([...columns.requests.response, ...columns.extra.response]);
    this.#exact = new Set(exact);
    this.#sizes = new Set(sizes);
  }

  has({ request: { response }, exact, sizes }: Candidate): boolean {
    return response === undefined ? this.#exact.has(exact) || this.#sizes.has(sizes) : this.#responses.has(response);
  }

  add({ request: { response }, exact, sizes }: Candidate): void {
    if (response !== undefined) this.#responses.add(response);
    this.#exact.add(exact);
    this.#sizes.add(sizes);
  }
}

function callFile(transcript: Transcript): CallFile {
  const { list, requests, extraRequests, links } = transcript;
  const columns = columnsFromTranscript(transcript);
  const { exact, sizes } = requestKeys(columns);
  const prompt = lastPrompt(list);
  const isCall = (point: number) => (requests[point]?.message ?? 0) > prompt;
  const candidates = keyedRequests(columns).flatMap(({ requests: part, row }, place): Candidate[] => {
    const key = { exact: exact[place] ?? Number.NaN, sizes: sizes[place] ?? Number.NaN };
    if (part === columns.requests) {
      const point = requests[row];
      if (point === undefined || !isCall(row)) return [];
      const { message: _, ...request } = point;
      return [{ request: { ...request, kind: "compaction" }, ...key }];
    }
    const pass = extraRequests[row];
    if (pass?.kind !== "pass" || pass.point === undefined || !isCall(pass.point)) return [];
    const { point: _, ...request } = pass;
    return [{ request: { ...request, kind: "compaction", furtherPass: true }, ...key }];
  });
  return { candidates, sessions: links.parents.map(({ session }) => session) };
}

/** The last user message: the summary prompt, if the file holds it. */
function lastPrompt(list: MessageRows): number {
  let index = list.length - 1;
  while (index >= 0 && (list.role(index) !== "user" || list.origin(index) === "tool")) index -= 1;
  return index;
}

/** Files with summary calls next to a session's; those in the session's own folder are its own. */
async function callFiles(path: string, agent: string | null): Promise<{ file: string; isOwn: boolean }[]> {
  const rule = profileOf(agent)?.places.compactionCalls;
  if (rule === undefined) return [];
  const folder = dirname(path);
  const own = join(folder, rule.folder(basename(path).replace(/\.jsonl(?:\.(?:gz|zst|br))?$/i, "")));
  const named = async (place: string, isOwn: boolean) => {
    // Most sessions have no folder of their own.
    const entries = await readdir(place, { recursive: isOwn, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile() && rule.name.test(entry.name) && entry.name !== basename(path))
      .map(({ parentPath, name }) => ({ file: join(parentPath, name), isOwn }));
  };
  const found = [...(await named(own, true)), ...(await named(folder, false))];
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}
