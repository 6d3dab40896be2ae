import { OpenedSession } from "@/lib/server/opened-session";
import { LocalRunner, type TaskRunner } from "@/lib/server/tasks";
import { withInputFile } from "./standard-input";

/** What is read of a file: the options of every command that reads sessions. */
export interface ReadingOptions {
  /** The format that the file is read as; without it the content decides. */
  readonly format?: string;
  /** The session that is read, where the file holds several; without it all of them. */
  readonly session?: string;
}

/** How it is counted: the options of the commands that look into a session. */
export interface CountingOptions {
  readonly estimator?: string;
  readonly window?: number;
  /** File of a context profile. */
  readonly overhead?: string;
}

/** A file, the format that it is to be read as, and which of its sessions. */
export interface SessionFile {
  readonly file: string;
  readonly format: string | undefined;
  readonly session: string | undefined;
}

/** Reads one session and does the work on it. Rejects with `InputError`. */
export function withSession<T>(
  file: string | SessionFile,
  work: (session: OpenedSession) => Promise<T>,
  runner: TaskRunner = new LocalRunner(),
): Promise<T> {
  const { file: given, ...choice } = typeof file === "string" ? { file } : file;
  return withInputFile(given, async ({ path, name }) =>
    work(new OpenedSession(path, await runner.ingest({ path, name, ...choice }), runner)),
  );
}
