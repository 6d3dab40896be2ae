import { join } from "node:path";
import { writeManyItems } from "@/bench/support/many-items";
import { SessionPage } from "./pages/session";
import { settled } from "./support/expect";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const FILE = "many-items.jsonl";

/** About 1,000 requests: more than the chart has rows. The cost of a drag with 20,000 items is measured in bench/page.ts. */
const ITEMS = 3000;

let app: App;

test.beforeAll(async () => {
  app = await startApp({
    fill: (folder) => writeManyItems(join(folder, FILE), ITEMS),
  });
});
test.afterAll(() => app.stop());

/** The factor by which the page's processor is slowed down. On a machine as busy as that, no work ends before the test looks for it. */
const SLOWER = 4;

test("an idle page sets no timer; moving a slider sends no request and does not redraw the stack", async ({
  page,
  context,
  words,
}) => {
  test.slow();
  await page.addInitScript(() => {
    const set = window.setTimeout;
    const counted = window as unknown as { timers: number };
    counted.timers = 0;
    window.setTimeout = ((...given: Parameters<typeof set>) => {
      counted.timers += 1;
      return set(...given);
    }) as typeof set;
  });
  // The requests of the page and of the browser itself, which requests the icon of every address.
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  const session = new SessionPage(page, app, words);
  const late = session.lateAnswers();
  await session.open(FILE, "?policy=custom");
  await expect(session.chart).toHaveAttribute("data-rows", /^\d+$/);
  expect(Number(await session.chart.getAttribute("data-rows"))).toBeLessThanOrEqual(401);
  await late;
  await page.waitForLoadState("networkidle");

  // The pointer passes a button whose popover loads when the pointer is near.
  await session.panel.locator("[data-setting-row] button").first().hover();
  await page.waitForLoadState("networkidle");

  // An idle page is still, once its late parts have loaded.
  const timers = () => page.evaluate(() => (window as unknown as { timers: number }).timers);
  const renders = () => session.chart.getAttribute("data-renders");
  await settled(async () => `${await timers()} ${await renders()} ${requests.length}`);
  const drawn = await renders();
  const compactions = await session.simulated("compactions");
  requests.length = 0;

  await session.drag(session.slider("triggerShare"), 0.15, 20);
  await session.drag(session.slider("keepRecentTokens"), 0.3, 10);
  await session.drag(session.slider("triggerShare"), 0.5, 10);
  await expect.poll(() => session.simulated("compactions")).not.toBe(compactions);
  // The address changes after a delay of its own, and that change must not send a request either.
  const browser = await context.newCDPSession(page);
  await browser.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  for (let step = 0; step < 3; step++) {
    const address = page.url();
    await session.slider("triggerShare").press(step % 2 === 0 ? "ArrowRight" : "ArrowUp");
    await expect.poll(() => page.url()).not.toBe(address);
  }
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await settled(async () => requests.length);

  expect(requests).toEqual([]);
  expect(await renders()).toBe(drawn);
});
