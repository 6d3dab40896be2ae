import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { METRICS } from "@/lib/core/metrics/registry";
import { compareAnswer } from "@/lib/queries/contract/schemas";
import { billOfMaterials, OPTIONAL } from "@/scripts/package/bill.mjs";
import { SessionPage } from "./pages/session";
import { SessionListPage } from "./pages/session-list";
import { ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { RECORDINGS } from "./support/recordings";
import { startApp } from "./support/server";

/** The package on a machine with only Node: packed, installed without a network in an empty folder, and used. */
test.describe.configure({ mode: "serial" });

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MIB = 1024 ** 2;

let place = "";
let tarball = "";
let installed = "";

test.beforeAll(() => {
  test.setTimeout(240_000);
  place = mkdtempSync(join(tmpdir(), "context-replay-package-"));
  const { stdout } = ran("npm", ["pack", "--json", "--pack-destination", place], ROOT, {
    CONTEXT_REPLAY_PACKS_QUICKLY: "yes",
  });
  tarball = join(place, /"filename": "([^"]+)"/.exec(stdout)?.[1] ?? "");
  writeFileSync(join(place, "package.json"), "{}");
  const install = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--cache", join(place, "cache"), tarball];
  const [command = "", ...args] = [...withoutNetwork(), ...install];
  ran(command, args, place);
  installed = join(place, "node_modules", "context-replay");
});

test.afterAll(() => rmSync(place, { recursive: true, force: true }));

