import { type BrowserContext, test as base } from "@playwright/test";
import { SessionPage } from "../pages/session";
import { SessionListPage } from "../pages/session-list";
import { expect } from "./expect";
import { notFirstVisit } from "./first-visit";
import { sharedApp } from "./global-setup";
import type { App, Served } from "./server";
import { type Words, wordsOf } from "./words";

interface TestFixtures {
  /** A server with two sessions in its folder. All tests share it, so none changes its list: see `testOnApp`. */
  readonly app: Served;
  /** A server without own sessions, shared in the same way. */
  readonly emptyApp: Served;
  /** The texts of the interface in the test's language. */
  readonly words: Words;
  readonly list: SessionListPage;
  readonly session: SessionPage;
  /** Console errors that a test causes on purpose. */
  readonly expectedErrors: RegExp[];
  readonly watched: undefined;
  /** True if the hints of a first visit are shown. */
  readonly isFirstVisit: boolean;
}

export const test = base.extend<TestFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the fixtures destructured
  app: async ({}, use) => use(sharedApp("app")),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the fixtures destructured
  emptyApp: async ({}, use) => use(sharedApp("emptyApp")),
  words: async ({ locale }, use) => use(wordsOf(locale)),
  list: async ({ page, app, words }, use) => use(new SessionListPage(page, app, words)),
  session: async ({ page, app, words }, use) => use(new SessionPage(page, app, words)),
  isFirstVisit: [false, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the fixtures destructured
  expectedErrors: async ({}, use) => use([]),
  watched: [
    async ({ context, expectedErrors, isFirstVisit }, use) => {
      const seen = watch(context);
      if (!isFirstVisit) await notFirstVisit(context);
      await use(undefined);
      const unexpected = seen.filter((line) => !expectedErrors.some((expected) => expected.test(line)));
      expect(unexpected, "no error, no dialog, no request to elsewhere").toEqual([]);
    },
    { auto: true },
  ],
});

/** Tests on the server with sessions of many kinds, which is shared too: see `writeVariedFiles`. */
export const testOnVaried = test.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the fixtures destructured
  app: async ({}, use) => use(sharedApp("variedApp")),
});

/**
 * Tests of a file with a server of its own, which is started before the first of them. It is not a worker fixture: each of those would get its own
 * worker and browser.
 */
export function testOnApp(start: () => Promise<App>) {
  let started: App | undefined;
  const own = test.extend<{ readonly app: App }>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the fixtures destructured
    app: async ({}, use) => {
      if (started === undefined) throw new Error("the server has not started");
      await use(started);
    },
  });
  own.beforeAll(async () => {
    own.setTimeout(120_000);
    started = await start();
  });
  own.afterAll(() => started?.stop());
  return own;
}

export { expect };

/** Collects everything that no test may cause: requests that leave the machine, errors, refused content and dialogs. */
function watch(context: BrowserContext): string[] {
  const seen: string[] = [];
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && hostname !== "127.0.0.1")
      seen.push(`request to ${request.url()}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error") seen.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (error) => seen.push(`page error: ${error.error().message}`));
  context.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return seen;
}
