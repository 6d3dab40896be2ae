#!/usr/bin/env node
// Runs every check of the project in order, goes on after a failure and ends with one plain line.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuilt, ensureInstalled, ROOT, say } from "./setup.mjs";

ensureInstalled();
const reports = mkdtempSync(path.join(tmpdir(), "context-replay-test-"));
const totals = { passed: 0, failed: 0, skipped: 0 };

check("formatting and lint", "biome", ["check", "."]);
check("route types", "next", ["typegen"]);
check("types", "tsc", ["--noEmit", "--incremental", "false"]);
check("types of lib/core, without Node and DOM names", "tsc", ["--noEmit", "-p", "lib/core"]);
check("import directions", process.execPath, [".ci/check-imports.mjs"]);
unitTests();
say("production build");
ensureBuilt({ pages: true });
totals.passed += 1;
await endToEndTests();

rmSync(reports, { recursive: true, force: true });
if (totals.skipped > 0)
  process.stdout.write(`${totals.skipped} skipped: what they need is absent, as each says above\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

/** Runs a check that counts as one test. */
function check(title, command, args) {
  say(title);
  if (execute(command, args) === 0) totals.passed += 1;
  else totals.failed += 1;
}

function unitTests() {
  say("unit and property tests");
  const file = path.join(reports, "unit.json");
  const status = execute("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`]);
  const report = readReport(file);
  count(report?.numPassedTests, report?.numFailedTests, report?.numPendingTests, status);
}

async function endToEndTests() {
  say("end-to-end tests of the built app");
  const { findBrowser, NO_BROWSER } = await import("./browser.mjs");
  const browser = await findBrowser();
  if (browser === undefined) {
    say(NO_BROWSER);
    totals.failed += 1;
    return;
  }
  const file = path.join(reports, "e2e.json");
  const status = execute("playwright", ["test", "-c", "e2e/playwright.config.ts", "--reporter=list,json"], {
    CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const stats = readReport(file)?.stats;
  count(stats === undefined ? undefined : stats.expected + stats.flaky, stats?.unexpected, stats?.skipped, status);
}

/** Adds a report's figures. A runner that failed without a failed test, or that left no report, counts as one more failure. */
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
    return undefined; // the caller counts this as a failure
  }
}

function execute(command, args, env = {}) {
  const file = command === process.execPath ? command : path.join(ROOT, "node_modules", ".bin", command);
  const result = spawnSync(file, args, {
    cwd: ROOT,
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  return result.status ?? 1;
}
