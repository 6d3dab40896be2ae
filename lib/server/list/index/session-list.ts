import { profileOf } from "@/lib/agents/registry";
import type { SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { instant } from "@/lib/queries/wire/instant";
import type { HeadFacts } from "../../read/head";
import type { CatalogEntry } from "../files/entries";
import type { Related } from "../relations/relations";
import type { Learnt } from "./learnt";

/** What is known of a session's file. */
interface Knowledge {
  readonly indexed: Pick<Learnt, "summary" | "sparkline" | "error" | "errorCode" | "errorProgram"> | undefined;
  readonly head?: HeadFacts | undefined;
  readonly related?: Related | undefined;
  /** Its relations as an earlier row has them, instead of `related`. */
  readonly kin?: Kin | undefined;
  /** The titles of the sessions. */
  readonly titleOf?: (id: string) => string | undefined;
  /** The project that a folder's name stands for, if another session of the same folder names it. */
  readonly projectOf?: (agent: string | null, folder: string) => string | undefined;
}

/** What a row says of other sessions. */
export type Kin = Pick<SessionRow, "related" | "repeatedRequests" | "bill">;

/** A row of the list: the file, and what was learnt of it, or until then what its beginning and its place say. */
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

/** Whether a folder's name is a digest, which means nothing to a person. */
function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** The most related sessions in one row. */
const RELATED = 200;

/** A session's relations as its row has them. */
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

/** The variant by the file's place in an agent's own folder; elsewhere by its name, once its agent is known. */
function variantOf({ placed, name }: CatalogEntry, summary: SessionSummary | null): SessionRow["variant"] {
  return placed.variant ?? profileOf(summary?.agent ?? null)?.places.placed?.(name).variant ?? null;
}

/** Whether a row is shown: a `.json` or `.har` file of a mounted folder is a session only once it was recognised as one. */
export function isShown(row: SessionRow): boolean {
  return row.upload || row.summary !== null || !/\.(?:json|har)(\.gz|\.zst|\.br)?$/i.test(row.name);
}

/** Normalises a text for comparing regardless of case and width. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
