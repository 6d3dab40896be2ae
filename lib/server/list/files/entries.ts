import type { Placed } from "@/lib/agents/shared/places";
import type { StoredSession } from "@/lib/agents/shared/session-database";
import { digest } from "../../base/digest";
import { type FileVersion, versionKey } from "../../read/source-file";
import { storedPath } from "../../read/stored-path";
import type { StoredUpload } from "../../store/upload-store";
import type { SourceRoot } from "./sources";
import type { FoundStore } from "./stores";
import type { FoundFile } from "./walk";

/** A session's file in the catalog. */
export interface CatalogEntry {
  /** Opaque: never parsed. */
  readonly id: string;
  readonly source: string;
  readonly kind: SourceRoot["kind"] | "upload" | "database";
  /** The source's agent; only a guess until the file is read. */
  readonly agent: string | null;
  /** For a session in a database, as if that were a folder. */
  readonly path: string;
  readonly name: string;
  readonly version: FileVersion;
  /** Identifies the file in the system; absent for uploads, which their content identifies, and for sessions in databases. */
  readonly inode?: string;
  /** Facts from its path. */
  readonly placed: Placed;
  /** Facts from its agent's own session index. */
  readonly title?: string;
  /** Digest of an upload's content. */
  readonly sha256?: string;
}

/** The source of uploads. */
export const UPLOADS = "uploads";

interface IdParts {
  /** The file's own id. */
  readonly file: string;
  /** The format to read it as. */
  readonly format: string | undefined;
  /** The session in the file. */
  readonly session: string | undefined;
}

/** Splits an id into its parts. A file's id never contains a `~`, because base64url does not. */
export function partsOf(id: string): IdParts {
  const [file = "", format = "", session = ""] = id.split("~", 3);
  return { file, format: format === "" ? undefined : format, session: session === "" ? undefined : session };
}

/** The version of an entry's file as a key. */
export function entryKey(entry: CatalogEntry): string {
  return `${entry.id} ${versionKey(entry.version)}`;
}

/** The id of a file that a source lists. @param relative its path below the source, with `/` */
export function fileId(source: SourceRoot, relative: string): string {
  return digest(`${source.id}\0${relative}`);
}

export function fileEntry(source: SourceRoot, file: FoundFile): CatalogEntry {
  return {
    id: fileId(source, file.relative),
    source: source.id,
    kind: source.kind,
    agent: source.agent,
    path: file.path,
    name: file.name,
    version: { bytes: file.bytes, mtimeMs: file.mtimeMs },
    inode: file.inode,
    placed: source.placed?.(file.relative) ?? {},
  };
}

export function uploadEntry(upload: StoredUpload): CatalogEntry {
  return {
    id: Buffer.from(upload.sha256, "hex").subarray(0, 16).toString("base64url"),
    source: UPLOADS,
    kind: "upload",
    agent: null,
    path: upload.path,
    name: upload.name,
    version: { bytes: upload.bytes, mtimeMs: upload.mtimeMs },
    placed: {},
    sha256: upload.sha256,
  };
}

/** A session in a database. */
export function storedEntry(store: FoundStore, { id, bytes, changedAt, title, placed }: StoredSession): CatalogEntry {
  return {
    id: digest(`${store.id}\0${id}`),
    source: store.id,
    kind: "database",
    agent: store.agent,
    path: storedPath({ database: store.path, id }),
    name: id,
    version: { bytes, mtimeMs: changedAt },
    placed,
    ...(title === undefined ? {} : { title }),
  };
}
