// Starts the server of the built pages and prints, as JSON, the files of the modules that it has loaded by then.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "../setup.mjs";

const require = createRequire(import.meta.url);
// Standard output is for the answer.
console.log = console.error;
Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
const { config } = require(join(ROOT, ".next", "required-server-files.json"));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
const app = require("next")({ dev: false, dir: ROOT, quiet: true });
await app.prepare();
const files = Object.keys(require.cache);
// The description of a package decides which of its files is loaded, and in which format.
const folders = new Set(
  files.map(dirname).flatMap(function above(folder) {
    return folder.endsWith("node_modules") || folder === dirname(folder) ? [] : [folder, ...above(dirname(folder))];
  }),
);
const descriptions = Array.from(folders, (folder) => join(folder, "package.json")).filter(existsSync);
process.stdout.write(JSON.stringify([...files, ...descriptions]), () => process.exit());
