import { closeSync, readSync } from "node:fs";
import { basename } from "node:path";
import { changedError, inputErrorOf } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { openRegularFile } from "../base/regular-file";
import type { UnpackingEnd } from "./packing";

/** Bytes per read: few enough to stay in the processor's cache until their lines are parsed. */
const CHUNK_BYTES = 1 << 18;

/** Distinguishes one reading of a file from another: the file's state, and the chosen format and session. */
export interface FileVersion {
  readonly bytes: number;
  readonly mtimeMs: number;
  /** The chosen format, whatever its content looks like. */
  readonly format?: string | undefined;
  /** Key of the chosen session, if the file holds several. */
  readonly session?: string | undefined;
  /** True for a bundle: numbers without texts. */
  readonly isBundle?: boolean;
}

/** A file with a write within this time may still grow. */
const GROWING_MS = 10 * 60_000;

/** True if the file's last write is so recent that it may still grow. */
export function mayGrow({ mtimeMs }: Pick<FileVersion, "mtimeMs">): boolean {
  return Date.now() - mtimeMs <= GROWING_MS;
}

/** The version as a string, for keys and entity tags. */
export function versionKey(version: FileVersion): string {
  const state = `${version.bytes.toString(36)}-${Math.round(version.mtimeMs * 1000).toString(36)}`;
  const { format, session } = version;
  if (session !== undefined) return `${state}-${format ?? ""}-${session}`;
  return format === undefined ? state : `${state}-${format}`;
}

interface FileFacts {
  readonly name: string;
  /** Absent for a session of a database. */
  readonly path?: string;
  readonly version: FileVersion;
  readonly device: number;
  readonly inode: number;
}

/** A session of a database, as if it were a file. */
interface StoredFacts extends Pick<FileFacts, "name" | "version"> {
  /** The format of its lines. */
  readonly format: string;
}

/** The unpacked part of a packed file, or a session of a database as lines. */
export interface UnpackedContent {
  /** Holds the content. `SourceFile` does not close it. */
  readonly fd: number;
  readonly bytes: number;
  readonly end: UnpackingEnd;
}

/**
 * A file that is open for reading, up to its size when it was opened, since an agent may still be writing to it. For a packed file, its content.
 * Opened read-only; close it.
 */
export class SourceFile {
  readonly name: string;
  /** The version of the file on disk, packed or not. */
  readonly version: FileVersion;
  /** Number of bytes to read. */
  readonly size: number;
  /** Outcome of unpacking; "whole" for an unpacked file. */
  readonly unpacking: UnpackingEnd;
  readonly isPacked: boolean;
  /** The format of a session from a database; absent for files, whose content decides. */
  readonly storedAs: string | undefined;
  readonly #fd: number;
  readonly #facts: FileFacts;
  #isOurs: boolean;
  #head: Uint8Array | undefined;

  private constructor(fd: number, facts: FileFacts, content?: UnpackedContent, storedAs?: string) {
    this.#fd = fd;
    this.#facts = facts;
    this.name = facts.name;
    this.version = facts.version;
    this.size = content?.bytes ?? facts.version.bytes;
    this.unpacking = content?.end ?? "whole";
    this.isPacked = content !== undefined;
    this.storedAs = storedAs;
    this.#isOurs = content === undefined;
  }

  /** The unpacked content of this file, under its name and version. */
  withContent(content: UnpackedContent): SourceFile {
    return new SourceFile(content.fd, this.#facts, content);
  }

  /** A session of a database: its content under a name and in a version of its own. */
  static ofStored({ name, version, format }: StoredFacts, content: UnpackedContent): SourceFile {
    return new SourceFile(content.fd, { name, version, device: 0, inode: 0 }, content, format);
  }

  /** The same file up to an earlier size, open as long as this one. All of a packed file. */
  upTo(bytes: number): SourceFile {
    if (this.isPacked || bytes >= this.size) return this;
    const earlier = new SourceFile(this.#fd, { ...this.#facts, version: { ...this.version, bytes } });
    earlier.#isOurs = false;
    return earlier;
  }

  /**
   * The file in an earlier version. A file that has only grown still contains it; a shrunken file does not, and neither does a changed packed file.
   * Throws `InputError` "changed".
   */
  asOf({ bytes }: FileVersion): SourceFile {
    const earlier = this.upTo(bytes);
    if (earlier.version.bytes !== bytes) throw changedError(this.name);
    return earlier;
  }

  /** Opens a regular file, to be read up to `upTo` bytes if given. Throws `InputError`, also for a pipe or a device. */
  static open(path: string, upTo: number = Number.POSITIVE_INFINITY, name = basename(path)): SourceFile {
    const { fd, stat } = openRegularFile(path);
    const version = { bytes: Math.min(stat.size, upTo), mtimeMs: stat.mtimeMs };
    return new SourceFile(fd, { name, path, version, device: stat.dev, inode: stat.ino });
  }

  /** Opens the file, does the work and closes it. */
  static use<T>(path: string, work: (file: SourceFile) => T, upTo?: number): T {
    const file = SourceFile.open(path, upTo);
    try {
      return work(file);
    } finally {
      file.close();
    }
  }

  /** The file's bytes in order. A chunk is valid until the next one is read. Ends early if the file has shrunk. Throws `InputError`. */
  *chunks(chunkBytes: number = CHUNK_BYTES, from = 0): Generator<Uint8Array, void, void> {
    if (from === 0 && chunkBytes >= this.size && this.#head?.length === this.size) {
      yield this.#head;
      return;
    }
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, this.size - from)));
    let at = from;
    while (at < this.size) {
      const got = this.#read(buffer, at, Math.min(buffer.length, this.size - at));
      if (got === 0) return;
      at += got;
      yield buffer.subarray(0, got);
    }
  }

  /** The first bytes, up to `LIMITS.documentHeadBytes`. They are read once; a short file is then not read again. Throws `InputError`. */
  get head(): Uint8Array {
    this.#head ??= this.read(0, Math.min(this.size, LIMITS.documentHeadBytes));
    return this.#head;
  }

  /** The file's path; `undefined` for a session of a database. */
  get path(): string | undefined {
    return this.#facts.path;
  }

  /** Identifies the file in the system: another file may take its place under the same name. */
  get inode(): string {
    return `${this.#facts.device}:${this.#facts.inode}`;
  }

  /** Bytes from an offset; fewer than requested only at the end of the file. Throws `InputError`. */
  read(offset: number, length: number): Uint8Array {
    const buffer = Buffer.allocUnsafe(length);
    const got = this.#read(buffer, offset, length);
    return got === length ? buffer : buffer.subarray(0, got);
  }

  /**
   * Fills a buffer from the file's beginning and returns how many bytes it read: fewer than the buffer's length only at the end of the file. Throws
   * `InputError`.
   */
  readInto(buffer: Uint8Array): number {
    return this.#read(buffer, 0, buffer.length);
  }

  #read(buffer: Uint8Array, offset: number, length: number): number {
    let filled = 0;
    try {
      while (filled < length) {
        const got = readSync(this.#fd, buffer, filled, length - filled, offset + filled);
        if (got === 0) break;
        filled += got;
      }
    } catch (error) {
      throw inputErrorOf(error, this.name);
    }
    return filled;
  }

  close(): void {
    if (this.#isOurs) closeSync(this.#fd);
  }
}
