/** Bundles what runs in Node beside the pages: the command line and the worker threads. */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Programs, by the name that others start them under. */
const ENTRIES = {
  cli: "lib/cli/main.ts",
  worker: "lib/server/worker.ts",
};

/**
 * Writes `cli.mjs` and `worker.mjs` into a folder.
 * @param {string} outdir
 */
export async function bundle(outdir) {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ in: path, out })),
    outdir,
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
  removeOldChunks(join(root, outdir, "chunks"), new Set(Object.keys(metafile.outputs).map((path) => basename(path))));
}

/** Chunks are named by their content: those of earlier builds are of no use. */
function removeOldChunks(folder, current) {
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name));
}
