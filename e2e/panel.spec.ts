import { serious } from "./support/axe";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

test("the panel sets inputs, folds settings without effect, and explains shares and sources", async ({
  page,
  session,
  words,
}) => {
  const { panel } = session;
  await session.open(ENGLISH, "?policy=none");

  await test.step("input settings apply to any policy, and stay in the address", async () => {
    const inputs = page.getByTestId("inputs");
    const truncate = session.slider("inputTruncateTokens");
    const sent = await session.simulated("tokensSent");
    await inputs.locator("summary").focus();
    await page.keyboard.press("Enter");
    await truncate.focus();
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/set\.inputTruncateTokens=250/);
    await expect.poll(() => session.simulated("tokensSent")).toBeLessThan(sent);
    const cut = await session.simulated("tokensSent");

    await session.choosePolicy(words.of("replay.policy.custom"));
    await expect(page).toHaveURL(/set\.inputTruncateTokens=250/);
    await session.choosePolicy(words.of("replay.policy.none"));
    await expect.poll(() => session.simulated("tokensSent")).toBe(cut);

    await page.reload();
    await session.ready();
    await expect(truncate).toHaveValue("250");
    await inputs.getByRole("switch", { name: words.of("replay.setting.inputReferences") }).press("Space");
    await expect(page).toHaveURL(/set\.inputReferences=true/);
    await panel.getByRole("button", { name: words.of("replay.panel.reset"), exact: true }).click();
    await expect(page).not.toHaveURL(/inputTruncateTokens/);
  });

  await test.step("settings without effect are folded until they have an effect", async () => {
    await session.follow(ENGLISH, "?policy=openclaw");
    const pause = session.slider("pruningTtlMinutes");
    const idle = page.getByTestId("idle");
    await expect(idle).not.toHaveAttribute("open");
    await expect(pause).toBeHidden();
    await idle.locator("summary").click();
    await expect(pause).toBeVisible();
    await serious(page, "the panel", { within: "aside" });
    await page.getByTestId("rest").locator("summary").click();
    await panel.getByRole("combobox", { name: words.of("replay.setting.pruning"), exact: true }).click();
    await page.getByRole("option", { name: words.of("replay.choice.cache-ttl") }).click();
    await expect(idle).toHaveCount(0);
    await expect(pause).toBeVisible();
  });

  await test.step("a share states its base, and its source opens beside its name", async () => {
    await session.follow(ENGLISH, "?policy=gemini-cli");
    await expect(panel).toContainText(words.of("replay.panel.shareOf.history"));
    await expect(panel).toContainText("= 100,000 tokens");
    await expect(panel).not.toContainText("= 60,000 tokens");
    await session.choosePolicy("Claude Code");
    const setting = words.of("replay.setting.autoBuffer");
    const source = panel.getByRole("button", { name: words.filled("replay.panel.source", { setting }) });
    await source.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toContainText(words.of("replay.source.report"));
    await page.keyboard.press("Escape");
    await expect(source).toBeFocused();
  });

  await test.step("a number may be typed with k, and one out of range shows the accepted range", async () => {
    const buffer = panel.getByRole("textbox", { name: words.of("replay.setting.autoBuffer"), exact: true });
    await buffer.fill("12k");
    await buffer.press("Enter");
    await expect(buffer).toHaveValue("12,000");
    await expect(page).toHaveURL(/set\.autoBuffer=12000/);
    const window = panel.getByRole("textbox", { name: words.of("replay.panel.window"), exact: true });
    const before = await window.inputValue();
    await window.fill("100");
    await window.press("Enter");
    await expect(window).toHaveValue(before);
    const range = { typed: "100", low: "1,000", high: "4,000,000", whole: "true" };
    await expect(page.getByTestId("refused-number")).toHaveText(words.filled("replay.panel.refused", range));
    await window.fill("150k");
    await expect(page.getByTestId("refused-number")).toHaveCount(0);
    await expect(page).toHaveURL(/window=150000/);
  });
});
