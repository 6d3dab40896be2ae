#!/usr/bin/env node
// The command: does the set-up if that is still to be done (messages go to standard error), then runs the built program.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, ROOT } from "./setup.mjs";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) {
  process.stderr.write(`context-replay: needs Node 20 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
ensureInstalled();
const [command, ...rest] = process.argv.slice(2);
const isAsked = rest.includes("--help") || rest.includes("-h");
ensureBuilt({ pages: command === "serve" && !isAsked });
await import(pathToFileURL(path.join(ROOT, "dist", "cli.mjs")).href);
