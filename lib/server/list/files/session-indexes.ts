import { lstat, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PROFILES, profileOf } from "@/lib/agents/registry";
import type { AgentPlaces, Listed, Placed } from "@/lib/agents/shared/places";
import { type FileVersion, versionKey } from "../../read/source-file";

/** The needed facts of a listed file. */
interface ListedFile {
  readonly kind: string;
  readonly agent: string | null;
  readonly path: string;
  readonly placed: Placed;
  readonly title?: string;
}

/** Maximum bytes of an index. */
const MAX_BYTES = 64 << 20;

type Sessions = ReadonlyMap<string, Listed>;

const NOTHING: Sessions = new Map();

/** Reads agents' session indexes, each once per version. */
export class SessionIndexes {
  readonly #read = new Map<string, { readonly version: string; readonly sessions: Sessions }>();

  /** The entries with the facts of the session indexes in their folders. */
  async annotate<Entry extends ListedFile>(entries: readonly Entry[]): Promise<Entry[]> {
    const lists = new Map<string, Sessions>();
    for (const entry of entries) {
      const index = indexOf(entry);
      if (index === undefined) continue;
      const path = join(dirname(entry.path), index.file);
      if (!lists.has(path)) lists.set(path, await this.#sessions(path, index.read));
    }
    return entries.map((entry) => withListed(entry, lists));
  }

  async #sessions(path: string, read: (text: string) => Sessions): Promise<Sessions> {
    // Many folders have no index. Links are not followed, because they may lead out of the folder.
    const info = await lstat(path).catch(() => undefined);
    if (info === undefined || !info.isFile() || info.size > MAX_BYTES) return NOTHING;
    const version = versionKey({ bytes: info.size, mtimeMs: info.mtimeMs } satisfies FileVersion);
    const known = this.#read.get(path);
    if (known?.version === version) return known.sessions;
    const text = await readFile(path, "utf8").catch(() => ""); // The file is gone or unreadable.
    const sessions = read(text);
    this.#read.set(path, { version, sessions });
    return sessions;
  }
}

/** The session index next to a file. A user's folder may hold files of any agent, so the only kind of index that agents write is assumed. */
function indexOf({ kind, agent }: ListedFile): AgentPlaces["index"] {
  if (kind === "agent" || agent !== null) return profileOf(agent)?.places.index;
  return kind === "folder" ? ANY_INDEX : undefined;
}

const ANY_INDEX = Object.values<{ readonly places: AgentPlaces }>(PROFILES).find(({ places }) => places.index)?.places
  .index;

function withListed<Entry extends ListedFile>(entry: Entry, lists: ReadonlyMap<string, Sessions>): Entry {
  const index = indexOf(entry);
  const sessions = index === undefined ? undefined : lists.get(join(dirname(entry.path), index.file));
  const listed = sessions?.get(basename(entry.path));
  if (listed === undefined) return entry;
  const { title, parentSession } = listed;
  return {
    ...entry,
    ...(title === undefined ? {} : { title }),
    placed: { ...entry.placed, ...(parentSession === undefined ? {} : { parentSession }) },
  };
}
