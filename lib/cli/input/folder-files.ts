import { stat } from "node:fs/promises";
import { folderSource } from "@/lib/server/list/files/sources";
import { realFolder, walk } from "@/lib/server/list/files/walk";

/** A file to read, and whether the user named it. A file in a folder need not be a transcript. */
export interface ListedFile {
  readonly path: string;
  readonly named: boolean;
}

/** Files of the given paths: files as they are, and for folders every possible transcript below them, sorted by path. */
export async function sessionFilesOf(paths: readonly string[]): Promise<readonly ListedFile[]> {
  const lists = await Promise.all(paths.map(filesAt));
  return lists.flat();
}

async function filesAt(path: string): Promise<ListedFile[]> {
  // Reading reports a missing file.
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) return [{ path, named: true }];
  const found = await walk(folderSource(path), [(await realFolder(path)) ?? path]);
  return found
    .map((file) => ({ path: file.path, named: false }))
    .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}
