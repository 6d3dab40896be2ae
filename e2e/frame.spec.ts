import { SESSION_TABS } from "@/components/session/shared/state/tabs";
import { POLICIES } from "@/lib/agents/registry";
import { narrowEnough } from "./support/axe";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";
import { WHOLE } from "./support/whole";

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
      await session.follow(ENGLISH, `?tab=${tab}&at=20`);
      await expect(page.getByRole("tabpanel")).toBeVisible();
      await page.waitForLoadState("networkidle");
      await expect.poll(beyond, { message: tab }).toEqual({ down: 0, right: 0 });
    }
  });
}

test("no scroll area of a tab is inside another scroll area", async ({ page, session, words }) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const areas = () =>
    page.getByRole("tabpanel").evaluate((panel) => {
      const isArea = (one: Element) =>
        /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1;
      const all = [panel, ...panel.querySelectorAll("*")].filter(isArea);
      return {
        count: all.length,
        nested: all.filter((one) => all.some((other) => other !== one && other.contains(one))).length,
      };
    });
  await session.open(ENGLISH);
  for (const file of [ENGLISH, ROLLOUT]) {
    for (const tab of SESSION_TABS) {
      await session.follow(file, `?tab=${tab}&policy=custom&set.triggerShare=0.3`);
      await expect(page.getByRole("tab", { selected: true })).toHaveAttribute("id", `tab-${tab}`);
      await page.waitForLoadState("networkidle");
      await expect.poll(async () => (await areas()).nested, { message: tab }).toBe(0);
      expect((await areas()).count, tab).toBeLessThanOrEqual(2);
    }
  }
  await session.follow(ENGLISH, "?policy=custom");
  const more = session.panel.getByRole("button", { name: words.of("replay.results.more") });
  for (const height of [900, 768]) {
    await page.setViewportSize({ width: 1024, height });
    await expect(more, "folded, the results are in sight").toBeInViewport();
    await more.click();
    await expect(session.panel.locator("[data-result]").last(), "unfolded, all of them").toBeInViewport();
    expect((await areas()).nested, `unfolded at ${height}`).toBe(0);
    await more.click();
  }
});

test("the panel shows the trigger and the main settings of every agent's policy without scrolling", async ({
  page,
  session,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await session.open(ENGLISH);
  for (const policy of POLICIES.filter(({ id }) => id !== "recorded" && id !== "none")) {
    await session.follow(ENGLISH, `?policy=${policy.id}`);
    const rows = session.panel.locator("[data-setting-row]").filter({ visible: true });
    await expect(session.panel.getByTestId("results")).toBeVisible();
    expect(await rows.count(), policy.id).toBeGreaterThanOrEqual(3);
    for (const row of (await rows.all()).slice(0, 4)) await expect(row, policy.id).toBeInViewport(WHOLE);
  }
});

test("on a phone a menu links to the other pages", async ({ page, app, words }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${app.origin}/`);
  const link = page.locator("nav#nav").getByRole("link", { name: words.of("common.nav.insights"), exact: true });
  await expect(link).toBeHidden();
  await page.getByRole("button", { name: words.of("common.nav.label") }).click();
  await link.click();
  await expect(page).toHaveURL(/\/insights/);
  await expect(link).toBeHidden();
});

test("at 1440 × 900 the header is low, the chart is high, and rows of the transcript are visible", async ({
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

test("comparison and sweep metrics fit beside the panel, and the list has room for titles", async ({
  page,
  app,
  session,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const sideways = () =>
    page
      .getByRole("tabpanel")
      .locator("*:not([data-testid=points-table])")
      .evaluateAll((all) =>
        all
          .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)
          .map((one) => one.getAttribute("aria-label") ?? one.className),
      );
  for (const tab of ["compare", "sweep"]) {
    await session.visit(ROLLOUT, `?tab=${tab}&policy=codex`);
    await expect(page.getByTestId(tab === "compare" ? "difference" : "points-table")).toBeVisible();
    await expect.poll(sideways, { message: tab }).toEqual([]);
  }

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(app.origin);
  const title = page.getByRole("table").getByRole("row").nth(1).getByRole("cell").nth(1);
  await expect.poll(async () => (await title.boundingBox())?.width ?? 0).toBeGreaterThan(220);
});

test("the top bar fits a phone in the system's typeface, even if the page's own font loads late", async ({
  page,
  list,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.route("**/*.woff2", (route) => route.abort());
  await list.open();
  await narrowEnough(page);
});
