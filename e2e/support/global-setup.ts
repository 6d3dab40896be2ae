import { setTimeout as sleep } from "node:timers/promises";
import { ensureBuilt } from "@/scripts/setup.mjs";
import { copySamples, ENGLISH, ROLLOUT } from "./files";
import { type App, type Served, startApp } from "./server";
import { writeVariedFiles } from "./varied-files";

/**
 * The servers that every file may use, by their names. They are started once, since a start and a first scan take longer than most tests.
 */
const SHARED = {
  app: () => startApp({ fill: (folder) => copySamples(folder, [ENGLISH, ROLLOUT]) }),
  emptyApp: () => startApp(),
  variedApp: async () => read(await startApp({ fill: writeVariedFiles })),
} as const;

/** Waits until every file is read, because only then are the relations known. A busy machine may end an idle connection: it is asked again. */
async function read(app: App): Promise<App> {
  for (let resets = 0; ; ) {
    try {
      const { indexing } = await (await fetch(`${app.origin}/api/sessions`)).json();
      if (indexing.total > 0 && indexing.done === indexing.total) return app;
    } catch (error) {
      if (++resets === 5) throw error;
    }
    await sleep(100);
  }
}

/** Key under which the workers, which are separate processes, find a server. */
const variable = (name: string) => `CONTEXT_REPLAY_E2E_${name}`;

/** Starts them before the first test, and ends them after the last one. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // Each of them would build missing parts, and only one can at a time.
  ensureBuilt({ pages: true });
  const started = await Promise.all(
    Object.entries(SHARED).map(async ([name, start]) => {
      const app = await start();
      process.env[variable(name)] = JSON.stringify({ origin: app.origin, folder: app.folder });
      return app;
    }),
  );
  return async () => {
    for (const app of started) await app.stop();
  };
}

/** One of the servers that were started before the first test. */
export function sharedApp(name: keyof typeof SHARED): Served {
  return JSON.parse(process.env[variable(name)] ?? "");
}
