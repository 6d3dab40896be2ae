import { COMPACTED_TWICE } from "./support/changed-samples";
import { ENGLISH } from "./support/files";
import { expect, testOnVaried as test } from "./support/fixtures";

test("unknown summary sizes are drawn as a band, and a boundary shows the fate of every block", async ({
  page,
  session,
}) => {
  await test.step("the band shows how much the line depends on the tokens that a compaction adds", async () => {
    const address = "?policy=claude-code&window=120000";
    const band = page.locator("[data-band='summary']");
    const key = page.getByTestId("summary-band");
    await session.visit(COMPACTED_TWICE, address);
    await expect(key).toBeVisible();
    await expect(band).toHaveAttribute("d", /M/);
    await session.follow(COMPACTED_TWICE, `${address}&set.summaryTokens=2000`);
    await expect(key).toContainText("1.6k–10.7k");
    await session.follow(COMPACTED_TWICE, `${address}&set.summaryTokens=2000&set.reattachedTokens=9000`);
    await expect(key).toHaveCount(0);
    await expect(band).toHaveCount(0);
    await expect(page.locator("[data-testid='simulated-layer'] [data-boundary]").first()).toBeAttached();
  });

  await test.step("a simulated boundary shows the fates as shares of the replayed window", async () => {
    await session.follow(ENGLISH, "?policy=custom&window=100000&tab=boundaries");
    await page.locator("[data-boundary-entry='simulated']").first().click();
    const strip = page.getByTestId("fates");
    for (const fate of ["fixed", "dropped", "kept", "added"]) {
      await expect(strip.locator(`[data-fate='${fate}']`).first()).toBeAttached();
    }
    const before = await strip.locator("figcaption span").first().innerText();
    const [, tokens = "", share = ""] = /([\d,]+) tokens, ([\d.]+)/.exec(before) ?? [];
    expect(Number(share)).toBeCloseTo(Number(tokens.replaceAll(",", "")) / 1000, 1);
  });
});
