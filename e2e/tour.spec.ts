import type { Locator } from "@playwright/test";
import { TOUR_SEEN } from "@/components/session/tour/first-visit";
import { seriousInBothSchemes } from "./support/axe";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";
import { WHOLE } from "./support/whole";

test.use({ isFirstVisit: true });

test("a first visit explains four parts of the page, once", async ({ page, session, words }) => {
  const tour = page.getByTestId("tour");
  const titles: string[] = [];
  await test.step("hints appear one after the other beside their targets, once the texts are loaded", async () => {
    await session.open(ENGLISH);
    for (let number = 1; number <= 4; number++) {
      await expect(tour).toContainText(`${number} of 4`);
      titles.push(await tour.getByRole("heading").innerText());
      await expect(page.locator("[data-explained]")).toHaveCount(1);
      if (number === 1) {
        expect(await page.locator("[data-row]").first().innerText()).toMatch(/\p{Letter}.*\p{Letter}/su);
        await seriousInBothSchemes(page, "tour", { within: "[data-testid=tour]" });
      }
      expect(await coverage(tour, page.locator("[data-explained]"))).toBe(0);
      await tour.getByRole("button").last().focus();
      await page.keyboard.press("Enter");
    }
    await expect(tour).toBeHidden();
    expect(new Set(titles).size).toBe(4);
    await expect(page.locator("[data-explained]")).toHaveCount(0);
  });
  await test.step("the keyboard still controls the page", async () => {
    await page.evaluate((key) => localStorage.removeItem(key), TOUR_SEEN);
    await session.follow(ROLLOUT, "");
    await expect(tour).toBeVisible();
    await page.keyboard.press("j");
    await expect(page).toHaveURL(/[?&]item=/);
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: words.of("session.find.label") })).toBeFocused();
    await expect(tour).toBeVisible();
    await page.getByRole("tab", { selected: true }).focus();
    await page.keyboard.press("2");
    await expect(page).toHaveURL(/tab=composition/);
    await expect(tour).toBeHidden();
    await session.follow(ENGLISH, "");
  });
  await test.step("the hints do not appear a second time", async () => {
    await page.reload();
    await expect(session.chart).toBeVisible();
    await expect(page.getByTestId("transcript")).toBeVisible();
    await expect(tour).toBeHidden();
  });
  await test.step("the hints close at once with Escape, with a press elsewhere, or with Skip", async () => {
    for (const [file, leave] of [
      [ROLLOUT, () => page.keyboard.press("Escape")],
      [ENGLISH, () => page.getByRole("heading", { level: 1 }).click()],
      [ROLLOUT, () => tour.getByRole("button", { name: "Skip" }).click()],
    ] as const) {
      await page.evaluate((key) => localStorage.removeItem(key), TOUR_SEEN);
      await session.follow(file, "");
      await expect(tour).toBeVisible();
      await leave();
      await expect(tour).toBeHidden();
      await expect(page).not.toHaveURL(/[?&](?:at|item|tab)=/);
    }
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true });

  test("every hint of a first visit is fully visible", async ({ page, session }) => {
    const tour = page.getByTestId("tour");
    await session.open(ENGLISH);
    for (let number = 1; number <= 4; number++) {
      await expect(tour).toContainText(`${number} of 4`);
      await expect(tour.getByRole("button").last()).toBeInViewport(WHOLE);
      expect(await tour.evaluate((hint) => hint.scrollHeight - hint.clientHeight)).toBe(0);
      await expect(page.locator("[data-explained]")).toBeInViewport();
      await tour.getByRole("button").last().tap();
    }
    await expect(tour).toBeHidden();
  });
});

/** Area of one element that another covers, in square pixels. */
async function coverage(above: Locator, below: Locator): Promise<number> {
  const [one, other] = await Promise.all([above.boundingBox(), below.boundingBox()]);
  if (one === null || other === null) throw new Error("both have to be on the page");
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, across) * Math.max(0, down);
}
