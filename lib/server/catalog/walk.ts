import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
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
}

/** The most files of one source. */
const MAX_FILES = 100_000;
/** The most system calls under way at once. */
const PARALLEL = 16;

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
  const start = await realFolder(source.path);
  if (start === undefined) return [];
  const walker = new Walker(source, roots);
  await walker.folder(start, "", 0);
  return walker.found;
}

class Walker {
  readonly found: FoundFile[] = [];
  readonly #source: SourceRoot;
  readonly #roots: readonly string[];
  readonly #visited = new Set<string>();

  constructor(source: SourceRoot, roots: readonly string[]) {
    this.#source = source;
    this.#roots = roots;
  }

  async folder(path: string, relative: string, depth: number): Promise<void> {
    if (this.#visited.has(path)) return;
    this.#visited.add(path);
    // A folder that we may not read has no sessions for us.
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (let at = 0; at < entries.length && this.found.length < MAX_FILES; at += PARALLEL) {
      await Promise.all(entries.slice(at, at + PARALLEL).map((entry) => this.#entry(entry, path, relative, depth)));
    }
  }

  async #entry(entry: Dirent, parent: string, above: string, depth: number): Promise<void> {
    const relative = above === "" ? entry.name : `${above}/${entry.name}`;
    const path = entry.isSymbolicLink() ? await this.#target(join(parent, entry.name)) : join(parent, entry.name);
    if (path === undefined) return;
    const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await realFolder(path)) !== undefined);
    if (isFolder) {
      if (depth < this.#source.depth) await this.folder(path, relative, depth + 1);
    } else if (this.#source.takes(relative)) await this.#file(path, relative, entry.name);
  }

  async #file(path: string, relative: string, name: string): Promise<void> {
    const info = await stat(path).catch(() => undefined); // It may be gone since it was listed.
    if (info?.isFile()) this.found.push({ relative, path, name, bytes: info.size, mtimeMs: info.mtimeMs });
  }

  /** The target of a link, if it is inside a mounted folder. */
  async #target(link: string): Promise<string | undefined> {
    const real = await realpath(link).catch(() => undefined); // The link may lead to nothing.
    return real !== undefined && this.#roots.some((root) => isInside(root, real)) ? real : undefined;
  }
}
