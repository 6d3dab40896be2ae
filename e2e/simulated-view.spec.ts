import { COMPACTED_TWICE } from "./support/changed-samples";
import { ENGLISH } from "./support/files";
import { expect, testOnVaried as test } from "./support/fixtures";
import { sessionId } from "./support/server";

test("a band shows how far the line depends on what a compaction adds, until the sizes are chosen", async ({
  page,
  app,
}) => {
  const address = `${app.origin}/sessions/${await sessionId(app, COMPACTED_TWICE)}?policy=claude-code&window=120000`;
  const band = page.locator("[data-band='summary']");
  const key = page.getByTestId("summary-band");
  await page.goto(address);
  await expect(key).toBeVisible();
  await expect(band).toHaveAttribute("d", /M/);
  await page.goto(`${address}&set.summaryTokens=2000`);
  await expect(key).toContainText("1.6k–10.7k");
  await page.goto(`${address}&set.summaryTokens=2000&set.reattachedTokens=9000`);
  await expect(page.locator("[data-testid='simulated-layer'] [data-boundary]").first()).toBeAttached();
  await expect(key).toHaveCount(0);
  await expect(band).toHaveCount(0);
});

test("a simulated boundary shows what became of every block, as a share of the window that is replayed", async ({
  page,
  session,
}) => {
  await session.visit(ENGLISH, "?policy=custom&window=100000&lens=boundaries");
  await page.locator("[data-boundary-entry='simulated']").first().click();
  const strip = page.getByTestId("fates");
  for (const fate of ["fixed", "dropped", "kept", "added"]) {
    await expect(strip.locator(`[data-fate='${fate}']`).first()).toBeAttached();
  }
  const before = await strip.locator("figcaption span").first().innerText();
  const [, tokens = "", share = ""] = /([\d,]+) tokens, ([\d.]+)/.exec(before) ?? [];
  expect(Number(share)).toBeCloseTo(Number(tokens.replaceAll(",", "")) / 1000, 1);
});
