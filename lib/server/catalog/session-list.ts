import { createHash } from "node:crypto";
import { z } from "zod";
import { PROFILES, profileOf } from "@/lib/agents/profiles";
import type { SessionPage, SessionRow, SessionSummary } from "@/lib/api/contract";
import { instant } from "@/lib/api/instant";
import { HttpError } from "../http/http-error";
import type { HeadFacts } from "../ingest/head";
import type { CatalogEntry } from "./catalog";
import type { Indexed } from "./indexer";
import type { Related } from "./relations";

/** What a list may be sorted by; a `-` before it means descending. */
const SORT_KEYS = {
  modified: (row: SessionRow) => row.modifiedAt ?? "",
  started: (row: SessionRow) => row.startedAt ?? "",
  title: (row: SessionRow) => fold(row.title ?? row.name),
  project: (row: SessionRow) => fold(row.project ?? ""),
  agent: (row: SessionRow) => row.agent ?? "",
  bytes: (row: SessionRow) => row.bytes,
  requests: (row: SessionRow) => row.summary?.requests ?? -1,
  compactions: (row: SessionRow) => row.summary?.compactions.length ?? -1,
  peak: (row: SessionRow) => row.summary?.peakContext?.tokens ?? -1,
  /** `null` comes last in either direction: what is not known is not little. */
  cost: (row: SessionRow) => row.summary?.costUsd?.total ?? null,
} as const satisfies Record<string, (row: SessionRow) => string | number | null>;

type SortKey = keyof typeof SORT_KEYS;

