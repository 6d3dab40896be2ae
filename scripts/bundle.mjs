/** Bundles the code that runs in Node besides the pages: the command line, the worker threads and the index's thread. */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The programs by the names that other code uses to start them. */
export const ENTRIES = {
  cli: "lib/cli/main.ts",
  worker: "lib/server/worker.ts",
  database: "lib/server/store/database/database-thread.ts",
  library: "lib/library/index.ts",
};

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.9",
  metafile: true,
  logLevel: "warning",
  alias: { "@": root.replace(/[\\/]$/, "") },
};

/** Modules to bundle in place of those that a package names for Node, which load their parts in a way that no bundler can follow. */
export const WHOLE = { "jsonc-parser": "jsonc-parser/lib/esm/main.js" };

/**
 * Writes the bundles of all programs into a folder.
 * @param {string} outdir
 */
export async function bundle(outdir) {
  const { metafile } = await build({
    ...COMMON,
    packages: "external",
    sourcemap: true,
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ in: path, out })),
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    format: "esm",
  });
  await bundleStatusline(outdir, { sourcemap: true });
  removeOldChunks(join(root, outdir, "chunks"), new Set(Object.keys(metafile.outputs).map((path) => basename(path))));
}

/**
 * Writes the status line's own program. It is started several times a minute, and waited for: one file with its
 * packages, in the format that Node loads fastest.
 * @param {string} outdir
 * @param {import("esbuild").BuildOptions} options
 * @returns {Promise<readonly string[]>} the files whose code is in it
 */
export async function bundleStatusline(outdir, options) {
  const { metafile } = await build({
    ...COMMON,
    ...options,
    alias: { ...COMMON.alias, ...WHOLE },
    entryPoints: [{ in: "lib/cli/extras/statusline-main.ts", out: "statusline" }],
    outdir,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    minify: true,
  });
  return Object.keys(metafile.inputs);
}

/** Removes the chunks of earlier builds. Chunks are named by their content, so the old ones are unused. */
function removeOldChunks(folder, current) {
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name));
}
