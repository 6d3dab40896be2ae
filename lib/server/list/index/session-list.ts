import { profileOf } from "@/lib/agents/registry";
import type { SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { instant } from "@/lib/queries/wire/instant";
import type { HeadFacts } from "../../read/head";
import type { CatalogEntry } from "../files/entries";
import type { Related } from "../relations/relations";
import type { ReadResult } from "./read-result";

/** Known facts of a session's file. */
interface Knowledge {
  readonly indexed: Pick<ReadResult, "summary" | "sparkline" | "error" | "errorCode" | "errorProgram"> | undefined;
  readonly head?: HeadFacts | undefined;
  readonly related?: Related | undefined;
  /** Relations from an earlier row, in place of `related`. */
  readonly kin?: Kin | undefined;
  readonly titleOf?: (id: string) => string | undefined;
  /** The project that a folder belongs to, if another session in that folder names the project. */
  readonly projectOf?: (agent: string | null, folder: string) => string | undefined;
}

/** A row's facts about other sessions. */
export type Kin = Pick<SessionRow, "related" | "repeatedRequests" | "bill">;

/** A row of the list. Until the file is read, the row shows the facts in the file's first lines and its path. */
export function rowOf(entry: CatalogEntry, { indexed, head, projectOf, related, kin, titleOf }: Knowledge): SessionRow {
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
    ...(indexed?.errorProgram === undefined ? {} : { errorProgram: indexed.errorProgram }),
    ...(kin ?? { ...relatedRows(related, (id) => titleOf?.(id) ?? ""), bill: null }),
  };
}

/** True for a folder name that is a digest, which is meaningless to the user. */
function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** Maximum related sessions in one row. */
const RELATED = 200;

export function relatedRows(
  related: Related | undefined,
  titleOf: (id: string) => string,
): Pick<Kin, "related" | "repeatedRequests"> {
  return {
    related: (related?.relations ?? []).slice(0, RELATED).map(({ kind, id, callId, item }) => ({
      kind,
      id,
      title: titleOf(id),
      callId: callId ?? null,
      item: kind === "subagent-of" ? (item ?? null) : null,
    })),
    repeatedRequests: related?.elsewhere.length ?? 0,
  };
}

/** In an agent's own folder, the file's path gives its variant; elsewhere its name does, once the agent is known. */
function variantOf({ placed, name }: CatalogEntry, summary: SessionSummary | null): SessionRow["variant"] {
  return placed.variant ?? profileOf(summary?.agent ?? null)?.places.placed?.(name).variant ?? null;
}

/** True for a shown row: a `.json` or `.har` file of a mounted folder is a session only once it is recognised as one. */
export function isShown(row: SessionRow): boolean {
  return row.upload || row.summary !== null || !/\.(?:json|har)(\.gz|\.zstd?|\.br)?$/i.test(row.name);
}

/** Normalises a text for comparison without case and width. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
