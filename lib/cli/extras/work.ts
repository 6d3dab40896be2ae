import { availableParallelism } from "node:os";
import { join } from "node:path";
import { countText } from "@/lib/core/base/number-text";
import { configFrom } from "@/lib/server/base/config";
import { makerOf } from "@/lib/server/base/made-by";
import { ownPricesText } from "@/lib/server/base/prices";
import { JobWorker } from "@/lib/server/jobs/job-worker";
import { handlersOf, openQueue } from "@/lib/server/jobs/open-jobs";
import { PoolRunner } from "@/lib/server/threads/pool";
import { CliError, EXIT, type ExitCode, say } from "../process/exit";
import { programRoot } from "../process/root";

export interface WorkOptions {
  /** Maximum number of parallel jobs. */
  readonly threads?: number;
}

/** Time that running jobs have after a signal before they are returned to the queue. */
const PATIENCE_MS = 5000;

/** `work`: runs jobs of the database in CONTEXT_REPLAY_DATABASE for the servers that use it, until a signal ends it. */
export async function work({ threads = availableParallelism() }: WorkOptions): Promise<ExitCode> {
  const address = process.env.CONTEXT_REPLAY_DATABASE;
  if (!address) {
    throw new CliError(
      EXIT.badArguments,
      "CONTEXT_REPLAY_DATABASE has to name the database: postgres://USER@HOST/NAME",
    );
  }
  const root = programRoot();
  const runner = new PoolRunner(root, { background: true, threads });
  const madeBy = makerOf(root, ownPricesText());
  const { dataDir, cacheBytes: maxBytes } = configFrom(process.env);
  const handlers = handlersOf(runner, () => ({ folder: join(dataDir, "opened"), maxBytes, madeBy }));
  const queue = await openQueue(address, handlers, { madeBy }).catch((error: unknown) => {
    // The message may contain the address, and with it a password.
    const reason = error instanceof Error && "code" in error ? `: ${String(error.code)}` : "";
    throw new CliError(EXIT.unreadable, `the database of CONTEXT_REPLAY_DATABASE does not take jobs${reason}`);
  });
  let done = 0;
  const worker = new JobWorker(queue, handlers, { atOnce: threads, onDone: () => (done += 1) });
  say(`working, ${threads} jobs at a time; end with Ctrl+C`);
  await signalled();
  await worker.close(PATIENCE_MS);
  await queue.close();
  await runner.close();
  say(`${countText(done)} jobs done`);
  return EXIT.done;
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    // Worker loops do not keep the process alive.
    const alive = setInterval(() => undefined, 60_000);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve();
      });
    }
  });
}
