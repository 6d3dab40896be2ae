import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { type ReadFile, readTranscript } from "@/lib/server/read/read-transcript";
import { summarise } from "../boundaries/summarise";

const FOLDER = join(process.cwd(), "..", "shared", "transcripts");

/** The recordings next to the project, and fixtures of other tools; none if the folder is absent. */
export const RECORDINGS: readonly string[] = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
      .filter((name) => /[\\/].*\.jsonl?$/.test(name))
      .map((name) => join(FOLDER, name))
  : [];

/** The reason that a test gives if there are none. */
export const NO_RECORDINGS = "recordings: the folder ../shared/transcripts is absent";

/** A file as queries see it. */
export interface ReadSession extends ReadFile {
  readonly columns: SessionColumns;
  readonly session: ReturnType<typeof summarise>;
}

const known = new Map<string, ReadSession>();

/** Reads a file once for all tests of a process: they share files, and reading takes longer than the queries. */
export function readSession(path: string): ReadSession {
  const read = known.get(path) ?? readUncached(path);
  known.set(path, read);
  return read;
}

function readUncached(path: string): ReadSession {
  const read = readTranscript(path);
  const { transcript } = read;
  return { ...read, columns: columnsFromTranscript(transcript), session: summarise(transcript, basename(path)) };
}
