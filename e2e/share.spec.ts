import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Download, Page, Route } from "@playwright/test";
import { DIALOG, narrowEnough, serious } from "./support/axe";
import { expect, test, testOnVaried } from "./support/fixtures";
import { SECRETS, SHOP } from "./support/shop";

let folder = "";
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "context-replay-share-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a saved file from the disk, as its recipient does; returns every requested address. */
async function openedFromDisk(browser: Browser, download: Download): Promise<{ page: Page; asked: readonly string[] }> {
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  return { page, asked };
}

test("a report of the ticked sessions is one file that opens from disk and sends nothing", async ({
  page,
  list,
  words,
  browser,
  expectedErrors,
}) => {
  expectedErrors.push(/404/);
  await list.open("?sort=title&selected=nowhere");
  await expect(list.table.getByRole("row").getByRole("link")).toHaveCount(2);
  const bar = page.getByRole("region", { name: words.of("sessions.select.label") });
  const report = bar.getByRole("button", { name: words.of("sessions.select.report"), exact: true });

  await test.step("a failed report shows the reason", async () => {
    await report.click();
    await expect(bar.getByRole("alert")).toBeVisible();
    await expect(report).toBeVisible();
    await bar.getByRole("button", { name: words.of("sessions.select.clear") }).click();
  });

  for (const row of await list.table.getByRole("row").getByRole("checkbox").all()) await row.check();
  await expect(report).toBeVisible();
  const titles = await list.table.getByRole("row").getByRole("link").allInnerTexts();
  const saving = page.waitForEvent("download");
  await report.click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^context-replay-.*\.html$/);

  const opened = await openedFromDisk(browser, file);
  expect(opened.asked, "the file itself and nothing else").toEqual([opened.page.url()]);
  await expect(opened.page.getByRole("img")).toHaveCount(2);
  const text = await opened.page.locator("body").innerText();
  expect(titles).toHaveLength(2);
  for (const title of titles) expect(text).not.toContain(title);
  const { sessions } = await (await page.request.get(`${new URL(page.url()).origin}/api/sessions`)).json();
  const requests = sessions.map(({ summary }: { summary: { requests: number } }) => summary.requests);
  const overview = opened.page.getByRole("table").first();
  for (const count of [...requests, requests[0] + requests[1]])
    await expect(overview.getByRole("cell", { name: `${count}`, exact: true }).first()).toBeVisible();
  await serious(opened.page, "report");
  await opened.page.setViewportSize({ width: 360, height: 780 });
  await narrowEnough(opened.page);
  await opened.page.close();
  await page.setViewportSize({ width: 360, height: 780 });
  await expect(() => narrowEnough(page)).toPass();
});

testOnVaried(
  "numbers alone are saved at once, and what is masked is shown before a file with texts is; neither shows a secret",
  async ({ page, session, words, browser }) => {
    const say = (key: string) => words.of(`session.exporting.${key}`);
    const open = page.getByRole("button", { name: say("title") });
    const dialog = page.getByTestId("export-dialog");
    const held: Route[] = [];
    await page.route(/\/columns\?/u, (route) => void held.push(route));

    await test.step("a dialog opened while the session loads stays open", async () => {
      await session.visit(SHOP, "");
      await open.click();
      await dialog.getByRole("radio", { name: say("forms.json") }).check();
      for (const route of held) await route.continue();
      await expect(page.getByTestId("header-cost")).toBeAttached();
      await expect(dialog.getByRole("radio", { name: say("forms.json") })).toBeChecked();
      await page.unrouteAll();
      await page.keyboard.press("Escape");
      await session.ready();
    });

    await test.step("only numbers are exported, in the selected form", async () => {
      for (const [form, ending] of [
        ["html", ".html"],
        ["json", ".json"],
        ["bundle", ".bundle.jsonl"],
      ] as const) {
        await open.click();
        await dialog.getByRole("radio", { name: say(`forms.${form}`) }).click();
        const saving = page.waitForEvent("download");
        await dialog.getByRole("button", { name: words.like("session.exporting.save") }).click();
        const file = await saving;
        expect(file.suggestedFilename()).toBe(`claude-code-2026-02-01${ending}`);
        const text = readFileSync(await file.path(), "utf8");
        expect(text).toContain(form === "html" ? "<svg" : "{");
        for (const phrase of [...SECRETS, "Deploy", "Done."]) expect(text).not.toContain(phrase);
        await expect(dialog).toBeHidden();
      }
    });

    await test.step("texts are exported after a preview of the masked secrets", async () => {
      await open.click();
      await dialog.getByRole("checkbox", { name: say("withTexts") }).check();
      const preview = dialog.getByTestId("texts-preview");
      await expect(preview).toContainText(words.filled("session.exporting.found", { count: 3 }));
      for (const kind of ["github", "aws", "assignment"])
        await expect(preview.getByRole("row", { name: say(`secret.${kind}`) }).getByRole("cell")).toHaveText("1");
      await expect(preview.getByRole("listitem")).toHaveCount(3);
      await expect(preview.getByRole("listitem").first()).toContainText(
        "Deploy the shop with [masked] and <b>bold</b>",
      );
      const shown = await dialog.innerText();
      for (const secret of SECRETS) expect(shown).not.toContain(secret);
      await serious(page, "dialog with a preview", DIALOG);
      await page.setViewportSize({ width: 360, height: 780 });
      await narrowEnough(page);
      await serious(page, "dialog on a phone", DIALOG);

      const saving = page.waitForEvent("download");
      await dialog.getByRole("button", { name: say("saveTexts") }).click();
      const file = await saving;
      await expect(dialog).toBeHidden();
      const opened = await openedFromDisk(browser, file);
      expect(opened.asked).toEqual([opened.page.url()]);
      await expect(opened.page.getByText("Deploy the shop with [masked] and <b>bold</b> words.")).toBeVisible();
      await expect(opened.page.getByText("DB_PASSWORD=[masked]")).toBeVisible();
      const written = await opened.page.content();
      for (const secret of SECRETS) expect(written).not.toContain(secret);
      await opened.page.close();
    });
  },
);
