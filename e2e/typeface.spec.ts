import type { Page } from "@playwright/test";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

for (const locale of ["en-GB", "zh-CN"]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test("text is set in the typeface that comes with the page, and has the room that was reckoned for it", async ({
      page,
      session,
    }) => {
      await session.open(ENGLISH, "?policy=custom");
      // The page may redraw the element before its typefaces are read, hence the retries.
      await expect
        .poll(() => typefacesOf(page, "[data-result='tokensSent'] td").catch(() => []))
        .toContainEqual(expect.stringContaining("Inter"));
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
      // Figures have one width.
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
    });
  });
}

test("nothing moves while the page becomes complete", async ({ page, session }) => {
  await page.addInitScript(() => {
    Reflect.set(window, "shifts", 0);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        Reflect.set(window, "shifts", Reflect.get(window, "shifts") + Reflect.get(entry, "value"));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await session.open(ENGLISH);
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => Reflect.get(window, "shifts"))).toBeLessThan(0.01);
});

/** The families of the typefaces that an element's text is drawn with. */
async function typefacesOf(page: Page, selector: string): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send("DOM.enable");
  await client.send("CSS.enable");
  const { root } = await client.send("DOM.getDocument");
  const { nodeId } = await client.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await client.send("CSS.getPlatformFontsForNode", { nodeId });
  return fonts.map(({ familyName }) => familyName);
}
