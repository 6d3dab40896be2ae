/**
 * Builds everything that runs: the pages and the HTTP API (`.next`), the command line and the worker threads (`dist`).
 * `--bundles` builds the bundles alone.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Programs below `dist/`, by the name that others start them under. */
const ENTRIES = {
  cli: "lib/cli/main.ts",
  worker: "lib/server/worker.ts",
};

async function bundle() {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ in: path, out })),
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.9",
    format: "esm",
    packages: "external",
    alias: { "@": root.replace(/[\\/]$/, "") },
    sourcemap: true,
    logLevel: "warning",
  });
  removeOldChunks(new Set(Object.keys(metafile.outputs).map((path) => basename(path))));
}

/** Chunks are named by their content: those of earlier builds are of no use. */
function removeOldChunks(current) {
  const folder = join(root, "dist", "chunks");
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name));
}

function buildPages() {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const { status } = spawnSync(process.execPath, [next, "build"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) process.exit(status ?? 1);
}

await bundle();
if (!process.argv.includes("--bundles")) buildPages();
