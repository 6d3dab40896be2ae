#!/usr/bin/env node
// Runs the programs of a folder: `npm run bench [name …]` and `npm run verify [name …]`. A TypeScript program is bundled to dist/ and its `main` is
// called; a .mjs program runs as it is.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBuilt, ensureInstalled, ROOT } from "./setup.mjs";

/** Programs that run only by name, because they write files or take hours. */
const ONLY_BY_NAME = { bench: /^make-/, verify: /^mutation$/ };
/** Modules of the command `conformance`, which runs golden cases. */
const NO_PROGRAMS = /^(?:conformance|golden)\./;
const NEED_PAGES = ["browser", "catalogue", "cold", "live", "load", "outside", "page"];

const [folder = "bench", first, ...rest] = process.argv.slice(2);
ensureInstalled();
const { build } = await import("esbuild");
const available = readdirSync(path.join(ROOT, folder))
  .filter((file) => /^[\w-]+\.(ts|mjs)$/.test(file) && !NO_PROGRAMS.test(file))
  .map((file) => file.replace(/\.\w+$/, ""));
if (first === "--help") {
  process.stdout.write(`npm run ${folder} [name] [options]: ${available.join(", ")}\n`);
  process.exit(0);
}
const isOption = first?.startsWith("--");
const chosen = first === undefined || isOption ? available.filter((name) => !ONLY_BY_NAME[folder].test(name)) : [first];
const args = isOption ? [first, ...rest] : rest;
const unknown = chosen.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`nothing called ${unknown.join(", ")} in ${folder}; there are ${available.join(", ")}\n`);
  process.exit(2);
}
ensureBuilt({ pages: chosen.some((name) => NEED_PAGES.includes(name)) });
const scripts = chosen.filter((name) => existsSync(path.join(ROOT, folder, `${name}.mjs`)));
const modules = chosen.filter((name) => !scripts.includes(name));
await build({
  entryPoints: modules.map((name) => path.join(ROOT, folder, `${name}.ts`)),
  outdir: path.join(ROOT, "dist", folder),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  alias: { "@": ROOT.replace(/\/$/, "") },
  logLevel: "warning",
});
process.stdout.write(
  `${os.cpus()[0]?.model ?? "unknown processor"}, ${os.availableParallelism()} cores, Node ${process.version}\n`,
);
for (const name of chosen) {
  process.stdout.write(`\n## ${name}\n\n`);
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [...commandOf(name), ...args], { cwd: ROOT, stdio: "inherit" });
  process.stdout.write(
    `\n${name}: ${status === 0 ? "done" : "FAILED"} after ${Math.round((performance.now() - started) / 1000)} s\n`,
  );
  if (status !== 0) process.exitCode = 1;
}

/** The options of Node that run a program, without the program's own arguments. */
function commandOf(name) {
  if (scripts.includes(name)) return [path.join(ROOT, folder, `${name}.mjs`)];
  const file = JSON.stringify(path.join(ROOT, "dist", folder, `${name}.mjs`));
  return ["--expose-gc", "-e", `import(${file}).then((program) => program.main(process.argv.slice(1)))`, "--"];
}
