import { replaySession } from "../insights/session-replays";
import type { JobHandlers } from "../jobs/jobs";
import { handlersOf } from "../jobs/open-jobs";
import { LocalRunner } from "../threads/local-runner";

/** Does jobs in this thread. */
export function localHandlers(runner = new LocalRunner()): JobHandlers {
  return handlersOf({
    ingest: (task) => runner.ingest(task),
    replays: (task) => replaySession(task, runner, () => undefined),
  });
}
