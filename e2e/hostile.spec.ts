import { join } from "node:path";
import { HOSTILE_FILES, writeHostile } from "@/bench/support/hostile/files";
import { HOSTILE_TEXT, RAN } from "@/bench/support/hostile/markup";
import { SessionPage } from "./pages/session";
import { SessionListPage } from "./pages/session-list";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const FILES = HOSTILE_FILES;
/** The files that are read as sessions. The server refuses the others with a sentence. */
const SESSIONS = FILES.filter(({ name }) => !/^(empty|blank|binary)\./.test(name));

let app: App;

test.beforeAll(async () => {
  app = await startApp({
    fill: async (folder) => {
      for (const file of FILES) await writeHostile(file, join(folder, file.name));
    },
  });
});
test.afterAll(() => app.stop());

test("the list states why files are unreadable, and shows markup as text", async ({ page, words }) => {
  const list = new SessionListPage(page, app, words);
  await list.open("?sort=title&notRead=true");
  const reasons = { "binary.jsonl": "binary", "empty.jsonl": "empty", "blank.jsonl": "unknown-format" } as const;
  for (const [name, reason] of Object.entries(reasons)) {
    await expect(list.row(name)).toContainText(words.of(`sessions.row.reason.${reason}`), { timeout: 60_000 });
  }
  await page.getByRole("button", { name: words.filled("sessions.filter.filesNotRead", { count: 3 }) }).click();
  await expect(list.link("<script>").first()).toBeVisible();
  await harmless(page);

  const session = new SessionPage(page, app, words);
  await session.follow("markup.jsonl", "?list=items");
  await session.ready();
  await expect(session.title).toContainText("<script>window.");
  const item = session.transcript.getByRole("button", { name: words.of("session.item.user") }).first();
  await item.click();
  const text = page.getByTestId("item-text").first();
  await expect(text).toContainText("<script>window.");
  // Markdown is rendered, but scripts are not links, and remote images are never loaded.
  await expect(text).toContainText("[click](javascript:");
  await expect(text).toContainText(words.filled("session.reading.image", { text: "pixel" }));
  expect(await text.locator("img, a, script, iframe, svg, style, object, form, input").count()).toBe(0);
  await page.getByRole("button", { name: words.of("session.transcript.asWritten"), exact: true }).click();
  await expect(text).toContainText(HOSTILE_TEXT.split("\n")[1] ?? "");
  await expect(text).toContainText("[click](javascript:");
  expect(await text.locator(":scope :not(span, pre)").count()).toBe(0);
  await harmless(page);
});

/** The content of these files is odd, so they are opened in every tab. The others are odd in their size or encoding. */
const ODD_CONTENT = /^(inherited-keys|markup|rollout-markup|huge-numbers|wrong-types|rollout-wrong-types|odd-times)\./;

// They are opened one after the other in a page that stays, as by links: loading its program for each takes longer than rendering most of
// them.
for (const [title, some, tabs] of [
  [
    "large and damaged files are opened",
    SESSIONS.filter(({ name }) => !ODD_CONTENT.test(name)),
    ["boundaries", "timeline"],
  ],
  [
    "files with odd content are opened in every tab",
    SESSIONS.filter(({ name }) => ODD_CONTENT.test(name)),
    ["composition", "boundaries", "accuracy", "timeline"],
  ],
] as const)
  test(title, async ({ page, words }) => {
    const session = new SessionPage(page, app, words);
    for (const [at, { name, about }] of some.entries()) {
      await test.step(`${name}: ${about}`, async () => {
        if (at === 0) await session.visit(name, "?policy=custom");
        else await session.follow(name, "?policy=custom");
        await session.ready();
        // On a busy machine the page's own title arrives later than the session's, and is then replaced again.
        await page.evaluate(() => {
          document.title = "Session";
        });
        await expect(page).not.toHaveTitle("Session");
        for (const tab of tabs) {
          await session.tab(tab);
          await harmless(page);
        }
        await expect(session.transcript.getByRole("button").first()).toBeVisible();
        await harmless(page);
      });
    }
  });

/** Expects that no part of the text has become markup or script of the page. */
async function harmless(page: import("@playwright/test").Page): Promise<void> {
  const found = await page.evaluate((name) => {
    const marks =
      "img[src='x'], iframe, svg[onload], a[href^='javascript:'], [onerror], [src*='192.0.2.1'], [href*='192.0.2.1']";
    return {
      ran: name in window,
      elements: document.querySelectorAll(marks).length,
      styled: getComputedStyle(document.body).display,
    };
  }, RAN);
  expect(found).toEqual({ ran: false, elements: 0, styled: "flex" });
}
