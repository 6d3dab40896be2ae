#!/usr/bin/env node
// The command: does the set-up if that is still to be done (messages go to standard error), then runs the built program.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) {
  process.stderr.write(`context-replay: needs Node 20 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
const [command, ...rest] = process.argv.slice(2);
const isAsked = rest.includes("--help") || rest.includes("-h");
const isStatusline = command === "statusline" && !isAsked;
// A status line is asked for several times a minute, so what was built is taken as it is: looking whether it is up to date takes longer.
if (!isStatusline || !existsSync(built("statusline.cjs"))) await setUp();
if (isStatusline) createRequire(import.meta.url)(built("statusline.cjs"));
else await import(pathToFileURL(built("cli.mjs")).href);

async function setUp() {
  const { ensureBuilt, ensureInstalled } = await import("./setup.mjs");
  ensureInstalled();
  ensureBuilt({ pages: command === "serve" && !isAsked });
}

function built(file) {
  return fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
}
