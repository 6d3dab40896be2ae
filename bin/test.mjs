#!/usr/bin/env node
// Runs every check of the project, goes on after a failure and ends with one plain line.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { NO_BROWSER } from "./browser.mjs";
import { ensureInstalled, ROOT, say } from "./setup.mjs";

ensureInstalled();
const reports = mkdtempSync(path.join(tmpdir(), "context-replay-test-"));
const totals = { passed: 0, failed: 0, skipped: 0 };
/** Builds in a process of its own, so that its output comes in one piece and a failure of it does not end this one. */
const BUILD = 'import { ensureBuilt } from "./bin/setup.mjs"; ensureBuilt({ pages: true });';
/** One may have to be installed first, which takes its time elsewhere than here. */
const FIND_BROWSER =
  'import { findBrowser } from "./bin/browser.mjs"; process.stdout.write((await findBrowser()) ?? "");';

const browser = text(
  start(process.execPath, evaluating(FIND_BROWSER), { stdio: ["ignore", "pipe", "inherit"] }).stdout,
);
// What plants modules among the sources runs when nobody else reads them. All else shares the cores: tests in a browser wait half of their time.
await unitTests("a test that plants modules", ["planting"]);
const units = unitTests("unit and property tests", ["alone", "shared"]);
const isBuilt = await check("production build", process.execPath, evaluating(BUILD));
const pages = isBuilt ? endToEndTests(units) : undefined;
await check("formatting and lint", "biome", ["check", "."]);
await check("route types", "next", ["typegen"]);
await check("types", "tsc", ["--noEmit", "--incremental", "false"]);
await check("types of lib/core, without Node and DOM names", "tsc", ["--noEmit", "-p", "lib/core"]);
await check("import directions", process.execPath, [".ci/check-imports.mjs"]);
await units;
await pages;

rmSync(reports, { recursive: true, force: true });
if (totals.skipped > 0)
  process.stdout.write(`${totals.skipped} skipped: what they need is absent, as each says above\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;

/** Runs a check that counts as one test, says in one piece what came of it, and returns whether it passed. */
async function check(title, command, args) {
  const running = start(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [status, ...said] = await Promise.all([statusOf(running), text(running.stdout), text(running.stderr)]);
  const passed = status === 0;
  say(`${title}: ${passed ? "passed" : "FAILED"}\n${said.join("")}`.trimEnd());
  totals[passed ? "passed" : "failed"] += 1;
  return passed;
}

/** Starts the tests of some projects of vitest.config.ts, and counts them when they have ended. */
async function unitTests(title, projects) {
  say(title);
  const file = path.join(reports, `${projects[0]}.json`);
  const chosen = projects.flatMap((name) => ["--project", name]);
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const running = start("vitest", ["run", ...chosen, ...output], { stdio: "inherit" });
  const status = await statusOf(running);
  const report = readReport(file);
  count(report?.numPassedTests, report?.numFailedTests, report?.numPendingTests, status);
}

/** Starts the tests of the built app, and counts them when they have ended. What they say is shown after what comes before. */
async function endToEndTests(before) {
  const executable = await browser;
  if (executable === "") {
    say(NO_BROWSER);
    totals.failed += 1;
    return;
  }
  const file = path.join(reports, "e2e.json");
  const running = start("playwright", ["test", "-c", "e2e/playwright.config.ts", "--reporter=list,json"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { CHROMIUM_PATH: executable, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  });
  const held = new PassThrough({ highWaterMark: 2 ** 26 });
  for (const said of [running.stdout, running.stderr]) said.pipe(held, { end: false });
  const ended = statusOf(running);
  await before;
  say("end-to-end tests of the built app");
  held.pipe(process.stdout, { end: false });
  const status = await ended;
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

/** Starts a command of this Node, or of the packages by its name there. */
function start(command, args, { stdio, env = {} }) {
  const isNode = command === process.execPath;
  return spawn(isNode ? command : path.join(ROOT, "node_modules", ".bin", command), args, {
    ...{ cwd: ROOT, stdio, shell: process.platform === "win32" && !isNode },
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
}

/** How a process ended, when all that it said has come. */
function statusOf(running) {
  return new Promise((resolve) => {
    running.once("error", () => resolve(1));
    running.once("close", (code) => resolve(code ?? 1));
  });
}

function evaluating(script) {
  return ["--input-type=module", "-e", script];
}
