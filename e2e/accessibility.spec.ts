import { inScheme, narrowEnough, serious, seriousInBothSchemes, TAB } from "./support/axe";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

/** A sweep with few points, because axe spends time on every cell of a map. */
const FEW = "vary=triggerShare=0.2:0.8:0.2~keepRecentTokens=5000:20000:5000";

const SCREENS = [
  { name: "desktop", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "phone", viewport: { width: 360, height: 780 }, colorScheme: "dark" },
] as const;

for (const { name, viewport, colorScheme } of SCREENS) {
  test.describe(name, () => {
    // A tab has the same colours at every width, so each scheme is checked once; the page around it is checked in both at each width, with the timeline.
    test.use({ viewport, colorScheme, hasTouch: name === "phone" });

    test("list and session tabs have no serious accessibility fault", async ({ page, list, session, words }) => {
      // Axe checks nine pages in full.
      test.slow();
      await list.open();
      await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
      await seriousInBothSchemes(page, "list");
      await narrowEnough(page);

      await session.follow(ENGLISH, `?policy=custom&at=30&set.triggerShare=0.3&runs=codex~qwen-code~pi~none&${FEW}`);
      await session.ready();
      await seriousInBothSchemes(page, "timeline");
      await narrowEnough(page);
      await inScheme(page, colorScheme);
      for (const tab of ["composition", "contributors", "boundaries", "accuracy"] as const) {
        await session.tab(tab);
        await expect(page.locator(TAB.within).getByRole("row").nth(1)).toBeVisible();
        await serious(page, tab, TAB);
        await narrowEnough(page);
      }
      await session.tab("cost");
      await expect(page.getByTestId("waterfall")).toBeVisible();
      await page.getByRole("button", { name: words.of("session.table.toggle") }).click();
      await serious(page, "cost", TAB);
      await narrowEnough(page);
      await page.getByRole("button", { name: words.of("session.table.toggle") }).click();
      await session.tab("compare");
      await expect(page.getByTestId("difference").getByRole("row")).toHaveCount(7);
      await serious(page, "compare", TAB);
      await narrowEnough(page);
      await session.tab("sweep");
      await expect(page.getByTestId("points-table")).toBeVisible();
      await expect(page.getByTestId("sweep")).toHaveAttribute("aria-busy", "false");
      await page.getByTestId("several").getByRole("button").first().click();
      await expect(page.getByTestId("several-points-table")).toBeVisible();
      await serious(page, "sweep", TAB);
      await narrowEnough(page);
    });
  });
}
