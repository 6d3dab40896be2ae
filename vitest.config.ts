import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ENGINE } from "./.ci/engine.mjs";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const FOLDERS = ["lib", "components", "scripts", "bench", "verify", ".ci", "app"];

// React as it ships: its other build looks for mistakes at every element, which takes most of a test that draws much.
Object.assign(process.env, { NODE_ENV: "production" });

/** Marks test files that replace modules, which other files in their process would keep. Variables and the one server are restored at a file's end. */
const CHANGES_PROCESS = /\bvi\.(?:mock|resetModules)\(/;

/** Writes modules among the sources for a moment: it runs when nobody else reads them. */
const PLANTING = ".ci/check-imports.test.ts";

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
);
const alone = files
  .filter((file) => /\.test\.tsx?$/.test(file) && CHANGES_PROCESS.test(readFileSync(join(ROOT, file), "utf8")))
  .map((file) => file.replaceAll("\\", "/"));

/** Files share processes, in which a module is loaded once: loading everything again for each file took longer than most tests. */
export default defineConfig({
  resolve: { alias: { "@": ROOT } },
  test: {
    // Programs have every agent's profile; a page loads those that it needs.
    setupFiles: ["./lib/agents/registry.ts"],
    // One more than there are cores: where another program uses one of them, less of the others is its.
    maxWorkers: availableParallelism() + 1,
    execArgv: ENGINE,
    // A busy machine is slow, but not broken.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "planting", include: [PLANTING], sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: "alone", include: alone, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          name: "shared",
          include: [`{${FOLDERS}}/**/*.test.{ts,tsx}`],
          exclude: [PLANTING, ...alone],
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
