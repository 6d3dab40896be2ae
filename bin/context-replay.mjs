#!/usr/bin/env node
// The command: does the set-up if that is still to be done (messages go to standard error), then runs the built program.
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, ROOT } from "./setup.mjs";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) {
  process.stderr.write(`context-replay: needs Node 20 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
const [command, ...rest] = process.argv.slice(2);
const isAsked = rest.includes("--help") || rest.includes("-h");
// A status line is asked for several times a minute, so what was built is taken as it is: looking whether it is up to date takes longer.
if (command === "statusline" && !isAsked && existsSync(built("statusline"))) await load("statusline");
else {
  ensureInstalled();
  ensureBuilt({ pages: command === "serve" && !isAsked });
  await load(command === "statusline" && !isAsked ? "statusline" : "cli");
}

function built(program) {
  return path.join(ROOT, "dist", `${program}.mjs`);
}

async function load(program) {
  await import(pathToFileURL(built(program)).href);
}
