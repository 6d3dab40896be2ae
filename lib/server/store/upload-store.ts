import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { bytesInWords } from "../base/byte-words";
import { systemCode } from "../base/input-error";
import { diskRefusal, RefusedError } from "../base/refusal";
import { displayName } from "./display-name";

/** A request's facts about its file. */
export interface Incoming {
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Content-Length, if the request has one. */
  readonly length?: number | undefined;
  /** The name that the browser knows, for display only. */
  readonly name: string;
}

export interface StoredUpload {
  readonly sha256: string;
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

const TEMPORARY = ".tmp-";
/** Bytes read and discarded above the limit: a client that is cut off while sending may never see the answer. */
const DRAINED_BYTES = 64 << 20;
/** Maximum duration of an upload: an older file is a leftover, even if its writer's process id is in use again. */
const STALE_MS = 24 * 3600 * 1000;

/**
 * Uploaded files, by their content: `<sha256>`, and `<sha256>.json` with the name. A file is written under a temporary name, synced and renamed
 * before it is announced.
 */
export class UploadStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #names = new Map<string, string>();

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  get folder(): string {
    return this.#folder;
  }

  /**
   * Stores a file. Rejects with `RefusedError`: above the limit, if the number of bytes differs from the announced one, if the disk is full, and if
   * the folder is not writable.
   */
  async receive(incoming: Incoming): Promise<StoredUpload & { readonly existed: boolean }> {
    return this.#receive(incoming).catch((error: unknown) => {
      throw diskRefusal(error, "the file was not kept");
    });
  }

  async #receive(incoming: Incoming): Promise<StoredUpload & { readonly existed: boolean }> {
    if ((incoming.length ?? 0) > this.#maxBytes) throw this.#tooLarge();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `${TEMPORARY}${process.pid}-${randomUUID()}`);
    try {
      const { sha256, bytes } = await this.#write(temporary, incoming);
      checkLength(bytes, incoming.length);
      const path = join(this.#folder, sha256);
      const existed = (await exists(path)) && (await stat(path)).size === bytes;
      if (existed) await rm(temporary);
      else await rename(temporary, path);
      // A file that is sent again without a name keeps its name.
      const name = existed && incoming.name === "" ? await this.#nameOf(sha256) : displayName(incoming.name);
      await this.#writeName(sha256, name);
      await syncFolder(this.#folder);
      return { sha256, path, name, bytes, mtimeMs: (await stat(path)).mtimeMs, existed };
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async list(): Promise<StoredUpload[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    });
    const uploads: StoredUpload[] = [];
    for (const sha256 of names.filter(isDigest)) {
      const path = join(this.#folder, sha256);
      const { size, mtimeMs } = await stat(path);
      uploads.push({ sha256, path, name: await this.#nameOf(sha256), bytes: size, mtimeMs });
    }
    return uploads;
  }

  /** Removes a stored file; removing a missing one is not an error. */
  async remove(sha256: string): Promise<void> {
    if (!isDigest(sha256)) throw new RefusedError("unknown", "There is no such upload.");
    this.#names.delete(sha256);
    await rm(join(this.#folder, sha256), { force: true });
    await rm(this.#sidecar(sha256), { force: true });
  }

  /** Removes unfinished files of killed servers. */
  async removeStale(now: number): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []); // Without a folder there is nothing to remove.
    for (const name of names.filter((each) => each.startsWith(TEMPORARY))) {
      const path = join(this.#folder, name);
      const { mtimeMs } = await stat(path);
      if (now - mtimeMs > STALE_MS || !isBeingWritten(name, mtimeMs)) await rm(path, { force: true });
    }
  }

  async #write(path: string, incoming: Incoming): Promise<{ sha256: string; bytes: number }> {
    const hash = createHash("sha256");
    let bytes = 0;
    let failure: { readonly error: unknown; readonly at: number } | undefined;
    const file = await open(path, "wx", 0o600);
    try {
      for await (const chunk of incoming.body ?? []) {
        bytes += chunk.length;
        if (bytes > this.#maxBytes + DRAINED_BYTES) break;
        if (bytes > this.#maxBytes) continue;
        if (failure !== undefined && bytes > failure.at + DRAINED_BYTES) break;
        if (failure !== undefined) continue;
        hash.update(chunk);
        await writeAll(file, chunk).catch((error: unknown) => {
          failure = { error, at: bytes };
        });
      }
      if (failure !== undefined) throw failure.error;
      if (bytes > this.#maxBytes) throw this.#tooLarge();
      await file.sync();
    } finally {
      await file.close();
    }
    return { sha256: hash.digest("hex"), bytes };
  }

  async #writeName(sha256: string, name: string): Promise<void> {
    const temporary = join(this.#folder, `${TEMPORARY}${process.pid}-${randomUUID()}`);
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify({ name }));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.#sidecar(sha256));
    this.#names.set(sha256, name);
  }

  async #nameOf(sha256: string): Promise<string> {
    const known = this.#names.get(sha256);
    if (known !== undefined) return known;
    const name = await readName(this.#sidecar(sha256));
    this.#names.set(sha256, name);
    return name;
  }

  #sidecar(sha256: string): string {
    return join(this.#folder, `${sha256}.json`);
  }

  #tooLarge(): RefusedError {
    return new RefusedError(
      "too-large",
      `The file is larger than the limit for uploads, ${bytesInWords(this.#maxBytes)}.`,
    );
  }
}

async function readName(sidecar: string): Promise<string> {
  try {
    const value: unknown = JSON.parse(await readFile(sidecar, "utf8"));
    const name = typeof value === "object" && value !== null && "name" in value ? value.name : undefined;
    return displayName(typeof name === "string" ? name : "");
  } catch {
    // The name is for display only: without it the file is shown under a neutral one.
    return displayName("");
  }
}

function checkLength(received: number, announced: number | undefined): void {
  if (announced !== undefined && received !== announced) {
    throw new RefusedError(
      "malformed",
      `${received} bytes of ${announced} arrived: the upload was cut off. Send the file again.`,
    );
  }
  if (received === 0) throw new RefusedError("malformed", "The file is empty.");
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
}

/** True if the process in a temporary file's name may still write to it. */
function isBeingWritten(name: string, mtimeMs: number): boolean {
  const pid = Number(/^\.tmp-(\d{1,9})-/.exec(name)?.[1]);
  if (!(pid > 0)) return true; // Named by an earlier release, without a process id: its age alone decides whether it is a leftover.
  // In containers, an earlier server may have had the same process id.
  if (pid === process.pid) return mtimeMs >= performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

/** Makes the new names durable, if the system can sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined; // Whatever the reason, it cannot be used.
}

function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}
