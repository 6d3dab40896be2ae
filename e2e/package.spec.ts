import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, sessionId, startApp } from "./support/server";

/** The package, as somebody gets it who has nothing but Node: packed, installed without a network in an empty folder, and used. */
test.describe.configure({ mode: "serial" });

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MIB = 1024 ** 2;

let place = "";
let tarball = "";
let installed = "";

test.beforeAll(() => {
  test.setTimeout(240_000);
  place = mkdtempSync(join(tmpdir(), "context-replay-package-"));
  const { stdout } = ran("npm", ["pack", "--json", "--pack-destination", place], ROOT);
  tarball = join(place, /"filename": "([^"]+)"/.exec(stdout)?.[1] ?? "");
  writeFileSync(join(place, "package.json"), "{}");
  const install = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--cache", join(place, "cache"), tarball];
  const [command = "", ...args] = [...cutOff(), ...install];
  ran(command, args, place);
  installed = join(place, "node_modules", "context-replay");
});

test.afterAll(() => rmSync(place, { recursive: true, force: true }));

test("holds what runs, and nothing of the workshop", () => {
  // 6 MB; builds differ by some kilobytes.
  expect(statSync(tarball).size).toBeLessThanOrEqual(6.05e6);
  const files = filesBelow(installed);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(30 * MIB);
  const unwanted =
    /\.(map|node|tsx?|jsonl\.gz|nft\.json)$|\.(test|spec)\.|\/(fixtures|goldens|testing|e2e|bench)\/|\/\.(git|ci)\//;
  expect(files.filter((file) => unwanted.test(file) && !file.endsWith(".d.ts"))).toEqual([]);
  const samples = files.filter((file) => file.endsWith(".jsonl.br")).map((file) => basename(file, ".br"));
  expect(samples.sort()).toEqual(readdirSync(join(ROOT, "public", "samples")).sort());
  const root = ROOT.replace(/\/$/, "");
  expect(files.filter((file) => readFileSync(file).includes(root))).toEqual([]);
  const { dependencies, scripts } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(dependencies).toBeUndefined();
  expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  // Native libraries are optional, and without a network there are none.
  expect(readdirSync(join(place, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["context-replay"]);
});

test("answers on the command line as the checkout does", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(program("--version")).toBe(`${version}\n`);
  for (const args of [
    ["inspect", samplePath(ENGLISH), samplePath(ROLLOUT), "--accuracy", "all", "--json"],
    ["replay", samplePath(ROLLOUT), "--policy", "codex", "--estimator", "o200k", "--json"],
  ]) {
    const { stdout } = ran(process.execPath, [join(ROOT, "bin", "context-replay.mjs"), ...args], place);
    expect(program(...args)).toBe(stdout);
  }
});

test("is a library with types, whose numbers are those of the command line", () => {
  const replayed = `await replay(await open(${JSON.stringify(samplePath(ROLLOUT))}), { policy: "custom" })`;
  const code = `import { open, replay, type Policy, type ReplayResult } from "context-replay";
    const result: ReplayResult = ${replayed};
    const compactions: number = result.compactions.length;
    // @ts-expect-error a policy's id is a text
    const id: number = ({} as Policy).id;`;
  writeFileSync(join(place, "consumer.mts"), code);
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--types", "", "consumer.mts"];
  ran(join(ROOT, "node_modules", ".bin", "tsc"), options, place);
  writeFileSync(
    join(place, "consumer.mjs"),
    `import { open, replay } from "context-replay"; console.log(JSON.stringify(${replayed}));`,
  );
  const { stdout } = ran(process.execPath, ["consumer.mjs"], place);
  expect(stdout).toBe(program("replay", samplePath(ROLLOUT), "--policy", "custom", "--json"));
});

test("serves the dashboard, and a session is opened and replayed", async ({ page, words }) => {
  const app: App = await startApp({ program: join(installed, "bin", "context-replay.mjs") });
  try {
    await page.goto(`${app.origin}/?lang=en`);
    await page.goto(`${app.origin}/sessions/${await sessionId(app, `${ROLLOUT}.br`)}?policy=custom`);
    await expect(page.getByRole("slider").first()).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Rate limiter");
    await expect(page.getByText(words.of("replay.policy.custom")).first()).toBeVisible();
    const health = await page.request.get(`${app.origin}/api/health`);
    expect(health.ok()).toBe(true);
    // The page listens for what happens to the file, and would complain about a server that ends.
    await page.goto("about:blank");
  } finally {
    await app.stop();
  }
});

function program(...args: readonly string[]): string {
  return ran(process.execPath, [join(installed, "bin", "context-replay.mjs"), ...args], place).stdout;
}

/** Runs a command to its end and fails where it does. */
function ran(command: string, args: readonly string[], cwd: string) {
  const env = { PATH: process.env.PATH, HOME: place, NODE_ENV: "production" } as const;
  const result = spawnSync(command, args, { cwd, env, encoding: "utf8", maxBuffer: 64 * MIB });
  expect(result.status, `${command} ${args.join(" ")}\n${result.stderr}`).toBe(0);
  return result;
}

/** What a command is begun with so that it has no network; nothing where the system does not permit that. */
function cutOff(): readonly string[] {
  return spawnSync("unshare", ["-n", "true"]).status === 0 ? ["unshare", "-n"] : [];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
