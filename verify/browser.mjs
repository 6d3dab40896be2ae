// The end-to-end tests that `npm test` omits, because they take minutes: the packed package, and every recording in the browser.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { findBrowser, NO_BROWSER } from "../scripts/browser.mjs";
import { ROOT } from "../scripts/setup.mjs";

const CHROMIUM_PATH = await findBrowser();
if (CHROMIUM_PATH === undefined) {
  console.error(NO_BROWSER);
  process.exit(1);
}
const playwright = path.join(ROOT, "node_modules", "@playwright", "test", "cli.js");
const args = [playwright, "test", "-c", "e2e/playwright.config.ts", "--project", "long"];
const { status } = spawnSync(process.execPath, args, {
  cwd: ROOT,
  stdio: "inherit",
  env: { ...process.env, CHROMIUM_PATH },
});
process.exitCode = status ?? 1;
