/** Bundles the code that runs in Node beside the pages: the command line, the worker threads and the index's thread. */
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The programs by the names that other code starts them with. */
export const ENTRIES = {
  cli: "lib/cli/main.ts",
  worker: "lib/server/threads/worker.ts",
  database: "lib/server/database/database-thread.ts",
  library: "lib/library/index.ts",
};

/** What all bundles have in common. */
const COMMON = {
  ...{ absWorkingDir: root, bundle: true, platform: "node", target: "node20.9", metafile: true, logLevel: "warning" },
  alias: { "@": root.replace(/[\\/]$/, "") },
};

/**
 * Writes a bundle of each into a folder.
 * @param {string} outdir
 */
export async function bundle(outdir) {
  await bundleInto(outdir, ENTRIES, { packages: "external", sourcemap: true });
}

/**
 * Writes the bundles of some entries into a folder, and returns what esbuild tells of what went into them.
 * @param {string} outdir
 * @param {Readonly<Record<string, string>>} entries
 * @param {import("esbuild").BuildOptions} options
 * @returns {Promise<readonly import("esbuild").Metafile[]>}
 */
export async function bundleInto(outdir, entries, options) {
  const { metafile } = await build({
    ...COMMON,
    ...options,
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    format: "esm",
  });
  // Started several times a minute, and waited for: one file, in the form that Node loads soonest.
  const { metafile: ofStatusline } = await build({
    ...COMMON,
    ...options,
    entryPoints: [{ in: "lib/cli/commands/statusline-main.ts", out: "statusline" }],
    outdir,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    banner: {},
    minify: true,
  });
  removeOldChunks(join(root, outdir, "chunks"), new Set(Object.keys(metafile.outputs).map((path) => basename(path))));
  return [metafile, ofStatusline];
}

/** Removes the chunks of earlier builds. Chunks are named by their content, so nothing uses those any more. */
function removeOldChunks(folder, current) {
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name));
}
