import { sumOf } from "@/lib/core/base/numbers";
import type { Bytes } from "@/lib/core/base/units";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import { programRoot } from "../process/root";
import { fileBytes } from "./file-bytes";
import { givenPolicies } from "./own-policy-files";

/** File bytes times points. Below this, reading and replaying takes less time than a thread needs to load its modules. */
const HERE_BYTES: Bytes = 8 << 20;

/** Runner that reads files and replays sweep points: threads, or this thread if there is little to do. The user's own policies always run in threads. */
export async function replayingRunner(paths: readonly string[], points: number): Promise<TaskRunner> {
  if (givenPolicies().length > 0 || isMuch(paths, points)) {
    const { PoolRunner } = await import("@/lib/server/threads/pool");
    return new PoolRunner(programRoot(), { policies: givenPolicies });
  }
  const [{ LocalRunner }, { replaySession }] = await Promise.all([
    import("@/lib/server/threads/local-runner"),
    import("@/lib/server/insights/session-replays"),
  ]);
  const runner: TaskRunner = new LocalRunner(undefined, {
    replays: (task) => replaySession(task, runner, () => undefined),
  });
  return runner;
}

function isMuch(paths: readonly string[], points: number): boolean {
  return sumOf(paths.map((path) => fileBytes(path) ?? HERE_BYTES)) * points >= HERE_BYTES;
}
