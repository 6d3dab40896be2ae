import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionPage } from "./pages/session";
import { ENGLISH, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const FILE = "reader.jsonl";
/** How many responses begin with thinking of which the file holds no word. */
const SILENT = 3;

let app: App;

test.beforeAll(async () => {
  app = await startApp({ fill: (folder) => writeReader(join(folder, FILE)) });
});
test.afterAll(() => app.stop());

/** Writes the sample with some thinking that says nothing. */
function writeReader(path: string): void {
  const lines = readFileSync(samplePath(ENGLISH), "utf8").trimEnd().split("\n");
  let silent = 0;
  const changed = lines.map((line) => {
    // One line of the sample is damaged on purpose.
    const record = line.endsWith("}") ? JSON.parse(line) : undefined;
    if (record?.type !== "assistant" || silent === SILENT) return line;
    silent += 1;
    record.message.content.unshift({ type: "thinking", thinking: "", signature: "" });
    return JSON.stringify(record);
  });
  writeFileSync(path, `${changed.join("\n")}\n`);
}

test("rows open where they are, pin nothing, and open with Enter after j", async ({ page, words }) => {
  const session = new SessionPage(page, app, words);
  await session.open(FILE);
  const row = (item: number) => session.transcript.locator(`[data-row="${item}"]`);
  await expect(row(5)).toBeVisible();
  // Nobody has pointed at a request, so nothing is said to have left its context.
  await expect(session.transcript.getByText(words.of("session.transcript.notInContext"))).toHaveCount(0);

  const last = session.transcript.locator("[data-row]").last();
  const item = Number(await last.getAttribute("data-row"));
  await row(item - 8).scrollIntoViewIfNeeded();
  const top = async (at: number) => (await row(at).boundingBox())?.y;
  const before = await top(item - 8);
  await row(item - 8).click();
  await expect(row(item - 8)).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByTestId("item-text").first()).toBeVisible();
  expect(await top(item - 8)).toBe(before);
  await expect(page).toHaveURL(new RegExp(`item=${item - 8}\\b`));
  expect(page.url()).not.toMatch(/[?&]at=/);

  // The next row is that of the next item which says something; Enter opens it, and Enter closes it.
  await page.keyboard.press("j");
  const next = session.transcript.locator("[data-row]:focus");
  await expect(next).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Enter");
  await expect(next).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Enter");
  await expect(next).toHaveAttribute("aria-expanded", "false");
  expect(page.url()).not.toMatch(/[?&]at=/);
});

test("a linked item arrives open and in sight, and what says nothing is folded away with its number", async ({
  page,
  words,
}) => {
  const session = new SessionPage(page, app, words);
  await session.open(FILE, "?item=60");
  const row = session.transcript.locator('[data-row="60"]');
  await expect(row).toHaveAttribute("aria-expanded", "true");
  await expect(row).toBeInViewport();
  await expect(page.getByTestId("item-text").first()).toBeVisible();

  const rows = async () => Number(await session.transcript.locator("li").first().getAttribute("aria-setsize"));
  const folded = await rows();
  await page.getByRole("button", { name: words.filled("session.transcript.showEmpty", { count: SILENT }) }).click();
  await expect.poll(rows).toBe(folded + SILENT);
  await page.getByRole("button", { name: words.filled("session.transcript.foldEmpty", { count: SILENT }) }).click();
  await expect.poll(rows).toBe(folded);
});
