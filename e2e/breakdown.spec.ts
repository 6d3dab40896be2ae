import { writeFileSync } from "node:fs";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, testOnApp } from "./support/fixtures";
import { startApp } from "./support/server";

/** Sessions of Qwen Code 0.12 with one response, sized so that they give the two example screens of its document. */
const FILES = {
  before: "5f0c2a10-1111-4111-8111-00000000000a.jsonl",
  after: "5f0c2a10-1111-4111-8111-00000000000b.jsonl",
};

function qwenSession(sessionId: string, usage: object): string {
  const common = { sessionId, cwd: "/home/ada/shop", version: "0.12.0", timestamp: "2026-03-02T09:00:05.000Z" };
  const records = [
    { ...common, uuid: "1", parentUuid: null, type: "user", message: { role: "user", parts: [{ text: "Hello." }] } },
    {
      ...common,
      uuid: "2",
      parentUuid: "1",
      type: "assistant",
      model: "glm-5",
      message: { role: "model", parts: [{ text: "Hi." }] },
      ...usage,
    },
  ];
  return records.map((record) => JSON.stringify(record)).join("\n");
}

function fill(folder: string): void {
  const write = (file: string, usage: object) =>
    writeFileSync(join(folder, file), qwenSession(file.slice(0, -6), usage));
  write(FILES.before, {});
  write(FILES.after, { usageMetadata: { promptTokenCount: 25_300 } });
}

const test = testOnApp(() => startApp({ fill }));

test("a profile is pasted, chosen, shown by category and item, and taken back", async ({
  page,
  session,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/400/);
  await session.visit(FILES.after, "?lens=composition");
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
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id)).toEqual(
    [],
  );
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
    ["freeSpace", "66,450"],
    ["autocompactBuffer", "39,322"],
  ]) {
    await expect(row(id ?? "")).toContainText(tokens ?? "");
  }
  await row("builtinTools").getByRole("button").click();
  await expect(session.composition.locator('[data-item="edit"]')).toContainText("4,000");
  await page.getByRole("button", { name: words.of("session.composition.asPrinted") }).click();
  await expect(page.getByTestId("own-text")).toContainText("25.3k/131.1k tokens (19.3%)");
  await page.getByRole("button", { name: words.of("session.overhead.open") }).click();
  await page
    .getByTestId("profiles")
    .getByRole("button", { name: words.of("session.overhead.use") })
    .first()
    .click();
  await expect(page.getByTestId("overhead-source")).toHaveText(words.of("session.overhead.inferred"));
});

test("before the first response there is no total, and the address holds the view", async ({
  page,
  session,
  words,
}) => {
  await session.visit(FILES.before, "?lens=composition");
  await expect(page.getByTestId("composition-total")).toContainText("131,072");
  await expect(session.composition.locator('[data-category="messages"]')).toHaveCount(0);
  await page.getByTestId("breakdown-view").click();
  await page.getByRole("option", { name: words.of("session.composition.ours") }).click();
  await expect(page).toHaveURL(/breakdown=ours/);
  await expect(session.composition.locator('[data-category="messages"]')).toBeVisible();
});