test("the package contains the program, and no development files", () => {
  // A release is compressed further, and must not exceed 6.4 MB.
  expect(statSync(tarball).size).toBeLessThanOrEqual(6.8e6);
  const files = filesBelow(installed);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(30 * MIB);
  const unwanted =
    /\.(map|node|tsx?|jsonl\.gz|nft\.json)$|\.(test|spec)\.|\/(fixtures|goldens|testing|e2e|bench|verify)\/|\/\.(git|ci)\//;
  expect(files.filter((file) => unwanted.test(file) && !file.endsWith(".d.ts"))).toEqual([]);
  const isSample = (file: string) => file.includes(join("public", "samples"));
  const samples = files.filter(isSample).map((file) => basename(file, ".br"));
  expect(samples.sort()).toEqual(readdirSync(join(ROOT, "public", "samples")).sort());
  const root = ROOT.replace(/\/$/, "");
  expect(files.filter((file) => contentOf(file).includes(root))).toEqual([]);
  const { dependencies, scripts } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(dependencies).toBeUndefined();
  expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  // Native libraries are optional, and without a network there are none.
  expect(readdirSync(join(place, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["context-replay"]);
});

test("the bill of materials lists every library whose code is in the package", () => {
  const contents: readonly string[] = JSON.parse(readFileSync(join(ROOT, "dist", "package-contents.json"), "utf8"));
  expect(contents).toEqual(expect.arrayContaining(["next", "react", "zod", "kysely", "commander"]));
  const { components } = billOfMaterials(contents);
  const listed = components.map(({ name, group }) => (group ? `${group}/${name}` : name));
  expect([...new Set(listed)].sort()).toEqual([...contents, ...OPTIONAL].sort());
});

test("the installed package prints the same answers as the checkout", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(program("--version")).toBe(`${version}\n`);
  const args = ["inspect", samplePath(ENGLISH), samplePath(ROLLOUT), "--accuracy", "all", "--json"];
  expect(program(...args)).toBe(checkout(...args));
});

test("the package loads only a small part of its code to read a small file", () => {
  const coverage = join(place, "coverage");
  ran(process.execPath, [installedProgram(), "inspect", samplePath(ROLLOUT)], place, { NODE_V8_COVERAGE: coverage });
  const loaded = filesBelow(coverage)
    .flatMap((file): readonly { url: string }[] => JSON.parse(readFileSync(file, "utf8")).result)
    .flatMap(({ url }) => (url.startsWith("file:") ? [fileURLToPath(url)] : []));
  // The program, its chunk, the loader of CommonJS packages, and the agent's token rule.
  expect(loaded.length).toBeLessThanOrEqual(7);
  expect(loaded.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(962e3);
  expect(loaded.filter((file) => readFileSync(file, "utf8").includes("ZodError"))).toEqual([]);
});

test("the package is usable as a library with types", () => {
  const replayed = `await replay(await open(${JSON.stringify(samplePath(ROLLOUT))}), { policy: "custom" })`;
  const code = `import { open, replay, type Policy, type ReplayResult } from "context-replay";
    const result: ReplayResult = ${replayed};
    const compactions: number = result.compactions.length;
    // @ts-expect-error a policy's id is a text
    const id: number = ({} as Policy).id;`;
  writeFileSync(join(place, "consumer.mts"), code);
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--types", "", "consumer.mts"];
  ran(join(ROOT, "node_modules", ".bin", "tsc"), options, place);
});

/** The query that every way answers, as the library takes it. */
const RUNS = [
  { policy: "recorded" },
  { policy: "custom", settings: { triggerShare: 0.4, keepRecentTokens: 9000 } },
  { policy: "codex" },
];
const SET = Object.entries(RUNS[1]?.settings ?? {});
const ARGS = [
  "--policy",
  "recorded",
  "--policy",
  "custom",
  ...SET.flatMap(([key, value]) => ["--set", `${key}=${value}`]),
  "--policy",
  "codex",
];
const QUERY = `?tab=compare&policy=custom${SET.map(([key, value]) => `&set.${key}=${value}`).join("")}`;
const COMPARED = METRICS.flatMap(({ key, shown }) => ("compare" in shown ? [key] : []));

test.describe("the metrics of a recording are the same", () => {
  // Six files are opened, whatever the load of the machine.
  test.describe.configure({ timeout: 180_000 });
  const files = RECORDINGS.length > 0 ? RECORDINGS : [ENGLISH, ROLLOUT].map(samplePath);
  /** The opened files, with their metrics. */
  const opened: { readonly path: string; readonly metrics: Metrics }[] = [];

  test("on the command line, in the library, in a bundle and in the checkout", () => {
    const [first = ""] = files;
    const bundle = join(place, `${basename(first)}.bundle.jsonl`);
    program("export", first, "--to", "bundle", "--out", bundle);
    const printed = files.map((file) => program("compare", file, ...ARGS, "--json"));
    const [printedOfFirst = ""] = printed;
    const ofLibrary = byLibrary([...files, bundle]);
    expect(ofLibrary.slice(0, -1), "the library").toEqual(printed);
    expect(withoutFiles(ofLibrary.at(-1) ?? ""), "the first one's bundle").toEqual(withoutFiles(printedOfFirst));
    // It is built from the same sources: one is enough.
    expect(checkout("compare", first, ...ARGS, "--json"), "the checkout").toBe(printedOfFirst);
    for (const [at, path] of files.entries()) opened.push({ path, metrics: metricsIn(printed[at] ?? "") });
    opened.push({ path: bundle, metrics: metricsIn(printedOfFirst) });
    for (const { metrics } of opened) expect(Object.keys(metrics)).toEqual(COMPARED);
  });

  test("on the page without a server", async ({ page, expectedErrors }) => {
    // The page is a file.
    expectedErrors.push(/^request to file:/);
    const alone = join(place, "page.html");
    ran(process.execPath, [join(ROOT, "scripts", "page.mjs"), alone], ROOT);
    await page.goto(`${pathToFileURL(alone).href}${QUERY}`);
    for (const { path, metrics } of opened)
      await test.step(basename(path), async () => {
        await page.locator("input[type=file]").setInputFiles(path);
        await expectShown(page, metrics);
      });
  });

  test("on the pages of `serve`, which open samples, too", async ({ page, words }) => {
    const app = await startApp({ program: installedProgram() });
    try {
      const list = new SessionListPage(page, app, words);
      const session = new SessionPage(page, app, words);
      await list.open();
      await session.follow(`${ROLLOUT}.br`, "?policy=custom");
      await expect(session.title).toContainText("Rate limiter");
      await expect(session.slider("triggerShare")).toBeVisible();
      await expect(session.panel.getByText(words.of("replay.policy.custom")).first()).toBeVisible();
      expect((await page.request.get(`${app.origin}/api/health`)).ok()).toBe(true);
      for (const { path, metrics } of opened)
        await test.step(basename(path), async () => {
          const headers = { "x-file-name": encodeURIComponent(basename(path)) };
          await page.request.post(`${app.origin}/api/uploads`, { data: readFileSync(path), headers });
          await session.follow(basename(path), QUERY);
          await expectShown(page, metrics);
        });
      // The page listens for changes of the file, and would log an error about a stopped server.
      await page.goto("about:blank");
    } finally {
      await app.stop();
    }
  });
});

type Metrics = Readonly<Record<string, number | null>>;

/** The answer without the names of files, which a bundle does not have. */
function withoutFiles(printed: string): unknown {
  return JSON.parse(`[${printed.trim().replaceAll("\n", ",")}]`, (key, value: unknown) =>
    key === "files" ? [] : value,
  );
}

/** The metrics of the second policy in the output of `compare --json`. */
function metricsIn(printed: string): Metrics {
  const lines = printed
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const { difference } = compareAnswer.omit({ runs: true }).parse(lines.at(-1));
  return Object.fromEntries(difference.map(({ metric, values }) => [metric, values[1] ?? null]));
}

/** Waits until the comparison shows these metrics in the column of the second policy; absent ones have no value. */
async function expectShown(page: Page, metrics: Metrics): Promise<void> {
  const shown = () =>
    page.locator("[data-run=B] [data-metric]").evaluateAll((cells) =>
      Object.fromEntries(
        cells.map((cell) => {
          const value = cell.getAttribute("data-value");
          return [cell.getAttribute("data-metric"), value === null ? null : Number(value)];
        }),
      ),
    );
  await expect.poll(shown, { timeout: 45_000 }).toEqual(metrics);
}

/** The library's answer for each file, as the command line writes it. */
function byLibrary(files: readonly string[]): readonly string[] {
  const code = `import { compare, open } from "context-replay";
    const printed = [];
    for (const file of ${JSON.stringify(files)}) {
      const { runs, ...rest } = await compare(await open(file), ${JSON.stringify(RUNS)});
      printed.push([...runs, rest].map((one) => JSON.stringify(one) + "\\n").join(""));
    }
    console.log(JSON.stringify(printed));`;
  writeFileSync(join(place, "consumer.mjs"), code);
  return JSON.parse(ran(process.execPath, ["consumer.mjs"], place).stdout);
}

function installedProgram(): string {
  return join(installed, "bin", "context-replay.mjs");
}

function program(...args: readonly string[]): string {
  return ran(process.execPath, [installedProgram(), ...args], place).stdout;
}

function checkout(...args: readonly string[]): string {
  return ran(process.execPath, [join(ROOT, "bin", "context-replay.mjs"), ...args], place).stdout;
}

/** Runs a command to its end and fails if it does. */
function ran(command: string, args: readonly string[], cwd: string, more: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH, HOME: place, NODE_ENV: "production", ...more } as const;
  const result = spawnSync(command, args, { cwd, env, encoding: "utf8", maxBuffer: 64 * MIB });
  expect(result.status, `${command} ${args.join(" ")}\n${result.stderr}`).toBe(0);
  return result;
}

/** Prefix of a command that runs without a network; empty if the system does not permit that. */
function withoutNetwork(): readonly string[] {
  return spawnSync("unshare", ["-n", "true"]).status === 0 ? ["unshare", "-n"] : [];
}

/** Content of a file, unpacked if necessary. */
function contentOf(file: string): Buffer {
  const bytes = readFileSync(file);
  return file.endsWith(".br") ? brotliDecompressSync(bytes) : bytes;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
