import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Target } from "./groups";

const VERSION = "9.6.1";
const FOLDER = join("dist", "mutation");
/** Copies of the project that contain the mutants. */
const WORK = join(FOLDER, "work");

/** Where a target's last run left its results. */
export function resultsFile({ name }: Target): string {
  return join(FOLDER, `${name.replaceAll("/", "-")}.json`);
}

/** The folder of Stryker's packages. Stryker finds vitest among the project's. */
const STRYKER = join(FOLDER, "stryker");

/** Installs Stryker in a folder of its own, because the next `npm ci` would remove it from the project's packages. */
export function installStryker(): void {
  if (existsSync(join(STRYKER, "node_modules", "@stryker-mutator", "vitest-runner"))) return;
  mkdirSync(STRYKER, { recursive: true });
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  const quietly = ["--no-audit", "--no-fund", "--legacy-peer-deps"];
  run("npm", ["install", "--prefix", STRYKER, ...quietly, ...packages]);
}

/** Mutates a target's files and records which mutants the tests notice. Takes minutes. */
export function mutate(target: Target): void {
  rmSync(WORK, { recursive: true, force: true });
  const options = resultsFile(target).replace(/json$/, "options.json");
  writeFileSync(options, JSON.stringify(optionsOf(target)));
  run(
    process.execPath,
    [join(STRYKER, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js"), "run", options],
    { MUTATION_TESTS: target.tests.join(" ") },
  );
}

function optionsOf(target: Target) {
  return {
    mutate: target.files,
    testRunner: "vitest",
    vitest: { configFile: "bench/mutation/vitest.config.ts" },
    plugins: [resolve(STRYKER, "node_modules", "@stryker-mutator", "vitest-runner", "dist", "src", "index.js")],
    coverageAnalysis: "perTest",
    // Code that runs only while a module loads cannot be switched between mutants within one process.
    ignoreStatic: true,
    concurrency: 1,
    // On a busy machine, a slow test is not necessarily an endless one.
    timeoutMS: 15_000,
    reporters: ["json", "progress"],
    jsonReporter: { fileName: resultsFile(target) },
    tempDirName: WORK,
    cleanTempDir: false,
    ignorePatterns: ["/.next*", "/dist", "/docs", "/public", "/e2e"],
    // The types are checked elsewhere, and Stryker does not work with TypeScript 7.
    disableTypeChecks: false,
    tsconfigFile: "none.json",
  };
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { status } = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
