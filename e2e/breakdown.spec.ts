import { DIALOG, serious } from "./support/axe";
import { expect, testOnVaried as test } from "./support/fixtures";
import { QWEN } from "./support/qwen-files";

test("the agent's breakdown uses a pasted context profile, and can be switched to the common view", async ({
  page,
  session,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/400/);
  await test.step("a profile is pasted, selected, shown by category and by item, and removed", async () => {
    await session.visit(QWEN.after, "?tab=composition");
    const row = (id: string) => session.composition.locator(`[data-category="${id}"]`);
    await expect(page.getByTestId("breakdown-view")).toHaveText(/Qwen Code/);
    await expect(row("overheadInferred")).toBeVisible();
    await page.getByRole("button", { name: words.of("session.overhead.open") }).click();
    const json = page.getByRole("textbox", { name: words.of("session.overhead.json") });
    await json.fill('{"systemPrompt": true}');
    await page.getByRole("button", { name: words.of("session.overhead.save") }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("systemPrompt");
    await json.fill(
      JSON.stringify({
        systemPrompt: 4500,
        tools: [
          { name: "edit", schema: 4000 },
          { name: "glob", schema: 900 },
        ],
        memoryFiles: [{ path: "QWEN.md", content: 790 }],
        skills: [{ name: "pdf", description: 4800 }],
      }),
    );
    await page.getByRole("textbox", { name: words.of("session.overhead.name") }).fill("Screen B");
    await serious(page, "a profile that is pasted", DIALOG);
    await page.getByRole("button", { name: words.of("session.overhead.save") }).click();
    await expect(page.getByTestId("profiles")).toContainText("Screen B");
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("overhead-source")).toContainText("Screen B");
    for (const [id, tokens] of [
      ["systemPrompt", "4,500"],
      ["builtinTools", "4,900"],
      ["skills", "4,800"],
      ["memoryFiles", "790"],
      ["messages", "10,310"],
      ["freeSpace", "118,060"],
      ["autocompactBuffer", "61,440"],
    ]) {
      await expect(row(id ?? "")).toContainText(tokens ?? "");
    }
    await row("builtinTools").getByRole("button").click();
    await expect(session.composition.locator('[data-item="edit"]')).toContainText("4,000");
    await expect(page.getByTestId("own-text")).toContainText("25.3k/204.8k tokens (12.4%)");
    await page.getByRole("button", { name: words.of("session.overhead.open") }).click();
    await page
      .getByTestId("profiles")
      .getByRole("button", { name: words.of("session.overhead.use") })
      .first()
      .click();
    await expect(page.getByTestId("overhead-source")).toHaveText(words.of("session.overhead.inferred"));
  });

  await test.step("before the first response no total is shown, and the address contains the view", async () => {
    await session.follow(QWEN.before, "?tab=composition");
    await expect(page.getByTestId("composition-total")).toContainText("204,800");
    await expect(session.composition.locator('[data-category="messages"]')).toHaveCount(0);
    await page.getByTestId("breakdown-view").click();
    await page.getByRole("option", { name: words.of("session.composition.ours") }).click();
    await expect(page).toHaveURL(/breakdown=ours/);
    await expect(session.composition.locator('[data-category="messages"]')).toBeVisible();
  });
});
