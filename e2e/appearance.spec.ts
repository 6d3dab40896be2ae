import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import { wordsOf } from "./support/words";

test("light and dark are chosen in the bar and stay chosen", async ({ page, session, words }) => {
  await session.open(ENGLISH);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const choose = async (theme: "light" | "dark") => {
    await page.getByRole("button", { name: words.of("common.theme.label") }).click();
    await page.getByRole("menuitemradio", { name: words.of(`common.theme.${theme}`) }).click();
  };
  await choose("dark");
  await expect.poll(background).toBe("rgb(14, 15, 17)");
  await page.reload();
  await session.ready();
  expect(await background()).toBe("rgb(14, 15, 17)");
  await choose("light");
  await expect.poll(background).toBe("rgb(255, 255, 255)");
});

test("the language is chosen in the bar and stays chosen, the view too", async ({ page, session, words }) => {
  await session.visit(ENGLISH, "?policy=custom&lens=composition");
  await expect(session.composition).toBeVisible();
  await page.getByRole("button", { name: words.of("common.language.label") }).click();
  await page.getByRole("menuitemradio", { name: "简体中文" }).click();
  const chosen = page.getByRole("tab", { name: wordsOf("zh-CN").of("session.lens.composition") });
  await expect(chosen).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page).toHaveTitle(/^Stop duplicate shipments/);
  await page.reload();
  await expect(chosen).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page).toHaveURL(/lens=composition/);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("facts and best times take one line each, which scrolls", async ({ page, session }) => {
    await session.open(ENGLISH, "?policy=rent-to-buy");
    const facts = page.getByRole("main").locator("header ul").first();
    const best = page.getByTestId("best-times").locator("div");
    await expect(best).toContainText(/\d/);
    for (const line of [facts, best]) {
      const { height, inner, outer } = await line.evaluate((element) => ({
        height: element.clientHeight,
        inner: element.scrollWidth,
        outer: element.clientWidth,
      }));
      expect(height).toBeLessThanOrEqual(44);
      expect(inner).toBeGreaterThan(outer);
    }

    // The first figures of the breakdown are in sight, above the bar, also on a small phone.
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(async () => {
      const figures = await page.getByTestId("point-breakdown").getByRole("row").nth(1).boundingBox();
      const bar = await page.locator("[data-replay-bar]").boundingBox();
      expect((figures?.y ?? Number.NaN) + (figures?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }).toPass();
  });
});
