import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SourceProblem } from "@/lib/queries/contract/schemas";
import { problemCode } from "./source-problems";
import { isInside, type SourceRoot } from "./sources";

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

/** Maximum files per source. */
const MAX_FILES = 100_000;
/** Maximum concurrent system calls. */
const PARALLEL = 16;
/** Files per report. */
const PART = 200;

/** Real path of an existing folder, else `undefined`. */
export async function realFolder(path: string): Promise<string | undefined> {
  // A missing or unreadable folder counts as missing.
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && (await stat(real).catch(() => undefined))?.isDirectory() ? real : undefined;
}

/**
 * The files of a source. Links are followed only inside the roots. Unreadable paths are skipped.
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

/** A searched folder of a source. */
export interface WalkedFolder {
  /** Real path. */
  readonly path: string;
  /** Path below the source, with `/`; empty for the source itself. */
  readonly relative: string;
  /** Depth below the source. */
  readonly depth: number;
}

interface WalkListener {
  /** Receives files as they are found. The walk continues after the promise resolves. */
  readonly onFound: (files: readonly FoundFile[]) => Promise<void>;
  /** Is called for every folder before its names are read. */
  readonly onFolder?: (folder: WalkedFolder) => void;
}

/** Reports files in parts as they are found, starting with the most recently changed folder. Returns unreadable paths. */
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

/** Re-checks one name in a walked folder: reports the file, or everything below the folder. */
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

/** A folder in the queue. */
interface Below extends WalkedFolder {
  readonly mtimeMs: number;
}

/** A name in a folder, and its kind. */
type Named = Pick<Dirent, "name" | "isDirectory" | "isSymbolicLink">;

class Walker {
  #found: FoundFile[] = [];
  #count = 0;
  readonly #listener: WalkListener;
  readonly #source: SourceRoot;
  readonly #roots: readonly string[];
  readonly #visited = new Set<string>();
  /** Unreadable paths. */
  readonly problems: SourceProblem[] = [];

  constructor(source: SourceRoot, roots: readonly string[], listener: WalkListener) {
    this.#source = source;
    this.#roots = roots;
    this.#listener = listener;
  }

  async walk(folder: WalkedFolder): Promise<void> {
    await this.#folder(folder);
    await this.#report();
  }

  async look(folder: WalkedFolder, name: string): Promise<void> {
    const info = await lstat(join(folder.path, name)).catch(() => undefined); // The path vanished.
    const folderThere = info === undefined ? undefined : await this.#entry(Object.assign(info, { name }), folder);
    if (folderThere === undefined) await this.#report();
    else await this.walk(folderThere);
  }

  async #folder(folder: WalkedFolder): Promise<void> {
    const { path, relative } = folder;
    if (this.#visited.has(path)) return;
    this.#visited.add(path);
    this.#listener.onFolder?.(folder);
    // An unreadable folder counts as empty.
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) =>
      this.#failed(error, relative),
    );
    const inside: Below[] = [];
    for (let at = 0; at < entries.length && this.#count < MAX_FILES; at += PARALLEL) {
      const part = entries.slice(at, at + PARALLEL);
      const folders = await Promise.all(part.map((entry) => this.#entry(entry, folder)));
      for (const next of folders) if (next !== undefined) inside.push(next);
      if (this.#found.length >= PART) await this.#report();
    }
    for (const next of inside.sort((a, b) => b.mtimeMs - a.mtimeMs)) await this.#folder(next);
  }

  async #report(): Promise<void> {
    const found = this.#found;
    this.#found = [];
    if (found.length > 0) await this.#listener.onFound(found);
  }

  /** Reports a file, or returns a folder. */
  async #entry(entry: Named, { path: parent, relative: above, depth }: WalkedFolder): Promise<Below | undefined> {
    const relative = below(above, entry.name);
    const path = entry.isSymbolicLink() ? await this.#target(parent, entry.name, relative) : join(parent, entry.name);
    if (path === undefined) return undefined;
    const mayBeFolder = entry.isDirectory() || entry.isSymbolicLink();
    if (!mayBeFolder && !this.#source.takes(relative)) return undefined;
    const info = await stat(path).catch(() => undefined); // The path may have vanished since it was listed.
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
      this.#failed(error, relative); // The link may be broken.
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

  /** Records an error's meaning; the path is skipped. */
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
