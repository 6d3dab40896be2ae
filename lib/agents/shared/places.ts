import type { Milliseconds } from "@/lib/core/base/units";

/** Where an agent leaves its sessions, and what the place of a file tells about its session before the file is read. Browser-safe. */
export interface AgentPlaces {
  /** Folders that hold the agent's data; empty where it writes no sessions. */
  readonly roots: readonly AgentRoot[];
  /**
   * Session files below a root, with `/`: `*` stands for any part of a name, `**` for any folders. Packed files (the name followed by `.gz`,
   * `.zst` or `.br`) are found as well.
   */
  readonly files: readonly string[];
  /** Session files whose names end in neither `.jsonl` nor `.json`: with this they are also taken in folders that belong to no agent. */
  readonly otherNames?: RegExp;
  /** Stores below a root that hold sessions but are no session files: databases, whose sessions are listed where the server profile can read them, and others. */
  readonly stores?: readonly StorePlace[];
  /** Name of the folder that holds a project's sessions. It cannot be reversed: different projects may share one folder. */
  readonly projectFolder?: (project: string) => string;
  /** How a folder's name leads back to the project, from what the agent writes about it. Absent where it does not. */
  readonly projectNames?: ProjectNames;
  /** The list of its sessions that the agent keeps beside their files. */
  readonly index?: { readonly file: string; readonly read: (text: string) => ReadonlyMap<string, Listed> };
  /** Where subagents of a session have files of their own, beside the session's file: their folder, and which names they have. */
  readonly subagents?: { readonly folder: (session: string) => string; readonly name: RegExp };
  /**
   * Where calls for summaries have files of their own: in this folder beside the session's file, or beside the file itself. These are sessions of nobody:
   * they are not listed, and the session that was compacted has their requests.
   */
  readonly compactionCalls?: { readonly folder: (session: string) => string; readonly name: RegExp };
  /** What the last parts of a file's path tell. The name is given without the ending of a packed file. */
  readonly placed?: (path: string) => Placed;
}

interface AgentRoot {
  /** Path below the home folder, with `/`. */
  readonly folder: string;
  /** Environment variables that name another folder. Every folder that is set this way is searched, and the usual one too. */
  readonly variables?: readonly RootVariable[];
}

export interface RootVariable {
  readonly name: string;
  /** Path of the root below the folder that the variable names; absent where the variable names the root itself. */
  readonly below?: string;
  /** True if the variable may name several folders, separated by commas. */
  readonly several?: boolean;
}

/** A store, such as a database, and the way to get sessions out of it where it cannot be read. */
export interface StorePlace {
  /** As in `AgentPlaces.files`. */
  readonly file: string;
  /** A variable that names the file itself, by an absolute path or by one below the root. */
  readonly variable?: string;
  /** The agent's own command that writes a session to a file that can be opened here. */
  readonly exportCommand?: string;
}

/** How the agent records which project a folder stands for. */
interface ProjectNames {
  /** File in the folder that holds nothing but the project's path. */
  readonly marker: string;
  /** List of the projects by folder name. Its path is relative to the folder. */
  readonly registry: { readonly file: string; readonly read: (text: string) => ReadonlyMap<string, string> };
  /** The folder's name may be a digest of the project's path: every project that is known from elsewhere is tried. */
  readonly digest: "sha256";
}

/** What became of a session's file, told by its place or its name. */
export type FileVariant = "archived" | "deleted" | "reset";

export interface Placed {
  readonly sessionId?: string;
  readonly startedAt?: Milliseconds;
  readonly variant?: FileVariant;
  /** The folder that stands for the project. */
  readonly projectFolder?: string;
  /** The project itself, where the agent recorded which one the folder stands for. */
  readonly project?: string;
  /** For a subagent's file: the session that started it, where the file's place tells that. */
  readonly parentSession?: string;
  readonly agentId?: string;
}

/** What an agent's own list says about a session, by the name of its file. */
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
