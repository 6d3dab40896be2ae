import { serious } from "./support/axe";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

test("settings that others leave without effect are folded away until they have one", async ({
  page,
  session,
  words,
}) => {
  await session.open(ENGLISH, "?policy=openclaw");
  const pause = session.slider("pruningTtlMinutes");
  const idle = page.getByTestId("idle");
  await expect(idle).not.toHaveAttribute("open");
  await expect(pause).toBeHidden();
  await idle.locator("summary").click();
  await expect(pause).toBeVisible();
  await serious(page, "the panel");
  await session.panel.getByRole("combobox", { name: words.of("replay.setting.pruning"), exact: true }).click();
  await page.getByRole("option", { name: words.of("replay.choice.cache-ttl") }).click();
  await expect(idle).toHaveCount(0);
  await expect(pause).toBeVisible();
});

test("a share says what it is of, and a source that is too long for its place is read on demand", async ({
  page,
  session,
  words,
}) => {
  await session.open(ENGLISH, "?policy=gemini-cli");
  const panel = session.panel;
  await expect(panel).toContainText(words.of("replay.panel.shareOf.history"));
  await expect(panel).toContainText("= 100,000 tokens");
  await expect(panel).not.toContainText("= 60,000 tokens");
  await session.choosePolicy("Claude Code");
  const more = panel.getByRole("button", { name: words.of("replay.panel.more") }).first();
  await more.focus();
  await page.keyboard.press("Enter");
  const less = panel.getByRole("button", { name: words.of("replay.panel.less") });
  await expect(less).toBeFocused();
  await expect(less).toHaveAttribute("aria-expanded", "true");
});
