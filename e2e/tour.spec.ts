import { TOUR_SEEN } from "@/components/session/tour/first-visit";
import { seriousInBothSchemes } from "./support/axe";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";
import { WHOLE } from "./support/whole";

test.use({ isFirstVisit: true });

test("a first visit explains four parts of the page and never returns", async ({ page, session }) => {
  const tour = page.getByTestId("tour");
  const titles: string[] = [];
  await test.step("the keyboard walks the hints, and none covers its target", async () => {
    await session.open(ENGLISH);
    for (let number = 1; number <= 4; number++) {
      await expect(tour).toContainText(`${number} of 4`);
      titles.push(await tour.getByRole("heading").innerText());
      await expect(page.locator("[data-explained]")).toHaveCount(1);
      if (number === 1) await seriousInBothSchemes(page, "tour", { within: "[data-testid=tour]" });
      await page.keyboard.press("Enter");
    }
    await expect(tour).toBeHidden();
    expect(new Set(titles).size).toBe(4);
    await expect(page.locator("[data-explained]")).toHaveCount(0);
  });
  await test.step("the hints are absent the next time", async () => {
    await page.reload();
    await expect(session.chart).toBeVisible();
    await expect(page.getByTestId("transcript")).toBeVisible();
    await expect(tour).toBeHidden();
  });
  await test.step("the hints close at once: by Escape, a press elsewhere, or Skip", async () => {
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
      await expect(page).toHaveURL(/\/sessions\/[^?#]+$/);
    }
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true });

  test("every hint of a first visit is fully on the screen", async ({ page, session }) => {
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
