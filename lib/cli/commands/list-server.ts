import { statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SessionPage } from "@/lib/queries/contract/schemas";
import { configFrom } from "@/lib/server/base/config";
import { isRefused } from "@/lib/server/base/refusal";
import { isInside } from "@/lib/server/list/files/sources";
import { listQuery } from "@/lib/server/list/list-query";
import { AppServer } from "@/lib/server/server";
import { CliError, EXIT, type ExitCode, say } from "../process/exit";
import { programRoot } from "../process/root";
import { startProgress } from "../text/progress";

/** Interval between checks that all files are read, in milliseconds. */
const CHECK_MS = 100;

/** Options of commands about many sessions. */
export interface ListOptions {
  /** Conditions, as `GET /api/sessions` takes them. */
  readonly where?: readonly string[];
  /** The time zone of days; default: `TZ`, else the system's. */
  readonly tz?: string;
  /** Words that must all occur. */
  readonly search?: string;
  readonly json?: boolean;
}

/** Updates the list, runs one query on it and ends. Reports unreadable folders and continues. Rejects with `CliError` for an invalid query. */
export async function withList(
  dirs: readonly string[],
  { where = [] }: ListOptions,
  ask: (server: AppServer) => Promise<void>,
): Promise<ExitCode> {
  const missing = dirs.filter((dir) => !isFolder(dir));
  for (const dir of missing) say(`${dir} is not a readable folder.`);
  const samples = where.some((condition) => condition.startsWith("sample"));
  const server = new AppServer({ ...configFrom(process.env), root: programRoot(), dirs, samples });
  try {
    await indexed(server);
    await reportEmptyFolders(
      server,
      dirs.filter((dir) => !missing.includes(dir)),
    );
    await ask(server);
    return missing.length === 0 ? EXIT.done : EXIT.unreadable;
  } catch (error) {
    throw isRefused(error) ? new CliError(EXIT.badArguments, error.message) : error;
  } finally {
    await server.close();
  }
}

/** Names folders without sessions: an empty answer alone could also mean that nothing matches. */
async function reportEmptyFolders(server: AppServer, dirs: readonly string[]): Promise<void> {
  const read = async (...where: string[]) => (await server.listing.count({ where: ["state=read", ...where] })) > 0;
  if (dirs.length === 0) {
    if (!(await read())) say("There are no sessions.");
    return;
  }
  const sources = await server.listing.sources();
  for (const dir of dirs) {
    // A database in the folder is a separate source.
    const below = sources.filter(({ path }) => isInside(resolve(dir), path)).map(({ id }) => `source=${id}`);
    if (below.length > 0 && !(await read(...below))) say(`There are no sessions in ${dir}.`);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // The path is missing or unreadable.
  }
}

/** Resolves when all new and changed files are read. */
async function indexed(server: AppServer): Promise<void> {
  const query = listQuery.parse({ limit: 1 });
  const first: SessionPage = read(await server.listing.list(query));
  const progress = await startProgress("reading", first.indexing.total - first.indexing.done);
  let before = first.indexing.done;
  for (let indexing = first.indexing; indexing.done < indexing.total; indexing = server.listing.indexing()) {
    progress.step(Math.max(0, indexing.done - before));
    before = Math.max(before, indexing.done);
    await delay(CHECK_MS);
  }
  progress.end();
}

/** Parses a JSON answer of the server. */
export function read<T>(answer: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(answer)); // The contract guarantees the type.
}
