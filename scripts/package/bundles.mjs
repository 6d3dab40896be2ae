import path from "node:path";
import { rolldown } from "rolldown";
import { bundleStatusline, ENTRIES, WHOLE } from "../bundle.mjs";
import { ROOT } from "../setup.mjs";

/**
 * Large unused modules of packages, with their replacements: zod's messages in sixty languages, and the validation of answers that a Model Context
 * Protocol server may request from a user (this one does not).
 */
const UNUSED = [
  [/zod[\\/]v4[\\/]locales[\\/]index\.js$/, 'export { default as en } from "./en.js";'],
  [
    /validation[\\/]ajv-provider\.js$/,
    'export class AjvJsonSchemaValidator { getValidator() { throw new Error("Nothing is asked of a person."); } }',
  ],
];

/** Modules that a command loads to read one file. They become one chunk, since Node loads an additional file more slowly than its code. */
const STARTS = ["lib/cli/program.ts", "lib/cli/commands/inspect.ts"].map((file) => path.join(ROOT, file));

/**
 * Writes the bundles of the package. A checkout builds its own with esbuild on any release of Node; here build time does not matter, and Rolldown's are a sixth
 * smaller and let us choose the contents of a file.
 * @param {string} outdir
 * @param {readonly string[]} packages those that stay outside
 * @returns {Promise<readonly string[]>} the files whose code is in them
 */
export async function bundleForPackage(outdir, packages) {
  const isOutside = (id) =>
    id.startsWith("node:") || ["next", ...packages].some((name) => id === name || id.startsWith(`${name}/`));
  const start = new Set();
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: "node",
    external: isOutside,
    resolve: { alias: { "@": ROOT.replace(/[\\/]$/, ""), ...WHOLE } },
    transform: { target: "node20.9" },
    plugins: [
      {
        name: "context-replay",
        load: (id) => UNUSED.find(([pattern]) => pattern.test(id))?.[1],
        buildEnd() {
          for (const id of STARTS) addLoaded(id, (one) => this.getModuleInfo(one)?.importedIds ?? [], start);
        },
      },
    ],
  });
  const { output } = await bundle.write({
    dir: outdir,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "chunks/[name]-[hash].mjs",
    minify: true,
    comments: false,
    codeSplitting: { groups: [{ name: "start", test: (id) => start.has(id) }] },
  });
  await bundle.close();
  const statusline = await bundleStatusline(outdir, { legalComments: "none" });
  return [...output.flatMap(({ moduleIds = [] }) => moduleIds), ...statusline];
}

/** Adds a module, and all modules that it loads. */
function addLoaded(id, importsOf, found) {
  if (found.has(id)) return;
  found.add(id);
  for (const one of importsOf(id)) addLoaded(one, importsOf, found);
}
