import { join } from "node:path";
import { writeManyItems } from "@/bench/support/many-items";
import { SessionPage } from "./pages/session";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const FILE = "many-items.jsonl";

let app: App;

test.beforeAll(async () => {
  app = await startApp({ fill: (folder) => writeManyItems(join(folder, FILE), 20_000) });
});
test.afterAll(() => app.stop());

test("moving a slider makes no request, so nothing is parsed or counted, and does not redraw the stack", async ({
  page,
  words,
}) => {
  const session = new SessionPage(page, app, words);
  await session.open(FILE, "?policy=custom");
  await expect(session.chart).toHaveAttribute("data-rows", /^\d+$/);
  expect(Number(await session.chart.getAttribute("data-rows"))).toBeLessThanOrEqual(401);
  await page.waitForLoadState("networkidle");

  const renders = await session.chart.getAttribute("data-renders");
  const compactions = await session.simulated("compactions");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  await session.drag(session.slider("triggerShare"), 0.15, 40);
  await session.drag(session.slider("keepRecentTokens"), 0.3, 40);
  await session.drag(session.slider("triggerShare"), 0.5, 40);
  await expect.poll(() => session.simulated("compactions")).not.toBe(compactions);
  // The address follows with a delay of its own: that too may not ask the server.
  await page.waitForTimeout(800);

  expect(requests).toEqual([]);
  expect(await session.chart.getAttribute("data-renders")).toBe(renders);
});
