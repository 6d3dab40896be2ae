import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { GrowingFile, shownNumbers, shownRows } from "@/bench/support/live";
import { SessionPage } from "./pages/session";
import { ENGLISH, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const FILE = "growing.jsonl";
const FIRST = 400;

let app: App;
let file: GrowingFile;

test.beforeAll(async () => {
  app = await startApp({
    isFresh: true,
    fill: (folder) => {
      file = new GrowingFile(join(folder, FILE));
      file.write(FIRST);
      file.finish();
    },
  });
});
test.afterAll(() => app.stop());

test("a removed file or stopped server is reported, and the page stays", async ({ page, words, expectedErrors }) => {
  expectedErrors.push(/./);
  const path = { name: "short-lived.jsonl", file: undefined as string | undefined };
  const own = await startApp({
    isFresh: true,
    fill: (folder) => {
      path.file = join(folder, path.name);
      copyFileSync(samplePath(ENGLISH), path.file);
    },
  });
  try {
    const session = new SessionPage(page, own, words);
    await session.open(path.name);
    rmSync(path.file ?? "");
    await expect(page.getByText(words.of("session.fileState.removed"))).toBeVisible();
    await expect(session.chart).toBeVisible();
    await own.stop();
    await expect(page.getByText(words.of("session.fileState.unreachable"))).toBeVisible();
    await page.keyboard.press("7");
    await expect(page.getByText(words.of("session.fileState.tabFailed"))).toBeVisible();
    await page.keyboard.press("1");
    await expect(session.chart).toBeVisible();
  } finally {
    await own.stop();
  }
});

test("a growing session grows on the page, which keeps its place", async ({ page, words }) => {
  test.slow();
  const session = new SessionPage(page, app, words);
  await session.open(FILE, "?list=items&from=20&to=60&at=40&item=80&estimator=o200k");
  await expect(page.getByTestId("live")).toBeVisible();
  const place = () =>
    page.evaluate(() => ({
      address: location.search,
      scroll: document.querySelector('[data-testid="transcript"]')?.scrollTop,
      shown: document.querySelector('[data-testid="range-caption"]')?.textContent?.match(/\d+ to \d+/)?.[0],
      focus: document.activeElement?.getAttribute("data-row"),
    }));
  await page.locator('[data-row="82"]').focus();
  await expect.poll(() => shownRows(page)).toBe(file.rows);
  const before = await place();

  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
  const sent: number[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/columns?")) sent.push((await response.body()).length);
  });
  await file.grow({ perSecond: 100, seconds: 2 });
  await expect.poll(() => shownRows(page)).toBe(file.rows);

  expect(await place()).toEqual(before);
  // Columns come as deltas: all of them together are smaller than one whole session each time.
  expect(asked.filter((path) => path.includes("/columns?") && !path.includes("since="))).toEqual([]);
  // Texts are searched once the file has come to rest, not at every line.
  expect(asked.filter((path) => path.includes("needs"))).toEqual([]);
  expect(sent.length).toBeGreaterThan(1);
  expect(Math.max(...sent)).toBeLessThan(40_000);
  const numbers = await shownNumbers(page);
  expect(numbers).toEqual(Array.from({ length: file.lines }, (_, line) => line));
});
