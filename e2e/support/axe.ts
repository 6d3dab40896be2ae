import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Fails if axe finds a serious or critical fault. @param where the place to name in the failure @param rules without them all */
export async function serious(page: Page, where: string, rules?: string[]): Promise<void> {
  // The pages hold no frames of others, so axe may run in them as it is, and tells no more than what it found wrong.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const found = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  expect(found, where).toEqual([]);
}

/** The same, in both colour schemes: the dark one is asked only for what colours can spoil. Leaves the light one in force. */
export async function seriousInBothSchemes(page: Page, where: string): Promise<void> {
  await serious(page, where);
  await inScheme(page, "dark");
  await serious(page, `${where}, dark`, ["color-contrast"]);
  await inScheme(page, "light");
}

async function inScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
}

/** Expects that the page itself does not scroll sideways. */
export async function narrowEnough(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window ?? 0);
}
