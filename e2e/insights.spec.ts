import { narrowEnough, seriousInBothSchemes } from "./support/axe";
import { expect, test } from "./support/fixtures";

for (const width of [1280, 360]) {
  test(`the page over sessions shows sums and has no serious fault, ${width} pixels wide`, async ({ page, app }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${app.origin}/insights`);
    await expect(page.getByTestId("sums")).toBeVisible();
    await seriousInBothSchemes(page, "insights");
    await narrowEnough(page);
  });
}
