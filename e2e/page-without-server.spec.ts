import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { replayResult } from "@/lib/queries/contract/schemas";
import { ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { type FirefoxPage, noFirefox, startFirefox } from "./support/firefox";

/** The page without a server is a file on the disk: built once, opened from `file://`. */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROGRAM = join(ROOT, "bin", "context-replay.mjs");
let folder = "";
let file = "";

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "context-replay-page-"));
  file = join(folder, "page.html");
  execFileSync(process.execPath, [join(ROOT, "scripts", "page.mjs"), file], { cwd: ROOT });
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMPARED = ["tokensSent", "peak", "tokensRewritten", "summaryCallTokens", "requestsOverWindow"] as const;

/** The metrics of a replay, as the command line prints them. */
function printed(path: string, policy: string) {
  const args = [PROGRAM, "replay", path, "--policy", policy, "--json"];
  const result = replayResult.parse(
    JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 << 20 })),
  );
  return {
    ...Object.fromEntries(COMPARED.map((key) => [key, result.totals[key]])),
    compactions: result.compactions.length,
  };
}

test("the page without a server is one small file that opens recordings and sends nothing", async ({ page }) => {
  expect(statSync(file).size).toBeLessThanOrEqual(2e6);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  // The page's clock can be moved on.
  await page.clock.install();
  await page.goto(pathToFileURL(file).href);
  const input = page.locator("input[type=file]");
  const alert = page.getByRole("alert");

  await test.step("a damaged endless Zstandard file is aborted with a sentence", async () => {
    // With this byte the decoder never reaches the end of a table of codes.
    const endless = readFileSync(join(ROOT, "lib/server/read/fixtures/compacted-locally.jsonl.zst"));
    endless[15] = 3;
    await input.setInputFiles({ name: "endless.jsonl", mimeType: "", buffer: endless });
    // Until then, the worker keeps a core busy.
    await expect(async () => {
      await page.clock.fastForward(10_000);
      await expect(alert).toContainText(
        "endless.jsonl is damaged: unpacking it took longer than 10 s, and was stopped.",
        { timeout: 500 },
      );
    }).toPass();
  });

  await test.step("a file that is not a recording is refused with a sentence", async () => {
    await input.setInputFiles(fileURLToPath(import.meta.url));
    await expect(alert).toContainText("page-without-server.spec.ts");
  });

  await test.step("a zip file is refused with a sentence", async () => {
    await input.setInputFiles(join(ROOT, "lib/server/read/fixtures/samples.eval"));
    await expect(alert).toContainText(
      "samples.eval is a zip file. Only the installed program can read it: unpack it first.",
    );
  });

  await test.step("a recording is shown in every tab", async () => {
    await input.setInputFiles(samplePath(ENGLISH));
    for (const tab of ["timeline", "composition", "boundaries", "compare", "sweep", "cost"]) {
      await page.getByRole("tab", { name: new RegExp(`^${tab}`, "i") }).click();
      await expect(page.getByRole("tab", { selected: true })).toHaveText(new RegExp(tab, "i"));
      await expect(alert).toHaveCount(0);
    }
  });

  await test.step("a bundle is shown with a remark that it contains only numbers", async () => {
    const bundle = join(folder, "session.bundle.jsonl");
    const args = [PROGRAM, "export", samplePath(ENGLISH), "--to", "bundle", "--out", bundle];
    execFileSync(process.execPath, args, { cwd: ROOT });
    await expect(page.getByText("numbers only")).toHaveCount(0);
    await input.setInputFiles(bundle);
    await expect(page.getByText("numbers only")).toBeVisible();
  });
  expect(asked.filter((url) => !/^(?:file|blob|data):/.test(url))).toEqual([]);
});

test.describe("in Firefox", () => {
  test.skip(noFirefox !== undefined, noFirefox);
  let firefox: FirefoxPage;
  test.beforeAll(async () => {
    firefox = await startFirefox();
  });
  test.afterAll(() => firefox?.stop());

  test("shows recordings with the command line's metrics, and sends nothing", async () => {
    const value = (metric: string) =>
      firefox.run(
        `return document.querySelector('[data-run=B] [data-metric="${metric}"]')?.getAttribute("data-value") ?? null`,
      );
    await firefox.goto(`${pathToFileURL(file).href}?tab=compare&policy=codex`);
    for (const path of [ENGLISH, ROLLOUT].map(samplePath)) {
      await firefox.choose("input[type=file]", path);
      for (const [metric, expected] of Object.entries(printed(path, "codex")))
        if (expected !== null) await expect.poll(() => value(metric), metric).toBe(`${expected}`);
    }
    // The timeline: an area for each category with tokens, and no error.
    await firefox.run(`[...document.querySelectorAll("[role=tab]")][0].click()`);
    await expect.poll(() => firefox.run(`return document.querySelectorAll("svg path[d]").length`)).toBeGreaterThan(10);
    expect(await firefox.run(`return document.querySelectorAll("[role=alert]").length`)).toBe(0);
    const asked = await firefox.run(`return performance.getEntriesByType("resource").map(({ name }) => name)`);
    expect((asked as string[]).filter((url) => !/^(?:file|blob|data):/.test(url))).toEqual([]);
  });
});
