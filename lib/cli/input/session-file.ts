import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import { policyThreads } from "./own-policy-files";
import { withInputFile } from "./standard-input";

/** Options of every command that reads sessions. */
export interface ReadingOptions {
  /** The file's format; default: detected from its content. */
  readonly format?: string;
  /** The session to read if the file holds several; default: all of them. */
  readonly session?: string;
}

/** Counting options of the commands about one session. */
export interface CountingOptions {
  readonly estimator?: string;
  readonly window?: number;
  /** A file with a context profile. */
  readonly overhead?: string;
}

/** Reads one session and passes it to `work`. Rejects with `InputError`. */
export function withSession<T>(
  file: string,
  { format, session }: ReadingOptions,
  work: (session: OpenedSession, path: string, runner: TaskRunner) => Promise<T>,
  given?: TaskRunner,
): Promise<T> {
  return withInputFile(file, async ({ path, name }) => {
    const runner = given ?? (await policyThreads()) ?? new LocalRunner();
    return work(
      new OpenedSession(path, await runner.run("ingest", { path, name, format, session }), runner),
      path,
      runner,
    );
  });
}
