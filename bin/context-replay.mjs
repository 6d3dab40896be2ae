#!/usr/bin/env node
// The command: installs and builds if necessary (messages go to standard error), then runs the built program.
import { existsSync, readFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) {
  process.stderr.write(`context-replay: needs Node 20 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
// Without a command it starts the dashboard.
if (process.argv.length === 2) process.argv.push("serve", "--open");
const [command, ...rest] = process.argv.slice(2);
const isAsked = rest.includes("--help") || rest.includes("-h");
const isStatusline = command === "statusline" && !isAsked;
/** The package holds this file and the built program; a checkout has the set-up next to it. */
const isCheckout = existsSync(new URL("../scripts/setup.mjs", import.meta.url));
// Answered at once: loading the program takes three times as long.
if (command === "--version" || command === "-V") process.stdout.on("error", cannotWrite).write(`${version()}\n`);
else await start();

async function start() {
  // Newer releases of Node keep the compiled program for the next start.
  module.enableCompileCache?.();
  // A status line runs several times a minute, so it uses the existing build: checking whether that is current takes longer.
  if (isCheckout && !(isStatusline && existsSync(built("statusline.cjs")))) await setUp();
  if (isStatusline) createRequire(import.meta.url)(built("statusline.cjs"));
  else await import(pathToFileURL(built("cli.mjs")).href);
}

async function setUp() {
  const { ensureBuilt, ensureInstalled } = await import("../scripts/setup.mjs");
  ensureInstalled();
  ensureBuilt({ pages: command === "serve" && !isAsked });
}

function built(file) {
  return fileURLToPath(new URL(isCheckout ? `../dist/${file}` : `../dist/package/dist/${file}`, import.meta.url));
}

/** Prints the same sentence as `lib/cli/text/output.ts`. */
function cannotWrite({ code }) {
  if (code === "EPIPE") process.exit(0);
  process.stderr.write(`context-replay: standard output cannot be written to (${code ?? "unknown reason"}).\n`);
  process.exit(1);
}

function version() {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
