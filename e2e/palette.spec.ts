import { DIALOG, narrowEnough, seriousInBothSchemes } from "./support/axe";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

test("the palette reaches tabs, policies, settings and sessions by keyboard, and Back undoes", async ({
  page,
  session,
  words,
}) => {
  const palette = page.getByRole("combobox", { name: words.of("common.palette.title") });
  const selected = page.getByRole("option", { selected: true });
  await session.open(ENGLISH);
  const choose = async (typed: string, entry: string) => {
    await page.keyboard.press("Control+k");
    await expect(palette).toBeFocused();
    await page.keyboard.type(typed);
    await expect(selected).toHaveAttribute("data-entry", entry);
    await page.keyboard.press("Enter");
    await expect(palette).toBeHidden();
  };
  await choose("bound", "tab boundaries");
  await expect(page).toHaveURL(/tab=boundaries/);
  await page.goBack();
  await expect(page).not.toHaveURL(/tab=/);
  await page.goto(page.url().replace("?", "?lens=boundaries&"));
  await expect(page, "an earlier version's link opens its tab").toHaveURL(/[?&]tab=boundaries/);
  await page.goBack();
  // Going back from a loaded document loads the session again: its keys work once the chart is drawn.
  await session.ready();
  await choose("codex", "policy codex");
  await expect(page).toHaveURL(/policy=codex/);
  await page.goBack();
  await expect(page).toHaveURL(/policy=claude-code/);
  await session.follow(ENGLISH, "?policy=custom&tab=composition");

  await test.step("selecting a setting focuses its field, be it a slider, a choice or the window", async () => {
    for (const [key, name] of [
      ["summaryTokens", "replay.setting.summaryTokens"],
      ["failSummary", "replay.setting.failSummary"],
      ["window", "replay.panel.window"],
    ] as const) {
      await choose(words.of(name), `setting ${key}`);
      await expect(page.locator(`[data-setting-row="${key}"] :focus`)).toHaveCount(1);
    }
  });

  await test.step("late results of the server do not move the selection", async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/api\/sessions\?.*q=/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await palette.fill("rate");
    const options = page.getByRole("option");
    await expect(options.first()).toHaveAttribute("aria-selected", "true");
    const first = await options.first().getAttribute("data-entry");
    answer();
    const found = page.getByRole("option", { name: /Rate limiter/ });
    await expect(found).toBeVisible();
    expect(await selected.getAttribute("data-entry")).toBe(
      first === "session list" ? await found.getAttribute("data-entry") : first,
    );
    await seriousInBothSchemes(page, "the palette", DIALOG);
    await found.click();
    await expect(session.title).toContainText("Rate limiter");
  });
});

test.describe("in Chinese, on a phone", () => {
  test.use({ locale: "zh-CN", viewport: { width: 360, height: 740 } });

  test("the palette fits the screen, and opens the sheet of a setting", async ({ page, list, session, words }) => {
    await list.open();
    await page.getByRole("button", { name: words.of("common.palette.title") }).click();
    const palette = page.getByRole("combobox", { name: words.of("common.palette.title") });
    await expect(palette).toBeFocused();
    await expect(page.getByRole("option", { name: /Rate limiter/ })).toBeVisible();
    await narrowEnough(page);
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();

    // From any tab, with the focus in the field.
    await session.follow(ENGLISH, "?tab=composition");
    await expect(page.getByTestId("composition-total")).toBeVisible();
    const sheet = page.getByRole("dialog", { name: words.of("replay.panel.title") });
    for (let time = 0; time < 2; time++) {
      await page.keyboard.press("Control+k");
      await palette.fill(words.of("replay.setting.summaryTokens"));
      await page.locator('[data-entry="setting summaryTokens"]').click();
      await expect(sheet.locator('[data-setting-row="summaryTokens"] :focus')).toHaveCount(1);
      await expect(sheet.locator('[data-setting-row="summaryTokens"]')).toBeInViewport();
      await page.keyboard.press("Escape");
      await expect(sheet).toBeHidden();
    }
    await expect(page).not.toHaveURL(/tab=/);
  });
});
