import { narrowEnough, serious } from "./support/axe";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

test("a term shows a hint on hover and focus, and more when pressed", async ({ page, session, words }) => {
  await session.open(ENGLISH, "?policy=custom&set.triggerShare=0.3");
  const sent = session.panel.locator('[data-term="sent"]');
  const hint = page.getByText("The sum of the context over all requests.");
  await expect(hint).toHaveCount(0);
  await sent.hover();
  await expect(hint).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(hint).toBeHidden();

  const uncached = session.panel.locator('[data-term="rewritten"]');
  await session.panel.getByRole("button", { name: words.of("replay.results.more"), exact: true }).press("Enter");
  await uncached.focus();
  await expect(page.getByText("sent again and not read from the cache")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("button", { name: words.of("common.term.more") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("at its price")).toBeVisible();
  await serious(page, "a term", { within: "[data-radix-popper-content-wrapper]" });
  await page.keyboard.press("Escape");
  await expect(page.getByText("at its price")).toBeHidden();
  await expect(uncached).toBeFocused();
});

test.describe("by touch, in Chinese", () => {
  test.use({ locale: "zh-CN", hasTouch: true, viewport: { width: 360, height: 780 } });
  test("a tap explains a term in the user's language", async ({ page, session }) => {
    await session.visit(ENGLISH, "?tab=composition");
    await session.composition.locator('[data-term="overhead"]').tap();
    await expect(page.getByText("除消息外每次请求都发送的内容")).toBeVisible();
    await narrowEnough(page);
    const box = await session.composition.locator('[data-term="overhead"]').boundingBox();
    expect(box?.height ?? 0).toBeGreaterThanOrEqual(24);
  });
});
