import { readFileSync } from "node:fs";
import { SessionPage } from "./pages/session";
import { SessionListPage } from "./pages/session-list";
import { ROLLOUT, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { startApp } from "./support/server";

test("where nothing else is found the samples are shown, marked, with the folders that were looked in", async ({
  page,
  emptyApp,
  words,
}) => {
  const list = new SessionListPage(page, emptyApp, words);
  await list.open();
  await expect(page.getByRole("heading", { name: words.of("sessions.empty.samples") })).toBeVisible();
  await expect(list.sampleChips).toHaveCount(4);
  await expect(page.getByText(words.of("sessions.about"))).toBeVisible();
  await expect(page.getByText(words.of("sessions.sources.notFoundHeading"))).toBeVisible();
  await list.link("排查优惠券重复发放").click();
  const session = new SessionPage(page, emptyApp, words);
  await session.ready();
  await expect(session.title.getByText(words.of("session.sample"), { exact: true })).toBeVisible();
});

test("own sessions take the samples' place", async ({ list, page, words }) => {
  await list.open();
  await expect(page.getByText(words.of("sessions.about"))).toBeVisible();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await expect(list.sampleChips).toHaveCount(0);
});

test("a file that is dropped on the page is opened, and listed from then on", async ({ page, words }) => {
  const app = await startApp();
  const list = new SessionListPage(page, app, words);
  await list.open();
  await expect(list.sampleChips.first()).toBeVisible();
  await list.drop("colleague.jsonl", readFileSync(samplePath(ROLLOUT), "utf8"));
  await page.waitForURL(/\/sessions\//);
  await new SessionPage(page, app, words).ready();
  await list.open();
  await expect(list.link("Rate limiter lets bursts through")).toBeVisible();
  await expect(list.table.getByText(words.of("sessions.row.upload"), { exact: true })).toBeVisible();
  // A page that is still open would say that its stream of events ended.
  await page.goto("about:blank");
  await app.stop();
});

test("search and sort stand in the address", async ({ page, list }) => {
  await list.open();
  await expect(list.link("Rate limiter")).toBeVisible();
  await page.keyboard.press("/");
  await expect(list.search).toBeFocused();
  await page.keyboard.type("shipments");
  await expect(list.link("Rate limiter")).toHaveCount(0);
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await expect(page).toHaveURL(/q=shipments/);
  await page.reload();
  await expect(list.search).toHaveValue("shipments");
  await expect(list.link("Rate limiter")).toHaveCount(0);
});
