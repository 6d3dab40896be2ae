import { SESSION_TABS } from "@/components/session/shared/state/tabs";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 720, height: 450 },
  { width: 360, height: 740 },
];

for (const size of SIZES) {
  test(`every page and tab fits a window of ${size.width} × ${size.height}`, async ({ page, app, session }) => {
    test.slow();
    await page.setViewportSize(size);
    const beyond = () =>
      page.evaluate(() => {
        const { scrollHeight, scrollWidth } = document.documentElement;
        return { down: scrollHeight - innerHeight, right: scrollWidth - innerWidth };
      });
    for (const path of ["/", "/insights", "/compare", "/systems"]) {
      await page.goto(`${app.origin}${path}`);
      await page.getByRole("main").waitFor();
      await expect.poll(beyond, { message: path }).toEqual({ down: 0, right: 0 });
    }
    for (const tab of SESSION_TABS) {
      // A pinned request adds its breakdown.
      await session.follow(ENGLISH, `?lens=${tab}&at=20`);
      await expect(page.getByRole("tabpanel")).toBeVisible();
      await page.waitForLoadState("networkidle");
      await expect.poll(beyond, { message: tab }).toEqual({ down: 0, right: 0 });
    }
  });
}

test("the head is low and the chart high in a window of 1440 × 900, with rows of the transcript below", async ({
  page,
  session,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const file of [ENGLISH, ROLLOUT]) {
    await session.open(file, "?policy=custom");
    await expect(session.panel.getByTestId("results")).toBeVisible();
    await expect(session.transcript.locator("[data-row]").nth(1)).toBeInViewport();
    await expect.poll(async () => (await session.chart.boundingBox())?.height).toBeGreaterThanOrEqual(350);
    const [main, panel] = await Promise.all([
      page.getByRole("main").boundingBox(),
      page.getByRole("tabpanel").boundingBox(),
    ]);
    expect((panel?.y ?? Number.NaN) - (main?.y ?? 0)).toBeLessThanOrEqual(120);
  }
  await session.follow(ENGLISH, "?policy=custom&height=window&set.triggerShare=0.65");
  for (const tick of ["50k", "100k", "150k", "200k"])
    await expect(session.timeline.locator("svg text").getByText(tick, { exact: true })).toHaveCount(1);
});
