import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionListPage } from "./pages/session-list";
import { narrowEnough, serious } from "./support/axe";
import { copySamples, ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const NO_SESSION = "没有会话-🙂.jsonl";

const place = mkdtempSync(join(tmpdir(), "context-replay-prices-"));
const prices = join(place, "mine.json");
let app: App;

test.beforeAll(async () => {
  writeFileSync(prices, '{"rows": [\n{"model": "claude-opus-4-6", "input": "dear", "output": 1}]}');
  app = await startApp({
    fill: (folder) => {
      copySamples(folder, [ENGLISH]);
      writeFileSync(join(folder, NO_SESSION), '{"path":"a.jsonl"}\n');
      symlinkSync(folder, join(folder, "loop"));
      symlinkSync("/etc", join(folder, "elsewhere"));
    },
    env: { CONTEXT_REPLAY_PRICES: prices },
  });
});
test.afterAll(async () => {
  await app.stop();
  rmSync(place, { recursive: true });
});

async function steer(action: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`${app.origin}/api/indexing`, { method: "POST", headers, body: JSON.stringify({ action }) });
}

// The server scans all folders once a minute: earlier changes come from its file watcher.
test("the open list reports unreadable files, and follows added and removed ones", async ({ page, words }) => {
  const list = new SessionListPage(page, app, words);
  const rows = list.table.getByRole("row").filter({ has: page.getByRole("link") });
  const sources = page.getByRole("button", { name: words.of("sessions.sources.label") });
  const problems = page.getByTestId("source-problems");
  const progress = page.getByRole("progressbar");
  await list.open();
  await expect(rows.first()).toContainText("%");
  await expect(progress).toHaveCount(0);

  await test.step("unreadable folders and files are listed among the sources, one per line", async () => {
    await expect(page.getByTestId("prices-problem")).toContainText("mine.json: line 2: rows[0].input");
    await sources.click();
    for (const [name, reason] of [
      ["loop", "sources.problem.cycle"],
      ["elsewhere", "sources.problem.outside"],
      [NO_SESSION, "row.reason.unknown-format"],
    ] as const)
      await expect(problems.getByRole("listitem").filter({ hasText: name })).toContainText(
        words.of(`sessions.${reason}`),
      );
    await serious(page, "sources");
    await page.setViewportSize({ width: 360, height: 780 });
    await narrowEnough(page);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await test.step("reading every file again keeps the list visible", async () => {
    const answered = page.waitForResponse(
      (answer) => answer.url().endsWith("/api/indexing") && answer.status() === 204,
    );
    await page.getByRole("button", { name: words.of("sessions.sources.again") }).click();
    await answered;
    await expect(page.getByText(words.of("sessions.sources.againBegun"))).toBeVisible();
    await expect(rows.first()).toContainText("%");
    await expect(progress).toHaveCount(0, { timeout: 30_000 });
    await page.keyboard.press("Escape");
    await expect(problems).toHaveCount(0);
  });

  await test.step("a file added to a new folder is listed, read when reading resumes, and removed", async () => {
    await steer("stop");
    const made = join(app.folder, "made");
    mkdirSync(made);
    copySamples(made, [ROLLOUT]);
    const resume = page.getByRole("button", { name: words.of("sessions.status.resume") });
    const waiting = list.table.getByText(words.of("sessions.row.indexing"));
    await expect(resume).toBeVisible({ timeout: 30_000 });
    await expect(list.table.getByRole("row").filter({ hasText: words.of("sessions.row.indexing") })).toHaveCount(1, {
      timeout: 30_000,
    });
    await resume.click();
    await expect(waiting).toHaveCount(0, { timeout: 30_000 });
    await expect(resume).toHaveCount(0);
    await expect(rows).toHaveCount(2);
    rmSync(made, { recursive: true });
    await expect(rows).toHaveCount(1, { timeout: 30_000 });
  });

  await test.step("removing a folder is reported", async () => {
    rmSync(app.folder, { recursive: true });
    // Without own sessions the samples are listed.
    await expect(list.sampleChips.first()).toBeVisible({ timeout: 30_000 });
    await sources.click();
    await expect(problems).toContainText(words.of("sessions.sources.problem.vanished"));
  });
  // A page that listens to a stopped server would log an error.
  await page.close();
});
