import { OpenedSession } from "@/lib/server/opened-session";
import { LocalRunner, type TaskRunner } from "@/lib/server/tasks";
import { withInputFile } from "./standard-input";

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