/** Query of `GET /api/sessions`. */
export const listQuery = z.object({
  q: z.string().max(200).optional(),
  agent: z.string().max(60).optional(),
  project: z.string().max(1000).optional(),
  sort: z.string().max(30).default("-modified"),
  cursor: z.string().max(4000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type ListQuery = z.infer<typeof listQuery>;

/** What is known of a session's file. */
export interface Knowledge {
  readonly indexed: Indexed | undefined;
  readonly head?: HeadFacts | undefined;
  readonly related?: Related | undefined;
  /** The titles of the sessions. */
  readonly titleOf?: (id: string) => string | undefined;
  /** The project that a folder's name stands for, if another session of the same folder names it. */
  readonly projectOf?: (agent: string | null, folder: string) => string | undefined;
}

/** A row of the list: the file, and what was learnt of it, or until then what its beginning and its place say. */
export function rowOf(entry: CatalogEntry, { indexed, head, projectOf, related, titleOf }: Knowledge): SessionRow {
  const summary = indexed?.summary ?? null;
  const { placed } = entry;
  const folder = placed.projectFolder;
  const project = placed.project ?? (folder === undefined ? undefined : projectOf?.(entry.agent, folder));
  const named = project ?? (folder === undefined || isDigest(folder) ? undefined : folder);
  return {
    id: entry.id,
    source: entry.source,
    sample: entry.kind === "samples",
    upload: entry.kind === "upload",
    name: entry.name,
    agent: summary === null ? (head?.agent ?? entry.agent) : summary.agent,
    project: summary === null ? (head?.project ?? named ?? null) : (summary.project ?? project ?? null),
    title: entry.title ?? (summary === null ? (head?.title ?? null) : summary.title),
    startedAt: summary === null ? instant(head?.startedAt ?? placed.startedAt) : summary.startedAt,
    variant: variantOf(entry, summary),
    bytes: entry.version.bytes,
    modifiedAt: instant(entry.version.mtimeMs),
    summary,
    sparkline: indexed?.sparkline ?? null,
    error: indexed?.error ?? null,
    errorCode: indexed?.errorCode ?? null,
    related: (related?.relations ?? []).slice(0, RELATED).map(({ kind, id, callId, item }) => ({
      kind,
      id,
      title: titleOf?.(id) ?? "",
      callId: callId ?? null,
      item: kind === "subagent-of" ? (item ?? null) : null,
    })),
    repeatedRequests: related?.repeated ?? 0,
  };
}

/** Whether a folder's name is a digest, which means nothing to a person. */
function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** The most related sessions in one row. */
const RELATED = 200;

/** Agents that name a project's folder by a digest of its path: any session's project may match it. */
const DIGESTED = Object.values(PROFILES)
  .filter(({ id }) => profileOf(id)?.places.projectNames?.digest === "sha256")
  .map(({ id }) => id);

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Maps folder names back to projects, using the sessions that name the project in which they ran. */
export function projectsByFolder(summaries: readonly (SessionSummary | null)[]): NonNullable<Knowledge["projectOf"]> {
  const projects = new Map<string, string>();
  for (const project of new Set(summaries.flatMap((summary) => summary?.project ?? []))) {
    for (const agent of DIGESTED) projects.set(`${agent}\0${sha256(project)}`, project);
  }
  for (const summary of summaries) {
    const folder =
      summary?.project == null ? undefined : profileOf(summary.agent)?.places.projectFolder?.(summary.project);
    if (folder !== undefined && summary?.project != null) projects.set(`${summary.agent}\0${folder}`, summary.project);
  }
  return (agent, folder) => projects.get(`${agent}\0${folder}`);
}

/** The variant by the file's place in an agent's own folder; elsewhere by its name, once its agent is known. */
function variantOf({ placed, name }: CatalogEntry, summary: SessionSummary | null): SessionRow["variant"] {
  return placed.variant ?? profileOf(summary?.agent ?? null)?.places.placed?.(name).variant ?? null;
}

/** Whether a row is shown: a `.json` or `.har` file of a mounted folder is a session only once it was recognised as one. */
export function isShown(row: SessionRow): boolean {
  return row.upload || row.summary !== null || !/\.(?:json|har)(\.gz|\.zst)?$/i.test(row.name);
}

/** One page of the rows that match, in order. Throws `HttpError` on an unknown sort or a cursor that this server did not make. */
export function pageOf(rows: readonly SessionRow[], query: ListQuery): Omit<SessionPage, "indexing"> {
  const sort = parseSort(query.sort);
  const matching = rows
    .filter((row) => matches(row, query))
    .sort((a, b) => compareKeys(keyOf(a, sort), keyOf(b, sort), sort));
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const start = after === undefined ? 0 : matching.findIndex((row) => compareKeys(keyOf(row, sort), after, sort) > 0);
  const page = start === -1 ? [] : matching.slice(start, start + query.limit);
  const last = page.at(-1);
  const more = last !== undefined && start + page.length < matching.length;
  return {
    sessions: page,
    nextCursor: more ? toCursor(keyOf(last, sort)) : null,
    total: matching.length,
    bytes: matching.reduce((sum, row) => sum + row.bytes, 0),
  };
}

interface Sort {
  readonly key: SortKey;
  readonly direction: 1 | -1;
}

/** A row's place in the order: its value, and its id among equals. */
type Place = readonly [value: string | number, id: string];

function parseSort(text: string): Sort {
  const key = text.replace(/^-/, "");
  if (!isSortKey(key)) throw new HttpError(400, `Unknown sort; known: ${Object.keys(SORT_KEYS).join(", ")}.`);
  return { key, direction: text.startsWith("-") ? -1 : 1 };
}

function isSortKey(key: string): key is SortKey {
  return Object.hasOwn(SORT_KEYS, key);
}

function keyOf(row: SessionRow, sort: Sort): Place {
  return [SORT_KEYS[sort.key](row) ?? (sort.direction < 0 ? -1 : Number.MAX_VALUE), row.id];
}

function compareKeys(a: Place, b: Place, { direction }: Sort): number {
  return direction * (compare(a[0], b[0]) || compare(a[1], b[1]));
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function toCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

const cursor = z.tuple([z.union([z.string(), z.number()]), z.string()]);

function parseCursor(text: string): Place {
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    // Whatever is wrong with it, it is not one of ours.
    throw new HttpError(400, "The cursor is not one that this server gave.");
  }
}

function matches(row: SessionRow, { q, agent, project }: ListQuery): boolean {
  if (agent !== undefined && agent !== "" && row.agent !== agent) return false;
  if (project !== undefined && project !== "" && row.project !== project) return false;
  const words = fold(q ?? "")
    .split(/\s+/)
    .filter(Boolean);
  const text = fold([row.title, row.project, row.name, row.summary?.branch].filter(Boolean).join("\n"));
  return words.every((word) => text.includes(word));
}

/** Normalises a text for comparing regardless of case and width. */
function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
