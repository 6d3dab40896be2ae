#!/usr/bin/env node
// Runs the benchmarks: `npm run bench [name …]`. Each is a TypeScript file of bench/, bundled to dist/bench/ and run by itself.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBuilt, ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled();
const { build } = await import("esbuild");
const available = readdirSync(path.join(ROOT, "bench"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3));
const [first, ...rest] = process.argv.slice(2);
const chosen = first === undefined ? available.filter((name) => !name.startsWith("make-")) : [first];
const unknown = chosen.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(", ")}; there are ${available.join(", ")}\n`);
  process.exit(2);
}
ensureBuilt({ pages: ["page", "load", "cold", "live", "catalogue"].some((name) => chosen.includes(name)) });
await build({
  entryPoints: chosen.map((name) => path.join(ROOT, "bench", `${name}.ts`)),
  outdir: path.join(ROOT, "dist", "bench"),
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
  const run = `import(${JSON.stringify(path.join(ROOT, "dist", "bench", `${name}.mjs`))}).then((bench) => bench.main(process.argv.slice(1)))`;
  const result = spawnSync(process.execPath, ["--expose-gc", "-e", run, "--", ...rest], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (result.status !== 0) process.exitCode = 1;
}
