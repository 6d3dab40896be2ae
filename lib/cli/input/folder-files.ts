import { stat } from "node:fs/promises";
import { folderSource } from "@/lib/server/list/files/sources";
import { storesBelow } from "@/lib/server/list/files/stores-below";
import { realFolder, walk } from "@/lib/server/list/files/walk";
import { withAgentDatabase } from "@/lib/server/read/agent-database";
import { storedPath } from "@/lib/server/read/stored-path";
import { CliError, EXIT } from "../process/exit";

/** A file to read, and whether the user named it. A file in a folder need not be a transcript. */
export interface ListedFile {
  readonly path: string;
  readonly named: boolean;
}

/**
 * Files of the given paths, sorted by path: the files themselves, and for folders every possible transcript and every session of a database below
 * them.
 */
export async function sessionFilesOf(paths: readonly string[]): Promise<readonly ListedFile[]> {
  const lists = await Promise.all(paths.map(filesAt));
  return lists.flat();
}

/** The error for paths below which no file is a session. */
export function noSessionIn(paths: readonly string[]): CliError {
  return new CliError(EXIT.unreadable, `there is no session in ${paths.join(", ")}.`);
}

async function filesAt(path: string): Promise<ListedFile[]> {
  // Reading reports a missing file.
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) return [{ path, named: true }];
  const found = await walk(folderSource(path), [(await realFolder(path)) ?? path]);
  const stored = await storedBelow(path);
  return [...found.map((file) => file.path), ...stored]
    .map((file) => ({ path: file, named: false }))
    .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** The sessions in databases below a folder, as paths. Unreadable databases are left out. */
async function storedBelow(folder: string): Promise<readonly string[]> {
  const paths = new Set((await storesBelow((await realFolder(folder)) ?? folder)).map(({ path }) => path));
  const sessions = Array.from(paths, async (database) => {
    const read = withAgentDatabase(database, ({ rules, query }) => Array.from(rules.sessions(query), ({ id }) => id));
    return (await read.catch(() => [])).map((id) => storedPath({ database, id }));
  });
  return (await Promise.all(sessions)).flat();
}
