import { defineConfig } from "@playwright/test";

const ROOT_USER = process.getuid?.() === 0;
const { CHROMIUM_PATH } = process.env;

/** A test's page runs most of its code a few times only: compiled ten times later than V8 would do it, by how often it was called, it takes an eighth less of a processor. */
const LATER_COMPILED = "--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000";

/** Takes minutes: `npm run verify browser` runs it, `npm test` does not. */
const LONG = /\/(package|recordings)\.spec\.ts$/;

/** End-to-end tests of the built app. A file runs in one worker, which starts what only that file needs; what many need is started once: see support/global-setup.ts. */
export default defineConfig({
  testDir: ".",
  projects: [
    { name: "main", testIgnore: LONG },
    { name: "long", testMatch: LONG },
  ],
  outputDir: "../test-results",
  globalSetup: "./support/global-setup.ts",
  // One more than a small machine has cores: where another program uses one of them, less of the other is its.
  workers: 3,
  // What fails once and passes then is listed as flaky; what is broken fails twice.
  retries: 1,
  // With two shared cores and a software renderer, slow does not mean broken.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    actionTimeout: 20_000,
    navigationTimeout: 40_000,
    trace: "off",
    video: "off",
    screenshot: "off",
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    launchOptions: {
      ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
      args: [LATER_COMPILED, ...(ROOT_USER ? ["--no-sandbox"] : [])],
    },
  },
});
