import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const VERSION = "9.6.1";
const FOLDER = join("dist", "mutation");

/**
 * The mutated files: token rules, truncation, pairing, and the points where a history is cut or split. Each name stands for the files whose
 * tests run against its mutants. Whole replays would take too long for each mutant.
 */
const MUTATED: Readonly<Record<string, { readonly files: readonly string[]; readonly tests: readonly string[] }>> = {
  core: {
    files: ["base/characters", "tokens/item-estimator", "transcript/pairing"].map((name) => `lib/core/${name}.ts`),
    tests: ["lib/core/{base,tokens,columns,context,transcript}/*.test.ts"],
  },
  ...Object.fromEntries(
    Object.entries({
      "claude-code": [],
      clawdcode: ["summary/retain", "messages/token-counter"],
      codex: ["messages/estimate", "sent/normalize", "messages/tokens", "sent/truncate"],
      "gemini-cli": ["policy/split-point", "messages/tokens", "sent/truncate-output"],
      "mini-claude-code": ["messages/message", "policy/tool-output"],
      openclaw: [
        ...["messages/estimate", "messages/string-chars", "messages/utf16"],
        ...["messages/pairing-frames", "sent/prune", "sent/result-budget", "sent/truncate-result"],
      ],
      opencode: ["policy/tail", "messages/tokens"],
      pi: ["sent/output-limit"],
      "qwen-code": ["messages/estimates", "sent/truncate-output"],
    }).map(([agent, names]) => [
      agent,
      {
        files: ["estimator", ...names].map((name) => `lib/agents/${agent}/${name}.ts`),
        tests: [`lib/agents/${agent}/**/*.test.ts`, `verify/agents/${agent}/**/*.test.ts`],
      },
    ]),
  ),
};

/**
 * `npm run verify mutation [core|AGENT…]`: makes small changes to these files, one at a time, and prints which of them no test notices. Takes from
 * minutes to half an hour for each name; without one, all run.
 */
export async function main(names: readonly string[]): Promise<void> {
  const chosen = names.length === 0 ? Object.keys(MUTATED) : names;
  const unknown = chosen.filter((name) => !Object.hasOwn(MUTATED, name));
  if (unknown.length > 0) throw new Error(`no ${unknown.join(", ")}; there are ${Object.keys(MUTATED).join(", ")}`);
  installStryker();
  for (const name of chosen) mutate(name);
}

/** The folder of Stryker's packages. Stryker finds vitest among the project's. */
const STRYKER = join(FOLDER, "stryker");

/** Installs Stryker in a folder of its own, because it does not accept the project's version of TypeScript. */
function installStryker(): void {
  if (existsSync(join(STRYKER, "node_modules", "@stryker-mutator", "vitest-runner"))) return;
  mkdirSync(STRYKER, { recursive: true });
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  run("npm", ["install", "--prefix", STRYKER, "--no-audit", "--no-fund", "--legacy-peer-deps", ...packages]);
}

function mutate(name: string): void {
  const { files = [], tests = [] } = MUTATED[name] ?? {};
  const vitest = join(FOLDER, "vitest.config.mjs");
  const exclude = ["**/recordings.test.ts", "**/cross-check.test.ts"];
  const settings = { resolve: { alias: { "@": "." } }, test: { include: tests, exclude, testTimeout: 30_000 } };
  // The alias is the folder that Stryker copies the project to, in which this runs.
  const config = `const settings = ${JSON.stringify(settings)};\nsettings.resolve.alias["@"] = process.cwd();\nexport default settings;\n`;
  writeFileSync(vitest, config);
  const options = {
    mutate: files,
    testRunner: "vitest",
    vitest: { configFile: vitest },
    plugins: [resolve(STRYKER, "node_modules", "@stryker-mutator", "vitest-runner", "dist", "src", "index.js")],
    coverageAnalysis: "perTest",
    // Code that runs only while a module loads cannot be switched between mutants within one process.
    ignoreStatic: true,
    concurrency: 1,
    // On a busy machine, a slow test is not necessarily an endless one.
    timeoutMS: 15_000,
    reporters: ["clear-text", "progress"],
    tempDirName: join(FOLDER, "work"),
    ignorePatterns: ["/.next*", "/dist/*", "!/dist/mutation", "/dist/mutation/stryker", "/docs", "/public", "/e2e"],
    // The types are checked elsewhere, and Stryker does not work with TypeScript 7.
    disableTypeChecks: false,
    tsconfigFile: "none.json",
  };
  const file = join(FOLDER, "options.json");
  writeFileSync(file, JSON.stringify(options));
  run(process.execPath, [join(STRYKER, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js"), "run", file]);
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
