import { SessionPage } from "./pages/session";
import { SessionListPage } from "./pages/session-list";
import { expect, test } from "./support/fixtures";

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

test("own sessions take the samples' place, and a search stands in the address", async ({ page, list, words }) => {
  await list.open();
  await expect(page.getByText(words.of("sessions.about"))).toBeVisible();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await expect(list.sampleChips).toHaveCount(0);
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
