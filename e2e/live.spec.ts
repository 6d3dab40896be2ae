import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GrowingFile, shownNumbers, shownRows } from "@/bench/support/live";
import { SessionPage } from "./pages/session";
import { settled } from "./support/expect";
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

test("a removed file or a stopped server is reported, and the page stays usable", async ({
  page,
  words,
  expectedErrors,
}) => {
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

test("after its server is back, a page recovers with its settings in every tab", async ({
  page,
  words,
  expectedErrors,
}) => {
  test.slow();
  expectedErrors.push(/./);
  const folder = mkdtempSync(join(tmpdir(), "context-replay-e2e-"));
  copyFileSync(samplePath(ENGLISH), join(folder, ENGLISH));
  const first = await startApp({ args: [folder] });
  const { port } = new URL(first.origin);
  let second: App | undefined;
  try {
    const session = new SessionPage(page, first, words);
    await session.open(ENGLISH, "?policy=custom&at=20");
    const results = async () => [await session.simulated("compactions"), await session.simulated("tokensSent")];
    const before = await results();
    const address = page.url();
    await first.stop();
    const unreachable = page.getByText(words.of("session.fileState.unreachable"));
    await expect(unreachable).toBeVisible();
    // A tab whose code was not loaded yet fails now, and opens after a reload, which the address survives.
    await page.keyboard.press("7");
    await expect(page.getByText(words.of("session.fileState.tabFailed"))).toBeVisible();
    await page.keyboard.press("1");

    second = await startApp({ args: [folder, "--port", port] });
    await expect(unreachable).toHaveCount(0);
    expect(page.url()).toBe(address);
    expect(await results()).toEqual(before);
    await session.tab("composition");
    await expect(session.composition).toBeVisible();
    await session.tab("accuracy");
    const accuracy = page.getByTestId("accuracy");
    const reload = page.getByRole("button", { name: words.of("session.fileState.reload") });
    await reload.or(accuracy).first().click();
    await expect(accuracy).toBeVisible();
    await session.tab("timeline");
    await expect.poll(results).toEqual(before);
  } finally {
    await first.stop();
    await second?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("turns of a growing session keep their scroll position, and their numbers are updated", async ({
  page,
  words,
}) => {
  test.slow();
  const session = new SessionPage(page, app, words);
  await session.open(FILE, "?item=80");
  const focused = page.locator('[data-row="80"]');
  await expect(focused).toBeVisible();
  const place = async () => (await focused.boundingBox())?.y;
  await settled(place);
  const [before, rows] = [await place(), file.rows];
  const tokensSent = await session.simulated("tokensSent");
  await file.grow({ perSecond: 40, seconds: 2 });
  expect(file.rows).toBeGreaterThan(rows);
  await expect.poll(() => session.simulated("tokensSent")).not.toBe(tokensSent);
  expect(await place()).toBe(before);
  await expect(page.getByTestId("live")).toBeVisible();
});

test("a growing session is extended on the page, which keeps its scroll position", async ({ page, words }) => {
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
  // On a busy machine one delta covers a second and more.
  expect(Math.max(...sent)).toBeLessThan(60_000);
  const numbers = await shownNumbers(page);
  expect(numbers).toEqual(Array.from({ length: file.lines }, (_, line) => line));
});
