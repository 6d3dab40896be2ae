#!/usr/bin/env node
// Runs every check of the project, continues after a failure and ends with one plain line.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findBrowser, NO_BROWSER } from "./browser.mjs";
import { ensureInstalled, ROOT, say } from "./setup.mjs";

ensureInstalled();
// Installing a browser takes a while; most of it happens during the other tests.
const browser = findBrowser();
const reports = mkdtempSync(path.join(tmpdir(), "context-replay-test-"));
/** Builds in a separate process, so that its output comes in one piece and a failure of it does not end this one. */
const BUILD = 'import { ensureBuilt } from "./scripts/setup.mjs"; ensureBuilt({ pages: true });';
/** No build cache is written if none exists: writing takes a quarter of a build. */
const ONCE = existsSync(path.join(ROOT, ".next", "cache")) ? {} : { CONTEXT_REPLAY_BUILDS_ONCE: "yes" };
const totals = { passed: 0, failed: 0, skipped: 0 };

// Tests that put modules among the sources run when no other test reads them. The other tests share the cores with all checks that need no browser.
await unitTests("a test that plants modules", ["planting"]);
const units = unitTests("unit and property tests", ["alone", "shared"]);
check("formatting and lint", "biome", ["check", "."]);
check("route types", "next", ["typegen"]);
// Several threads would each read the shared files, and the other cores run the unit tests.
check("types", "tsc", ["--noEmit", "--incremental", "false", "--singleThreaded"]);
check("types of lib/core, without Node and DOM names", "tsc", ["--noEmit", "-p", "lib/core"]);
check("import directions", process.execPath, [".ci/check-imports.mjs"]);
check("unused files, exports and packages", "knip", []);
check("words in comments", process.execPath, [".ci/words.mjs"]);
check("sizes, and folders that import each other", process.execPath, ["scripts/sizes.mjs"]);
const isBuilt = check("production build", process.execPath, ["--input-type=module", "-e", BUILD], ONCE);
await units;
if (isBuilt) await endToEndTests();

rmSync(reports, { recursive: true, force: true });
if (totals.skipped > 0)
  process.stdout.write(`${totals.skipped} skipped: what they need is absent, as each says above\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

/** Runs a check that counts as one test, prints its result in one piece, and returns true if it passed. */
function check(title, command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(fileOf(command), args, {
    ...options(command, env),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const passed = status === 0;
  say(`${title}: ${passed ? "passed" : "FAILED"}\n${stdout}${stderr}`.trimEnd());
  totals[passed ? "passed" : "failed"] += 1;
  return passed;
}

/** Starts the tests of some projects of vitest.config.ts, and counts them when they have ended. */
async function unitTests(title, projects) {
  say(title);
  const file = path.join(reports, `${projects[0]}.json`);
  const chosen = projects.flatMap((name) => ["--project", name]);
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const status = await execute("vitest", ["run", ...chosen, ...output]);
  const report = readReport(file);
  count(report?.numPassedTests, report?.numFailedTests, report?.numPendingTests, status);
}

async function endToEndTests() {
  say("end-to-end tests of the built app");
  const found = await browser;
  if (found === undefined) {
    say(NO_BROWSER);
    totals.failed += 1;
    return;
  }
  const file = path.join(reports, "e2e.json");
  const status = await execute(
    "playwright",
    ["test", "-c", "e2e/playwright.config.ts", "--project=main", "--reporter=list,json"],
    {
      CHROMIUM_PATH: found,
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    },
  );
  const stats = readReport(file)?.stats;
  count(stats === undefined ? undefined : stats.expected + stats.flaky, stats?.unexpected, stats?.skipped, status);
}

/** Adds a report's numbers. A runner that failed without a failed test, or without a report, counts as one more failure. */
function count(passed, failed, skipped, status) {
  totals.passed += passed ?? 0;
  totals.failed += failed ?? 0;
  totals.skipped += skipped ?? 0;
  if (passed === undefined || (status !== 0 && !failed)) totals.failed += 1;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // The caller counts this as a failure.
  }
}

/** Runs a command whose output is shown as it comes. */
function execute(command, args, env = {}) {
  const running = spawn(fileOf(command), args, { ...options(command, env), stdio: "inherit" });
  return new Promise((resolve) => {
    running.once("error", () => resolve(1));
    running.once("exit", (code) => resolve(code ?? 1));
  });
}

function fileOf(command) {
  return command === process.execPath ? command : path.join(ROOT, "node_modules", ".bin", command);
}

function options(command, env = {}) {
  return {
    cwd: ROOT,
    shell: process.platform === "win32" && command !== process.execPath,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
  };
}
