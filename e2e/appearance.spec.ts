import type { Page } from "@playwright/test";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import { wordsOf } from "./support/words";

test("the page loads without layout shifts, and keeps typeface, language and theme", async ({
  page,
  session,
  words,
}) => {
  const chinese = wordsOf("zh-CN");
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  await test.step("nothing moves while the page loads", async () => {
    await page.addInitScript(() => {
      Reflect.set(window, "shifts", 0);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          Reflect.set(window, "shifts", Reflect.get(window, "shifts") + Reflect.get(entry, "value"));
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await session.open(ENGLISH, "?policy=custom");
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => Reflect.get(window, "shifts"))).toBeLessThan(0.01);
  });

  await test.step("text has the page's own typeface, with the computed widths", () => expectOwnTypeface(page));

  await test.step("switching the language changes only the language", async () => {
    await page.getByRole("button", { name: words.of("common.language.label") }).click();
    await page.getByRole("menuitemradio", { name: "简体中文" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(page).toHaveTitle(/^Stop duplicate shipments/);
    await expect(page).toHaveURL(/policy=custom/);
    await expect(page.getByRole("tab", { name: chinese.of("session.tab.timeline") })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await expectOwnTypeface(page);
  });

  await test.step("the bar switches between light and dark", async () => {
    await page.getByRole("button", { name: chinese.of("common.theme.label") }).click();
    await page.getByRole("menuitemradio", { name: chinese.of("common.theme.light") }).click();
    await expect.poll(background).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: chinese.of("common.theme.label") }).click();
    await page.getByRole("menuitemradio", { name: chinese.of("common.theme.dark") }).click();
    await expect.poll(background).toBe("rgb(14, 15, 17)");
  });

  await test.step("language, theme and view survive a reload", async () => {
    const chosen = page.getByRole("tab", { name: chinese.of("session.tab.composition") });
    await chosen.click();
    await expect(page).toHaveURL(/tab=composition/);
    await page.reload();
    await expect(chosen).toHaveAttribute("aria-selected", "true");
    expect(await background()).toBe("rgb(14, 15, 17)");
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(page).toHaveURL(/tab=composition/);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the facts and the line below the chart each scroll in a single line", async ({ page, session }) => {
    await session.open(ENGLISH, "?policy=rent-to-buy");
    const facts = page.getByRole("main").locator("header ul").first();
    await expect(page.getByTestId("hindsight-note")).toContainText(/\d/);
    for (const line of [facts, page.getByTestId("range-caption").locator("../..")]) {
      const { height, inner, outer } = await line.evaluate((element) => ({
        height: element.clientHeight,
        inner: element.scrollWidth,
        outer: element.clientWidth,
      }));
      expect(height).toBeLessThanOrEqual(48);
      expect(inner).toBeGreaterThan(outer);
    }

    // The first numbers of the breakdown are in view, above the bar, also on a small phone.
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(async () => {
      const metrics = await page.getByTestId("point-breakdown").getByRole("row").nth(1).boundingBox();
      const bar = await page.locator("[data-replay-bar]").boundingBox();
      expect((metrics?.y ?? Number.NaN) + (metrics?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }).toPass();
  });
});

/** Expects the page's own typeface, digits of one width, and the computed widths of level names. */
async function expectOwnTypeface(page: Page): Promise<void> {
  const cell = "[data-result='tokensSent'] td";
  await expect(async () => {
    await expect(page.locator(cell).first()).toBeVisible();
    const typefaces = await typefacesOf(page, cell);
    // A page whose typeface arrives too late keeps the system's while it is open; the browser has ours for the next one.
    if (!typefaces.some((name) => name.includes("Inter"))) await page.reload();
    expect(typefaces).toContainEqual(expect.stringContaining("Inter"));
  }).toPass({ timeout: 40_000 });
  const widths = await page.evaluate(() =>
    ["1111", "0000", "4848"].map((text) => {
      const span = document.body.appendChild(document.createElement("span"));
      span.style.position = "absolute";
      span.textContent = text;
      const { width } = span.getBoundingClientRect();
      span.remove();
      return width;
    }),
  );
  // Digits have one width.
  expect(new Set(widths).size).toBe(1);

  const names = page.locator("[data-level-name]");
  await expect(names).not.toHaveCount(0);
  const spare = await names.evaluateAll((groups) =>
    groups.map((group) => {
      const [ground, text] = [group.querySelector("rect"), group.querySelector("text")];
      const width = text?.getBBox().width ?? 0;
      const wide = (text?.textContent ?? "").match(/[\u2e80-\uffff]/g)?.length ?? 0;
      // On systems without a Chinese typeface, these characters are narrower than they are high.
      let missing = 0;
      if (text !== null && wide > 0) {
        text.textContent = "字";
        missing = wide * (11 - text.getBBox().width);
      }
      return [(ground?.getBBox().width ?? 0) - width, missing] as const;
    }),
  );
  for (const [px, missing] of spare) {
    expect(px).toBeGreaterThanOrEqual(0);
    expect(px - missing).toBeLessThan(16);
  }
}

/** The typefaces that render an element's text. */
async function typefacesOf(page: Page, selector: string): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send("DOM.enable");
  await client.send("CSS.enable");
  const { root } = await client.send("DOM.getDocument");
  const { nodeId } = await client.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await client.send("CSS.getPlatformFontsForNode", { nodeId });
  return fonts.map(({ familyName }) => familyName);
}

test("opening a page requests no icon", async ({ page, list, session }) => {
  await list.open("?q=shipments");
  await page.evaluate(() => {
    Reflect.set(window, "withoutIcon", 0);
    new MutationObserver(() => {
      if (document.querySelector('link[rel="icon"]') === null)
        Reflect.set(window, "withoutIcon", Reflect.get(window, "withoutIcon") + 1);
    }).observe(document.documentElement, { childList: true, subtree: true });
  });
  await list.link("Stop duplicate shipments").first().click();
  await session.ready();
  await page.goBack();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "withoutIcon"))).toBe(0);
});
