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
  await page.reload();
  await expect(chosen).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page).toHaveURL(/lens=composition/);
});
