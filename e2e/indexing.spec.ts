import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionListPage } from "./pages/session-list";
import { narrowEnough, serious } from "./support/axe";
import { copySamples, ENGLISH, ROLLOUT } from "./support/files";
import { test as base, expect } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const NO_SESSION = "没有会话-🙂.jsonl";

const test = base.extend<{ oddApp: App }>({
  oddApp: [
    async ({ page }, use) => {
      const app = await startApp({
        fill: (folder) => {
          copySamples(folder, [ENGLISH]);
          writeFileSync(join(folder, NO_SESSION), '{"path":"a.jsonl"}\n');
          symlinkSync(folder, join(folder, "loop"));
          symlinkSync("/etc", join(folder, "elsewhere"));
        },
      });
      await use(app);
      // A page that listens to a server that ends would complain.
      await page.close();
      await app.stop();
    },
    { timeout: 120_000 },
  ],
  list: async ({ page, oddApp, words }, use) => use(new SessionListPage(page, oddApp, words)),
});

async function steer(app: App, action: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`${app.origin}/api/indexing`, { method: "POST", headers, body: JSON.stringify({ action }) });
}

test("sources say what could not be looked at or read, a line each, and all of it is read again", async ({
  page,
  list,
  words,
}) => {
  await list.open();
  await expect(list.row("Stop duplicate shipments").first()).toContainText("%");
  const progress = page.getByRole("progressbar");
  await expect(progress).toHaveCount(0);
  await page.getByRole("button", { name: words.of("sessions.sources.label") }).click();
  const problems = page.getByTestId("source-problems");
  await expect(problems.getByRole("listitem").filter({ hasText: "loop" })).toContainText(
    words.of("sessions.sources.problem.cycle"),
  );
  await expect(problems.getByRole("listitem").filter({ hasText: "elsewhere" })).toContainText(
    words.of("sessions.sources.problem.outside"),
  );
  await expect(problems.getByRole("listitem").filter({ hasText: NO_SESSION })).toContainText(
    words.of("sessions.row.reason.unknown-format"),
  );
  await serious(page, "sources");
  await page.setViewportSize({ width: 360, height: 780 });
  await narrowEnough(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  // Every file is read anew, with the list as it was.
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/indexing") && answer.status() === 204);
  await page.getByRole("button", { name: words.of("sessions.sources.again") }).click();
  await answered;
  await expect(page.getByText(words.of("sessions.sources.againBegun"))).toBeVisible();
  await expect(list.row("Stop duplicate shipments").first()).toContainText("%");
  await expect(progress).toHaveCount(0, { timeout: 30_000 });
});

test("a folder that goes is said to be gone", async ({ page, list, oddApp, words }) => {
  await list.open();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  rmSync(oddApp.folder, { recursive: true });
  // Where nothing of one's own is left, the samples are listed.
  await expect(list.sampleChips.first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: words.of("sessions.sources.label") }).click();
  await expect(page.getByTestId("source-problems")).toContainText(words.of("sessions.sources.problem.vanished"));
});

// The server walks all folders once a minute: what is shown before that was heard of by watching them.
test("a file that appears in a new folder is listed on the open page, read when reading is resumed, and goes", async ({
  page,
  list,
  oddApp,
  words,
}) => {
  await list.open();
  await expect(list.row("Stop duplicate shipments").first()).toContainText("%");
  await steer(oddApp, "stop");
  const made = join(oddApp.folder, "made");
  mkdirSync(made);
  copySamples(made, [ROLLOUT]);
  const resume = page.getByRole("button", { name: words.of("sessions.status.resume") });
  await expect(resume).toBeVisible({ timeout: 30_000 });
  await expect(list.table.getByRole("row").filter({ hasText: words.of("sessions.row.indexing") })).toHaveCount(1, {
    timeout: 30_000,
  });
  await resume.click();
  await expect(list.table.getByText(words.of("sessions.row.indexing"))).toHaveCount(0, { timeout: 30_000 });
  await expect(resume).toHaveCount(0);
  const rows = list.table.getByRole("row").filter({ has: page.getByRole("link") });
  await expect(rows).toHaveCount(2);
  rmSync(made, { recursive: true });
  await expect(rows).toHaveCount(1, { timeout: 30_000 });
});
