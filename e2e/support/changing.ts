import { copySamples, ENGLISH, ROLLOUT } from "./files";
import { test as base } from "./fixtures";
import { type App, startApp } from "./server";

/** For tests that put files into the list: the same pages on a server of their own. */
export const test = base.extend<object, { readonly app: App }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the fixtures destructured
    async ({}, use) => {
      const app = await startApp({ fill: (folder) => copySamples(folder, [ENGLISH, ROLLOUT]) });
      await use(app);
      await app.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});
