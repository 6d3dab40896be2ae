/**
 * Builds everything that runs: the pages and the HTTP API (`.next`), the command line and the worker threads (`dist`).
 * `--bundles [folder]` builds only the bundles.
 */
import { createRequire } from "node:module";
import { ensureInstalled, hashOfSources, markBuilt, run } from "./setup.mjs";

ensureInstalled();
const [{ bundle }, { packStatic }, { joinServerChunks }] = await Promise.all([
  import("./bundle.mjs"),
  import("./pack-static.mjs"),
  import("./server-chunks.mjs"),
]);
const [option, folder = "dist"] = process.argv.slice(2);
const sources = hashOfSources();
await bundle(folder);
if (folder === "dist") markBuilt("bundles", sources);
if (option !== "--bundles") {
  run(process.execPath, [createRequire(import.meta.url).resolve("next/dist/bin/next"), "build"]);
  joinServerChunks(".next/server");
  await packStatic(".next/static");
  markBuilt("pages", sources);
}
