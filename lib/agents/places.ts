import type { Milliseconds } from "@/lib/core/base/units";

/** Where an agent leaves its sessions, and what the place of a file says of its session without reading it. Browser-safe. */
export interface AgentPlaces {
  /** Folders that hold the agent's data; none where it writes no sessions. */
  readonly roots: readonly AgentRoot[];
  /**
   * Session files below a root, with `/`: `*` stands for any part of a name, `**` for any folders. Packed ones (`.gz`,
   * `.zst` behind that name) are found as well.
   */
  readonly files: readonly string[];
  /** Names of its session files that end otherwise than `.jsonl` or `.json`: taken in folders that are nobody's as well. */
  readonly otherNames?: RegExp;
  /** Stores below a root that hold sessions and are no session files. */
  readonly stores?: readonly StorePlace[];
  /** Name of the folder that holds a project's sessions. Cannot be undone: different projects may share one. */
  readonly projectFolder?: (project: string) => string;
  /** How such a folder's name is led back to the project where that can be done: what the agent writes about it. */
  readonly projectNames?: ProjectNames;
  /** A list of its sessions that the agent keeps beside their files. */
  readonly index?: { readonly file: string; readonly read: (text: string) => ReadonlyMap<string, Listed> };
  /** What the last parts of a file's path say; its name is without a packing's ending. */
  readonly placed?: (path: string) => Placed;
}

export interface AgentRoot {
  /** Below the home folder, with `/`. */
  readonly folder: string;
  /** Environment variables that name another folder. All that are set are looked in, and the usual folder too. */
  readonly variables?: readonly RootVariable[];
}

export interface RootVariable {
  readonly name: string;
  /** The root below the folder that the variable names; absent where it names the root itself. */
  readonly below?: string;
  /** Several folders may be named, separated by commas. */
  readonly several?: boolean;
}

/** A database, for instance: named, with the way to get sessions out of it. */
export interface StorePlace {
  /** As in `AgentPlaces.files`. */
  readonly file: string;
  /** A variable that names the file itself, absolute or below the root. */
  readonly variable?: string;
  /** The agent's own command that writes a session to a file which can be opened here. */
  readonly exportCommand?: string;
}

/** What an agent writes of the projects that its folders stand for. */
export interface ProjectNames {
  /** File in the folder that holds the project's path alone. */
  readonly marker: string;
  /** List of the projects, by the folder's name; its place as seen from the folder. */
  readonly registry: { readonly file: string; readonly read: (text: string) => ReadonlyMap<string, string> };
  /** The name may be a digest of the path: every project that is known from elsewhere is tried. */
  readonly digest: "sha256";
}

/** What became of a session's file, by its place or name. */
export type FileVariant = "archived" | "deleted" | "reset";

export interface Placed {
  readonly sessionId?: string;
  readonly startedAt?: Milliseconds;
  readonly variant?: FileVariant;
  /** Folder that stands for the project. */
  readonly projectFolder?: string;
  /** The project itself, where the agent wrote down what the folder stands for. */
  readonly project?: string;
  /** A subagent's file: the session that it was started from, where its place says that. */
  readonly parentSession?: string;
  readonly agentId?: string;
}

/** What an agent's own list says of a session, by the name of its file. */
export interface Listed {
  readonly title?: string;
  /** The session that started it as a subagent. */
  readonly parentSession?: string;
}

/** The last parts of a path, as many as asked for; absent ones are empty. */
export function lastParts(path: string, count: number): readonly string[] {
  const parts = path.split("/").slice(-count);
  return [...Array.from({ length: count - parts.length }, () => ""), ...parts];
}
