import { replaySession } from "../insights/session-replays";
import type { JobHandlers } from "../jobs/jobs";
import { handlersOf } from "../jobs/open-jobs";
import { LocalRunner } from "../threads/local-runner";

/** Does jobs in this thread. */
export function localHandlers(runner = new LocalRunner()): JobHandlers {
  const replays = new LocalRunner(undefined, { replays: (task) => replaySession(task, runner, () => undefined) });
  return handlersOf({ run: (name, input) => (name === "replays" ? replays : runner).run(name, input) });
}
