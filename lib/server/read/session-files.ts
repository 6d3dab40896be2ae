import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LRUCache } from "lru-cache";
import { bytesInWords } from "../base/byte-words";
import { InputError, systemCode } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { type OpenDatabase, withAgentDatabase } from "./agent-database";
import { PACKING_HEAD_BYTES, type Packing, packingOf } from "./packing";
import { SourceFile, type UnpackedContent, versionKey } from "./source-file";
import { isDatabase, type StoredAt, storedAt } from "./stored-path";

/**
 * Opens session files; compressed ones are recognised by their content, and a session of an agent's database by its path. Their unpacked content, and the
 * session's lines, go to a nameless temporary file, which disappears with the process in any case. The most recently used copies are kept, up to a limit.
 */
export class SessionFiles {
  readonly #unpacked = new LRUCache<string, UnpackedContent>({
    maxSize: LIMITS.unpackedBytes,
    sizeCalculation: (content) => Math.max(1, content.bytes),
    dispose: ({ fd }) => closeSync(fd),
  });
  readonly #unpacking = new Map<string, Promise<UnpackedContent>>();
  readonly #limit: number;

  /** @param limit maximum bytes of an unpacked file */
  constructor(limit: number = LIMITS.unpackedBytes) {
    this.#limit = limit;
  }

  /**
   * Opens the file, does the work at once and closes it. Rejects with `InputError`.
   * @param name names the file in errors: an upload's path ends in a digest
   */
  async use<T>(path: string, work: (file: SourceFile) => T, name = basename(path)): Promise<T> {
    const stored = storedAt(path);
    if (stored !== undefined) return work(await this.#stored(stored));
    const file = SourceFile.open(path, undefined, name);
    try {
      if (isDatabase(file)) return work(await this.#stored({ database: path, id: await onlySession(path, name) }));
      const packing = packingOf(file.read(0, PACKING_HEAD_BYTES), path);
      if (packing === undefined) return work(file);
      return work(file.withContent(await this.#content(path, file, packing)));
    } finally {
      file.close();
    }
  }

  /** Reads a session from its database, in its current state. */
  #stored({ database, id }: StoredAt): Promise<SourceFile> {
    return withAgentDatabase(database, ({ format, rules, query }) => {
      const [session] = rules.sessions(query, id);
      if (session === undefined) throw new InputError("not-found", `${id} is not in ${basename(database)}.`);
      const version = { bytes: session.bytes, mtimeMs: session.changedAt };
      const key = `${versionKey(version)} ${id} ${database}`;
      const content = this.#unpacked.get(key) ?? writtenLines(rules.lines(query, id), id, this.#limit);
      this.#unpacked.set(key, content);
      return SourceFile.ofStored({ name: id, version, format }, content);
    });
  }

  /** Removes the unpacked copies. */
  close(): void {
    this.#unpacked.clear();
  }

  async #content(path: string, file: SourceFile, packing: Packing): Promise<UnpackedContent> {
    const key = `${versionKey(file.version)} ${path}`;
    const known = this.#unpacked.get(key) ?? (await this.#unpacking.get(key));
    if (known !== undefined) return known;
    const unpacking = unpackedCopy(file, packing, this.#limit).finally(() => this.#unpacking.delete(key));
    this.#unpacking.set(key, unpacking);
    const content = await unpacking;
    this.#unpacked.set(key, content);
    return content;
  }
}

/** Maximum sessions of a database named in a message. */
const NAMED_SESSIONS = 10;

/** The id of a database's one session. Rejects with `InputError`, which names the newest sessions if there are several. */
function onlySession(path: string, name: string): Promise<string> {
  const named = ({ rules, query }: OpenDatabase) => {
    const sessions = [...rules.sessions(query)].sort((a, b) => b.changedAt - a.changedAt);
    const [first] = sessions;
    if (first === undefined) throw new InputError("empty", `${name} is a database without a session.`);
    if (sessions.length === 1) return first.id;
    const shown = sessions
      .slice(0, NAMED_SESSIONS)
      .map(({ id, title }) => `${id}${title === undefined ? "" : ` (${title})`}`);
    const more = sessions.length > shown.length ? `, and ${sessions.length - shown.length} older ones` : "";
    throw new InputError(
      "binary",
      `${name} is a database of ${sessions.length} sessions; name one as ${name}/ID: ${shown.join(", ")}${more}.`,
    );
  };
  return withAgentDatabase(path, named, name);
}

async function unpackedCopy(file: SourceFile, packing: Packing, limit: number): Promise<UnpackedContent> {
  // Most files are not packed, and loading the decoders takes longer than reading a small one.
  const { unpack } = await import("./unpack");
  const fd = namelessFile();
  let bytes = 0;
  try {
    const write = (part: Uint8Array) => {
      writeAll(fd, part, file.name);
      bytes += part.length;
    };
    const end = await unpack(file, packing, write, limit);
    return { fd, bytes, end };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Lines of a session as a file of this process. Throws `InputError` if they exceed the limit. */
function writtenLines(lines: Iterable<string>, name: string, limit: number): UnpackedContent {
  const fd = namelessFile();
  let bytes = 0;
  try {
    for (const line of lines) {
      const written = Buffer.from(`${line}\n`);
      bytes += written.length;
      if (bytes > limit)
        throw new InputError("too-large", `${name} is larger than the limit of ${bytesInWords(limit)}.`);
      writeAll(fd, written, name);
    }
    return { fd, bytes, end: "whole" };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** A private file of this process: opened, then removed from its folder. */
function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-"));
  try {
    return openSync(join(folder, "unpacked"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeAll(fd: number, bytes: Uint8Array, name: string): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    throw new InputError("unreadable", `${name} could not be unpacked to a temporary file (${systemCode(error)}).`);
  }
}
