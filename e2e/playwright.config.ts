import { defineConfig } from "@playwright/test";

const ROOT_USER = process.getuid?.() === 0;
const { CHROMIUM_PATH } = process.env;

/** A test's page runs most of its code only a few times: with a ten times higher threshold of V8's compiler it needs an eighth less processor time. */
const LATER_COMPILED = "--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000";

/** Takes minutes: `npm run verify browser` runs it, `npm test` does not. */
const LONG = /\/(package|recordings)\.spec\.ts$/;

/**
 * End-to-end tests of the built app. A file runs in one worker, which starts servers only for that file; shared servers are started once: see
 * support/global-setup.ts.
 */
export default defineConfig({
  testDir: ".",
  projects: [
    { name: "main", testIgnore: LONG },
    { name: "long", testMatch: LONG },
  ],
  outputDir: "../test-results",
  globalSetup: "./support/global-setup.ts",
  // One more than a small machine has cores: if another program uses one of them, the others are fully used.
  workers: 3,
  // A test that fails once and then passes is listed as flaky; a broken one fails twice.
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
