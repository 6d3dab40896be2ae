import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SourceProblem } from "@/lib/queries/contract/schemas";
import { problemCode } from "./source-problems";
import { isInside, type SourceRoot } from "./sources";

/** A file that a source lists. */
export interface FoundFile {
  /** Path below the source, with `/`. */
  readonly relative: string;
  /** Real path, without links. */
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Identifies the file in the system: another file may take its place under the same name. */
  readonly inode: string;
}

/** The most files of one source. */
const MAX_FILES = 100_000;
/** The most system calls under way at once. */
const PARALLEL = 16;
/** How many files are told of at once. */
const PART = 200;

/** Real path of a folder that exists, else `undefined`. */
export async function realFolder(path: string): Promise<string | undefined> {
  // A folder that is absent, or that we may not read, does not exist for us.
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && (await stat(real).catch(() => undefined))?.isDirectory() ? real : undefined;
}

/**
 * The files of a source. Links are followed only to what is inside one of the roots. What cannot be read is left out.
 * @param roots real paths of every mounted folder
 */
export async function walk(source: SourceRoot, roots: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const onFound = async (files: readonly FoundFile[]) => {
    for (const file of files) found.push(file);
  };
  await walkInParts(source, roots, { onFound });
  return found;
}

/** A folder that a source searches. */
export interface WalkedFolder {
  /** Real path. */
  readonly path: string;
  /** Path below the source, with `/`; empty for the source itself. */
  readonly relative: string;
  /** How many levels it is below the source. */
  readonly depth: number;
}

interface WalkListener {
  /** Takes files as they are found. The walk goes on when the promise resolves. */
  readonly onFound: (files: readonly FoundFile[]) => Promise<void>;
  /** Is told of every folder before its names are read. */
  readonly onFolder?: (folder: WalkedFolder) => void;
}

/**
 * The same, told part by part as files are found: those of the folder that changed last come first.
 * Returns what could not be looked at.
 */
export async function walkInParts(
  source: SourceRoot,
  roots: readonly string[],
  listener: WalkListener,
): Promise<readonly SourceProblem[]> {
  const start = await realFolder(source.path);
  if (start === undefined) return [];
  const walker = new Walker(source, roots, listener);
  await walker.walk({ path: start, relative: "", depth: 0 });
  return walker.problems;
}

/** Looks again at one name in a folder that was walked: tells of the file, or of everything below the folder, that is there now. */
export async function lookAgain(
  source: SourceRoot,
  roots: readonly string[],
  at: { readonly folder: WalkedFolder; readonly name: string },
  listener: WalkListener,
): Promise<readonly SourceProblem[]> {
  const walker = new Walker(source, roots, listener);
  await walker.look(at.folder, at.name);
  return walker.problems;
}

/** A folder that is still to be searched. */
interface Below extends WalkedFolder {
  readonly mtimeMs: number;
}

/** A name in a folder, and what it stands for. */
type Named = Pick<Dirent, "name" | "isDirectory" | "isSymbolicLink">;

class Walker {
  #found: FoundFile[] = [];
  #count = 0;
  readonly #listener: WalkListener;
  readonly #source: SourceRoot;
  readonly #roots: readonly string[];
  readonly #visited = new Set<string>();
  /** What could not be looked at. */
  readonly problems: SourceProblem[] = [];

  constructor(source: SourceRoot, roots: readonly string[], listener: WalkListener) {
    this.#source = source;
    this.#roots = roots;
    this.#listener = listener;
  }

  async walk(folder: WalkedFolder): Promise<void> {
    await this.#folder(folder);
    await this.#tell();
  }

  async look(folder: WalkedFolder, name: string): Promise<void> {
    const info = await lstat(join(folder.path, name)).catch(() => undefined); // It has gone, or is gone again.
    const folderThere = info === undefined ? undefined : await this.#entry(Object.assign(info, { name }), folder);
    if (folderThere === undefined) await this.#tell();
    else await this.walk(folderThere);
  }

  async #folder(folder: WalkedFolder): Promise<void> {
    const { path, relative } = folder;
    if (this.#visited.has(path)) return;
    this.#visited.add(path);
    this.#listener.onFolder?.(folder);
    // A folder that we may not read has no sessions for us.
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) =>
      this.#failed(error, relative),
    );
    const inside: Below[] = [];
    for (let at = 0; at < entries.length && this.#count < MAX_FILES; at += PARALLEL) {
      const part = entries.slice(at, at + PARALLEL);
      const folders = await Promise.all(part.map((entry) => this.#entry(entry, folder)));
      for (const next of folders) if (next !== undefined) inside.push(next);
      if (this.#found.length >= PART) await this.#tell();
    }
    for (const next of inside.sort((a, b) => b.mtimeMs - a.mtimeMs)) await this.#folder(next);
  }

  async #tell(): Promise<void> {
    const found = this.#found;
    this.#found = [];
    if (found.length > 0) await this.#listener.onFound(found);
  }

  /** Takes a file, or returns the folder that it is. */
  async #entry(entry: Named, { path: parent, relative: above, depth }: WalkedFolder): Promise<Below | undefined> {
    const relative = below(above, entry.name);
    const path = entry.isSymbolicLink() ? await this.#target(parent, entry.name, relative) : join(parent, entry.name);
    if (path === undefined) return undefined;
    const mayBeFolder = entry.isDirectory() || entry.isSymbolicLink();
    if (!mayBeFolder && !this.#source.takes(relative)) return undefined;
    const info = await stat(path).catch(() => undefined); // It may be gone since it was listed.
    if (info?.isDirectory()) {
      return depth < this.#source.depth ? { path, relative, depth: depth + 1, mtimeMs: info.mtimeMs } : undefined;
    }
    if (info?.isFile() && this.#count < MAX_FILES && this.#source.takes(relative)) {
      this.#count += 1;
      if (this.#count === MAX_FILES) this.problems.push({ code: "too-many", path: relative });
      const { size: bytes, mtimeMs, dev, ino } = info;
      this.#found.push({ relative, path, name: entry.name, bytes, mtimeMs, inode: `${dev}:${ino}` });
    }
    return undefined;
  }

  /** The target of a link, if it is inside a mounted folder and does not lead back above itself. */
  async #target(parent: string, name: string, relative: string): Promise<string | undefined> {
    const real = await realpath(join(parent, name)).catch((error: unknown) => {
      this.#failed(error, relative); // The link may lead to nothing.
      return undefined;
    });
    if (real === undefined) return undefined;
    if (isInside(real, parent)) {
      this.problems.push({ code: "cycle", path: relative });
      return undefined;
    }
    if (this.#roots.some((root) => isInside(root, real))) return real;
    if (this.#source.takes(relative) || (await realFolder(real)) !== undefined) {
      this.problems.push({ code: "outside", path: relative });
    }
    return undefined;
  }

  /** Notes what an error means; there is nothing to go on with. */
  #failed(error: unknown, path: string): [] {
    const code = problemCode(error);
    if (code !== undefined) this.problems.push({ code, path });
    return [];
  }
}

/** The path of a name in a folder, both below a source. */
export function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
