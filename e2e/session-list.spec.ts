import type { Page } from "@playwright/test";
import { DIALOG, narrowEnough, serious } from "./support/axe";
import { expect, testOnApp } from "./support/fixtures";
import { manyTitle, writeManySessions } from "./support/many-sessions";
import { type App, sessionId, startApp } from "./support/server";

const MANY = 240;

const test = testOnApp(async () => {
  const app = await startApp({ fill: (folder) => writeManySessions(folder, MANY) });
  await read(app);
  return app;
});

/** Resolves when every session is read, so that the counts on the page stay. */
async function read(app: App): Promise<void> {
  await expect
    .poll(async () => (await (await fetch(`${app.origin}/api/sessions?where=state=read&limit=1`)).json()).total, {
      timeout: 60_000,
    })
    .toBe(MANY);
}

test("the list is scrolled, searched, and filtered", async ({ page, list, words }) => {
  await test.step("the list scrolls to its last row, loads visible rows, and searches after a pause in typing", async () => {
    const asked = watchedPages(page);
    await list.open("?sort=title");
    await expect(list.row(manyTitle(1)).first()).toBeVisible();
    expect(asked).toHaveLength(1);
    await expect(list.table).toHaveAttribute("aria-rowcount", `${MANY + 1}`);
    await page.getByRole("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await expect(list.link(manyTitle(MANY))).toBeVisible();
    expect(asked).toHaveLength(3);

    asked.length = 0;
    await page.keyboard.press("/");
    await page.keyboard.type("many-17.jsonl");
    await expect(list.link(manyTitle(17))).toBeVisible();
    await expect(list.table).toHaveAttribute("aria-rowcount", "2");
    expect(asked.length).toBeLessThan(4);
    // The key discards the candidates of an input method; the field keeps the focus.
    await list.search.dispatchEvent("keydown", { key: "Escape", isComposing: true });
    await expect(list.search).toBeFocused();
    await list.search.fill("nowhere to be found");
    await expect(page.getByText(words.of("sessions.noMatch.title"))).toBeVisible();
  });

  await test.step("filters show counts, narrow the list, stay in the address, and are removed", async () => {
    await list.search.fill("");
    const models = page.locator('[data-facet="model"]');
    // At this width the list has the full width until the filters are shown beside it.
    await expect(list.table).toBeVisible();
    await expect(models).toHaveCount(0);
    const alone = (await list.table.boundingBox())?.width ?? 0;
    await list.filters.click();
    await expect(list.filters).toHaveAttribute("aria-expanded", "true");
    expect((await list.table.boundingBox())?.width ?? 0).toBeLessThan(alone - 200);
    const opus = models.getByRole("checkbox", { name: "claude-opus-4-5" });
    await expect(models).toContainText("120");
    await opus.check();
    await expect(page).toHaveURL(/model=claude-opus-4-5/);
    await expect(list.table).toHaveAttribute("aria-rowcount", "121");
    await expect(list.link(manyTitle(1)).first()).toBeHidden();
    // Its own values keep their counts; the projects' are those of the remaining sessions.
    await expect(models.getByRole("listitem").nth(1)).toContainText("120");
    await expect(page.locator('[data-facet="project"]')).toContainText("40");
    await page.locator('[data-facet="project"]').getByRole("checkbox", { name: "srv/docs" }).check();
    await expect(list.table).toHaveAttribute("aria-rowcount", "41");
    await page.reload();
    await expect(list.table).toHaveAttribute("aria-rowcount", "41");
    await expect(models).toBeVisible();
    const chips = page.getByRole("list", { name: words.of("sessions.filter.chosenLabel") });
    await serious(page, "filtered", { within: "main" });
    await chips.getByRole("button").first().press("Enter");
    await expect(list.table).toHaveAttribute("aria-rowcount", "121");
    // The focus moves to the chip's successor, and to the contents after the last one.
    await expect(chips.getByRole("button").first()).toBeFocused();
    await chips.getByRole("button", { name: words.of("sessions.filter.clear") }).press("Enter");
    await expect(list.table).toHaveAttribute("aria-rowcount", `${MANY + 1}`);
    await expect(chips).toHaveCount(0);
    await expect(page.getByRole("main")).toBeFocused();
  });

  await test.step("a session opens although the cleared search reaches the address only later", async () => {
    await list.open("?sort=title&q=many-1.jsonl");
    await expect(list.table).toHaveAttribute("aria-rowcount", "2");
    await page.route(/_rsc=/u, async (route) => {
      await page.waitForTimeout(500);
      await route.continue();
    });
    await page.getByRole("button", { name: words.of("sessions.filter.clear") }).click();
    await list.link(manyTitle(1)).click();
    await expect(page).toHaveURL(/\/sessions\//);
    await page.goBack();
    await expect(page).toHaveURL(/\?sort=title$/);
    await expect(list.table).toHaveAttribute("aria-rowcount", `${MANY + 1}`);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  await test.step("on a phone the filters are in a sheet, and the list scrolls to its end", async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await list.filters.click();
    const sheet = page.getByRole("dialog", { name: words.of("sessions.filter.label") });
    await sheet.getByRole("checkbox", { name: "claude-sonnet-4-5" }).check();
    await serious(page, "sheet", DIALOG);
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/model=claude-sonnet-4-5/);
    await expect(list.link(manyTitle(2)).first()).toBeHidden();
    await expect(list.link(manyTitle(1)).first()).toBeVisible();
    await page.getByRole("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await expect(list.link(manyTitle(MANY - 1))).toBeVisible();
    await narrowEnough(page);
    await serious(page, "phone", { within: "main" });
  });
});

/** The requested pages of the list. */
function watchedPages(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/api/sessions") asked.push(url.search);
  });
  return asked;
}

test("ticked sessions are swept together, and compared on one axis", async ({
  page,
  app,
  list,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/404/);
  const table = page.getByTestId("compared-metrics");

  await test.step("a comparison without existing sessions links to the list", async () => {
    await page.goto(`${app.origin}/compare?sessions=gone,${await sessionId(app, `many-${MANY}.jsonl`)}`);
    // A session's letter depends on its place in the address, whether or not the others have loaded.
    const letter = table
      .getByRole("rowheader")
      .locator("span")
      .getByText(/^[AB]$/u);
    await expect(letter).toHaveText("B");
    await page.getByRole("button", { name: words.filled("sessions.compare.removeOne", { title: "gone" }) }).click();
    await expect(letter).toHaveText("A");
    await expect(table.getByRole("row")).toHaveCount(2);
    await table.getByRole("button", { name: words.like("sessions.compare.removeOne") }).click();
    await page.getByRole("link", { name: words.of("sessions.compare.choose") }).click();
    await expect(page.getByRole("heading", { name: words.of("sessions.title") })).toBeAttached();
  });

  const bar = page.getByRole("region", { name: words.of("sessions.select.label") });
  await test.step("sessions are ticked by mouse and key, and a sweep starts with them", async () => {
    await list
      .row(manyTitle(MANY - 1))
      .getByRole("checkbox")
      .check();
    await list
      .row(manyTitle(MANY - 2))
      .getByRole("checkbox")
      .check();
    for (const key of ["j", "j", "j", "j", "x"]) await page.keyboard.press(key);
    await expect(page).toHaveURL(/selected=[\w-]+,[\w-]+,[\w-]+/);
    await expect(bar).toContainText(words.filled("sessions.select.selected", { count: 3 }));
    await serious(page, "selection");
    await bar.getByRole("link", { name: words.of("sessions.select.sweep") }).click();
    await page.waitForURL(/tab=sweep/);
    await expect(page.getByTestId("several").getByRole("combobox")).toHaveText(
      words.filled("sweep.several.scopes.chosen", { count: 3 }),
    );
    await page.goBack();
    await expect(bar).toContainText(words.filled("sessions.select.selected", { count: 3 }));
  });

  await test.step("ticked sessions are compared on one axis", async () => {
    await page.keyboard.press("c");
    await page.waitForURL(/\/compare\?sessions=/);
    await expect(table.getByRole("row")).toHaveCount(4);
    await expect(table.locator('[data-metric="peak"]').first()).toHaveText("27,903");
    await expect(page.locator(".recharts-line")).toHaveCount(3);
    await serious(page, "compare", { within: "main" });
    await page.getByRole("radio", { name: words.of("sessions.compare.acrossShort.share") }).click();
    await page.getByRole("radio", { name: words.of("sessions.compare.up.window") }).click();
    await expect(page).toHaveURL(/across=share/);
    await table
      .getByRole("button", { name: words.like("sessions.compare.removeOne") })
      .first()
      .click();
    await expect(table.getByRole("row")).toHaveCount(3);
    await page.setViewportSize({ width: 360, height: 780 });
    await narrowEnough(page);
    await serious(page, "compare on a phone", { within: "main" });
  });
});
