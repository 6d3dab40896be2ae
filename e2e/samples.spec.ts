import { SessionPage } from "./pages/session";
import { SessionListPage } from "./pages/session-list";
import { expect, test } from "./support/fixtures";

const SAMPLES = 8;

test("if there are no sessions, the marked samples and the searched folders are shown", async ({
  page,
  emptyApp,
  words,
}) => {
  const list = new SessionListPage(page, emptyApp, words);
  await list.open();
  await expect(page.getByRole("heading", { name: words.of("sessions.empty.samples") })).toBeVisible();
  await expect(list.sampleChips).toHaveCount(SAMPLES);
  await expect(page.getByText(words.of("sessions.about"))).toBeVisible();
  await expect(page.getByText(words.like("sessions.sources.notFoundHeading"))).toBeVisible();
  await list.link("排查优惠券重复发放").click();
  const session = new SessionPage(page, emptyApp, words);
  await session.ready();
  await expect(session.title.getByText(words.of("session.sample"), { exact: true })).toBeVisible();
});

test("own sessions replace the samples, and the address keeps a search", async ({ page, list, words }) => {
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

  await test.step("samples are shown on request, and on a phone sorted in either direction", async () => {
    await list.search.fill("");
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("button", { name: words.of("sessions.filter.samples"), exact: true }).click();
    const cards = page.getByRole("list", { name: words.of("sessions.table.label") });
    await expect(cards.getByText(words.of("sessions.row.sample"), { exact: true })).toHaveCount(SAMPLES);
    // Until a sample is read its title is its file's name.
    await expect(cards).not.toContainText(".jsonl");
    await expect(page.getByTestId("filters-in-words")).toContainText(`${SAMPLES} of ${SAMPLES}`);
    const titles = () => cards.getByRole("link").allInnerTexts();
    const newestFirst = await titles();
    await page.getByRole("button", { name: words.of("sessions.filter.sort") }).click();
    await page.getByRole("menuitemradio", { name: words.of("sessions.filter.ascending") }).click();
    await expect(page).toHaveURL(/sort=when/);
    await expect.poll(titles).toEqual(newestFirst.toReversed());
  });
});

test("a search in all texts lists the sessions with the text, and opens the first match", async ({
  page,
  list,
  session,
  words,
}) => {
  await list.open("?q=the LOSING worker publishes");
  await expect(page.getByText(words.of("sessions.noMatch.title"))).toBeVisible();
  const hits = page.getByTestId("text-hits");
  await expect(hits).toHaveCount(0);
  await page.getByRole("button", { name: words.of("sessions.texts.search") }).click();
  await expect(hits.locator("mark")).toHaveText(["The losing worker publishes"]);
  // A hit and "no sessions match" contradict each other.
  await expect(page.getByText(words.of("sessions.noMatch.title"))).toHaveCount(0);
  await expect(hits.getByRole("progressbar")).toHaveCount(0);
  await hits.getByRole("link", { name: "Stop duplicate shipments" }).click();
  await session.ready();
  await expect(page).toHaveURL(/item=\d+/);
  await expect(page.getByRole("searchbox", { name: words.of("session.find.label") })).toHaveValue(
    "the LOSING worker publishes",
  );
});
