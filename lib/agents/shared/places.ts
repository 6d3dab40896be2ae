import type { Milliseconds } from "@/lib/core/base/units";

/** Locations of an agent's sessions, and facts that a file's path gives before the file is read. Browser-safe. */
export interface AgentPlaces {
  /** Folders that hold the agent's data; empty if it writes no sessions. */
  readonly roots: readonly AgentRoot[];
  /**
   * Session files below a root, with `/`: `*` matches any part of a name, `**` any folders. Packed files (the name followed by `.gz`, `.zst`, `.zstd` or
   * `.br`) are found as well.
   */
  readonly files: readonly string[];
  /** Session files whose names end in neither `.jsonl` nor `.json`; in folders that belong to no agent, files with these names are read too. */
  readonly otherNames?: RegExp;
  /**
   * Stores below a root that hold sessions but are not session files: databases, whose sessions are listed if the server profile can read them, and
   * others.
   */
  readonly stores?: readonly StorePlace[];
  /** The agent's list of further stores, in a file below a root; absent if it keeps none. */
  readonly storesListedIn?: StoreList;
  /** Name of the folder that holds a project's sessions. It cannot be reversed: different projects may share one folder. */
  readonly projectFolder?: (project: string) => string;
  /** Sources of the project for a folder's name; absent if the agent records none. */
  readonly projectNames?: ProjectNames;
  /** The agent's own list of its sessions, next to their files. */
  readonly index?: { readonly file: string; readonly read: (text: string) => ReadonlyMap<string, Listed> };
  /** Folders that can hold the files of a session's subagents; absent if the agent writes none. */
  readonly subagents?: (session: ParentFile) => readonly SubagentFolder[];
  /**
   * Files of calls for summaries, in this folder next to the session's file, or next to the file itself. They are not listed as sessions: the
   * compacted session has their requests.
   */
  readonly compactionCalls?: { readonly folder: (session: string) => string; readonly name: RegExp };
  /** Paths of files that repeat a part of a session's own file, in folders that belong to no agent: they are not listed. */
  readonly repeated?: RegExp;
  /**
   * Another agent's format that files without records of this agent alone have. Such a file is this agent's if its path matches `path`, if `index`
   * lists it, or if a file `mark` is in a folder above.
   */
  readonly looksLike?: { readonly format: string; readonly path: RegExp; readonly mark: string };
  /** Rule by which the agent deletes its session files; absent if it keeps them. */
  readonly deletes?: DeletionRule;
  /** Facts from the last parts of a file's path. The name is given without the ending of a packed file. */
  readonly placed?: (path: string) => Placed;
}

/** A session's own file, and facts about its session. */
interface ParentFile {
  /** With `/`, without the ending of a packed file. */
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly startedAt: Milliseconds | undefined;
  readonly endedAt: Milliseconds | undefined;
}

/** A folder to search for files of subagents. Only the relations between sessions decide which of its files are those. */
export interface SubagentFolder {
  /** Relative to the folder of the session's file. */
  readonly folder: string;
  /** Matches their paths below it, without the ending of a packed file. */
  readonly files: RegExp;
  /** Days that their names must hold; absent for any. */
  readonly days?: readonly string[];
  /** Maximum depth of folders below it. */
  readonly depth: number;
  /** True if files of other sessions are there too: then only those whose first bytes name the session are read. */
  readonly isShared?: true;
}

/** Session files are deleted some days after their last change. */
export interface DeletionRule {
  /** Default number of days. */
  readonly days: number;
  /** Key of the settings file below a root that sets another number. */
  readonly key: string;
  readonly file: string;
}

interface AgentRoot {
  /** Path below the home folder, with `/`. */
  readonly folder: string;
  /** Environment variables that name another folder. Every folder that is set this way is searched, and the usual one too. */
  readonly variables?: readonly RootVariable[];
}

export interface RootVariable {
  readonly name: string;
  /** Path of the root below the variable's folder; absent if the variable names the root itself. */
  readonly below?: string;
  /** True if the variable may name several folders, separated by commas. */
  readonly several?: boolean;
}

/** A store, such as a database, and the way to export sessions from it if it cannot be read. */
export interface StorePlace {
  /** As in `AgentPlaces.files`. */
  readonly file: string;
  /** A variable that names the file itself, by an absolute path or by one below the root. */
  readonly variable?: string;
  /** The agent's own command that exports a session to a readable file. */
  readonly exportCommand?: string;
}

/** An agent's list of folders that each hold a store, such as those of its projects. */
interface StoreList {
  /** Path of the list below a root. */
  readonly file: string;
  /** Name of the store in each folder. */
  readonly name: string;
  /** Absolute paths of the folders. Throws if the text is not such a list. */
  readonly read: (text: string) => readonly string[];
}

/** The agent's records of the project that a folder belongs to. */
interface ProjectNames {
  /** File in the folder that holds only the project's path. */
  readonly marker: string;
  /** List of the projects by folder name. Its path is relative to the folder. */
  readonly registry: { readonly file: string; readonly read: (text: string) => ReadonlyMap<string, string> };
  /** Set if the folder's name may be a digest of the project's path: every project known from elsewhere is tried. */
  readonly digest: "sha256";
}

/** State of a session's file, from its path or its name. */
export type FileVariant = "archived" | "deleted" | "reset";

export interface Placed {
  readonly sessionId?: string;
  readonly startedAt?: Milliseconds;
  readonly variant?: FileVariant;
  /** The folder that belongs to the project. */
  readonly projectFolder?: string;
  /** The project itself, if the agent recorded the folder's project. */
  readonly project?: string;
  /** For a subagent's file: the session that started it, if the file's path gives that. */
  readonly parentSession?: string;
  readonly agentId?: string;
}

/** Entry of an agent's own list for a session, by the name of its file. */
export interface Listed {
  readonly title?: string;
  /** The session that started it as a subagent. */
  readonly parentSession?: string;
}

/** The last `count` parts of a path; missing ones are empty. */
export function lastParts(path: string, count: number): readonly string[] {
  const parts = path.split("/").slice(-count);
  return [...Array.from({ length: count - parts.length }, () => ""), ...parts];
}

/** The name of a session's file without its ending. */
export function nameOfFile(path: string): string {
  return (lastParts(path, 1)[0] ?? "").replace(/\.jsonl?$/, "");
}
