import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { PROFILES, profileOf } from "@/lib/agents/registry";
import type { AgentPlaces, DeletionRule, Placed } from "@/lib/agents/shared/places";
import { isObject } from "@/lib/core/records/fields";
import { rootsOf } from "../../base/agent-roots";
import type { ServerConfig } from "../../base/config";
import { digest } from "../../base/digest";
import { regularFileText } from "../../base/regular-file";
import { fixedPart, matcherOf } from "./patterns";

/** A folder with sessions to list. */
export interface SourceRoot {
  /** Stable across restarts. */
  readonly id: string;
  readonly label: string;
  readonly path: string;
  readonly kind: "agent" | "folder" | "samples";
  readonly agent: string | null;
  /** Maximum depth of its searched folders. */
  readonly depth: number;
  /** True for a listed file, by its path below the source, with `/`. */
  readonly takes: (path: string) => boolean;
  /** Facts in that path about the file's session. */
  readonly placed?: (path: string) => Placed;
  /** Days after its last change at which the agent deletes a file; absent if it keeps them. Reads the agent's settings. */
  readonly deletedAfter?: () => number;
}

/** Maximum depth of folders below a source. */
export const MAX_DEPTH = 8;

/** Endings of packed files. */
const PACKED = /\.(?:gz|zstd?|br)$/i;

/** The listed folders: the agents' own, those of the command line, and the samples. */
export function sourcesOf(config: ServerConfig): SourceRoot[] {
  const agents = Object.values(PROFILES).flatMap((profile) => agentSources(profile, config));
  const samples = config.samples === false ? [] : [samplesSource(config)];
  return uniqueByPath([...agents, ...config.dirs.map(folderSource), ...samples]);
}

type Profile = (typeof PROFILES)[keyof typeof PROFILES];

/** One source for every folder at the start of the agent's patterns. */
function agentSources({ id: agent, label, places }: Profile, config: ServerConfig): SourceRoot[] {
  const starts = new Set(places.files.map(fixedPart));
  return rootsOf(places, config).flatMap((root) =>
    [...starts].map((start) => {
      const patterns = places.files.filter((pattern) => fixedPart(pattern) === start);
      const path = join(root, ...start.split("/"));
      const matches = patterns.map((pattern) => matcherOf(pattern.slice(start === "" ? 0 : start.length + 1)));
      const below = start === "" ? "" : `${start}/`;
      return {
        id: digest(`agent\0${agent}\0${path}`),
        label,
        path,
        kind: "agent" as const,
        agent,
        depth: Math.max(...patterns.map(depthOf)),
        takes: (file: string) => !isSummaryCall(file) && matches.some((match) => match.test(unpackedName(file))),
        placed: (file: string) => places.placed?.(`${below}${unpackedName(file)}`) ?? {},
        ...(places.deletes && { deletedAfter: deletionDays(root, places.deletes) }),
      };
    }),
  );
}

/** The number of days in the settings file, else the agent's default, also if the number is unreadable. */
function deletionDays(root: string, { days, key, file }: DeletionRule): () => number {
  return () => {
    try {
      const settings: unknown = JSON.parse(regularFileText(join(root, file)));
      const set = isObject(settings) ? settings[key] : undefined;
      return typeof set === "number" && set >= 0 ? set : days;
    } catch {
      return days; // Most users have no such file.
    }
  };
}

function depthOf(pattern: string): number {
  return pattern.includes("**") ? MAX_DEPTH : pattern.split("/").length - 1;
}

/** A packed file's name after unpacking. */
export function unpackedName(file: string): string {
  return file.replace(PACKED, "");
}

/** A folder from the user: every possible session in it is listed. */
export function folderSource(path: string): SourceRoot {
  return {
    id: digest(`folder\0${resolve(path)}`),
    label: path,
    path: resolve(path),
    kind: "folder",
    agent: null,
    depth: MAX_DEPTH,
    takes: (path) => !isSummaryCall(path) && !isRepeated(unpackedName(path)) && isSessionName(unpackedName(path)),
  };
}

/** Facts in any file's path, once its content has named the agent. */
export function placedBy(path: string, agent: string | null): Placed {
  return profileOf(agent)?.places.placed?.(unpackedName(path.split(sep).join("/"))) ?? {};
}

function samplesSource({ root }: ServerConfig): SourceRoot {
  return {
    id: "samples",
    label: "samples",
    path: join(root, "public", "samples"),
    kind: "samples",
    agent: null,
    depth: 0,
    takes: (name) => unpackedName(name).endsWith(".jsonl"),
  };
}

function uniqueByPath(sources: readonly SourceRoot[]): SourceRoot[] {
  const seen = new Set<string>();
  return sources.filter((source) => {
    const key = `${source.path}\0${source.kind === "agent" ? source.depth : ""}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** True for a possible name of a session file. */
function isSessionName(path: string): boolean {
  return /\.(?:jsonl?|har)$/i.test(path) || OTHER_NAMES.some((name) => name.test(path));
}

/** True for a file with another session's summary call. */
function isSummaryCall(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return Object.values(PROFILES).some(({ places }) => places.compactionCalls?.name.test(name));
}

function isRepeated(path: string): boolean {
  return REPEATED.some((repeated) => repeated.test(path));
}

const ALL_PLACES = Object.values<{ readonly places: AgentPlaces }>(PROFILES).map(({ places }) => places);
const REPEATED = ALL_PLACES.flatMap(({ repeated }) => repeated ?? []);

const OTHER_NAMES = Object.values(PROFILES).flatMap(({ places }) => places.otherNames ?? []);

/** True if a path is a folder or inside it. Both must be real paths. */
export function isInside(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === "" || (!isAbsolute(from) && from !== ".." && !from.startsWith(`..${sep}`));
}
