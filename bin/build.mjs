/**
 * Builds everything that runs: the pages and the HTTP API (`.next`), the command line and the worker threads (`dist`).
 * `--bundles [folder]` builds the bundles alone.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

function buildPages() {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const { status } = spawnSync(process.execPath, [next, "build"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) process.exit(status ?? 1);
}

const [option, folder = "dist"] = process.argv.slice(2);
await bundle(folder);
if (option !== "--bundles") buildPages();
