import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLarge } from "@/bench/support/large";
import type { SessionPage } from "./pages/session";
import type { SessionListPage } from "./pages/session-list";
import { CHINESE, copySamples, ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, testOnApp } from "./support/fixtures";
import { startApp } from "./support/server";

/** Larger than a proxy's default limit for a body, 10 MB. */
const LARGE = 11e6;
const MAX_BYTES = 12.5e6;

const test = testOnApp(() =>
  startApp({ fill: (to) => copySamples(to, [ENGLISH]), env: { CONTEXT_REPLAY_MAX_UPLOAD: String(MAX_BYTES) } }),
);

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "context-replay-upload-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a file is uploaded, replayed under another trigger, and reopened from its address", async ({
  page,
  list,
  session,
  words,
}) => {
  await uploaded(list, session, samplePath(ENGLISH));
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(session.title).toContainText("Stop duplicate shipments after retried imports");
  await expect(session.chart).toHaveAccessibleName(words.like("session.timeline.chart"));

  await session.choosePolicy(words.of("replay.policy.custom"));
  expect(await session.recorded("compactions")).toBe(1);
  const before = await session.simulated("compactions");
  const sent = await session.simulated("tokensSent");
  const trigger = session.slider("triggerShare");

  await test.step("moving the trigger by pointer or keys moves the compactions", async () => {
    await session.drag(trigger, 0.25, 4);
    await expect.poll(() => session.simulated("compactions")).toBeGreaterThan(before);
    expect(await session.simulated("tokensSent")).toBeLessThan(sent);
    const dragged = await session.simulated("compactions");
    await expect(session.simulatedMarks.first()).toBeVisible();

    const atMouse = Number(await trigger.inputValue());
    await trigger.focus();
    await page.keyboard.press("ArrowRight");
    await expect(trigger).toHaveValue(String(Number((atMouse + 0.01).toFixed(6))));
    await page.keyboard.press("PageDown");
    await expect.poll(async () => Number(await trigger.inputValue())).toBeLessThan(atMouse);
    await expect.poll(() => session.simulated("compactions")).toBeGreaterThan(dragged);
  });

  await test.step("reloading the address opens the same view", async () => {
    const value = await trigger.inputValue();
    const compactions = await session.simulated("compactions");
    await expect(page).toHaveURL(new RegExp(`policy=custom.*set\\.triggerShare=${value}(&|$)`));
    await page.reload();
    await session.ready();
    await expect(trigger).toHaveValue(value ?? "");
    expect(await session.simulated("compactions")).toBe(compactions);
  });

  await test.step("pointing at a request shows its breakdown, and the recorded boundary shows its effect", async () => {
    await session.follow(ENGLISH, "");
    await session.ready();
    await session.cursor.hover({ position: { x: 300, y: 120 } });
    await expect(page.getByTestId("hover-card")).toContainText(words.of("session.band.results"));
    await session.cursor.click({ position: { x: 300, y: 120 } });
    await expect(page).toHaveURL(/[?&]at=\d+/);
    const at = Number(await session.cursor.getAttribute("aria-valuenow"));
    expect(at).toBeGreaterThan(5);
    const shown = session.transcript.locator(`li[aria-posinset]`).filter({ hasText: new RegExp(`^${at}\\D`) });
    await expect(shown.first()).toBeInViewport();

    await session.tab("composition");
    await expect(session.composition).toContainText(words.of("session.category.freeSpace"));
    const sum = await page.getByTestId("composition-sum").innerText();
    expect(sum.replace(/\D/g, "")).toBe("200000");

    await session.tab("boundaries");
    const boundaries = page.getByRole("navigation", { name: words.of("session.boundary.list") });
    await boundaries.getByRole("treeitem", { level: 2 }).first().click();
    await expect(page.getByTestId("boundary-details")).toContainText("169,802");
  });
});

test.describe("in Chinese", () => {
  test.use({ locale: "zh-CN" });

  test("a Chinese session is uploaded and replayed", async ({ page, list, session, words }) => {
    await uploaded(list, session, samplePath(CHINESE));
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(session.title).toContainText("修复日报差一天，并把导出改为增量");
    await expect(session.chart).toHaveAccessibleName(words.like("session.timeline.chart"));
    await session.choosePolicy(words.of("replay.policy.custom"));
    expect(await session.recorded("compactions")).toBe(0);
    const before = await session.simulated("compactions");
    await session.drag(session.slider("triggerShare"), 0.25, 4);
    await expect.poll(() => session.simulated("compactions")).toBeGreaterThan(before);
  });
});

test("an upload of 11 MB arrives complete", async ({ page, app, list, session }) => {
  const path = join(folder, "large.jsonl");
  await makeLarge(samplePath(ENGLISH), path, LARGE);
  await list.open();
  await list.choose(path);
  await page.waitForURL(/\/sessions\//, { timeout: 60_000 });
  await session.ready();
  const { sessions }: { sessions: readonly { name: string; bytes: number }[] } = await (
    await fetch(`${app.origin}/api/sessions?limit=50`)
  ).json();
  expect(sessions.find(({ name }) => name === "large.jsonl")?.bytes).toBe(statSync(path).size);
});

test("files are refused with a reason, read in another format, dropped and removed", async ({
  page,
  app,
  list,
  session,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/4\d\d|ERR_/);
  await list.open("?near=no&compacted=yes");
  // The longest sample reached 84.9 % of its window.
  const own = list.link("Stop duplicate shipments").first();
  const sessions = page.getByRole("banner").getByRole("link", { name: words.of("common.nav.sessions"), exact: true });
  await expect(own).toBeVisible();

  await test.step("the filters in force are described in words", async () => {
    const description = page.getByTestId("filters-in-words");
    await expect(description).toContainText(words.of("sessions.filter.nearNo"));
    await expect(description).toContainText(words.of("sessions.filter.compactedYes"));
    await page.getByRole("button", { name: words.of("sessions.filter.clear") }).click();
    await expect(description).toBeHidden();
  });

  await test.step("a file above the limit is refused with a reason and a way out", async () => {
    const path = join(folder, "too-large.jsonl");
    writeFileSync(path, Buffer.alloc(MAX_BYTES + 1, "\n"));
    await list.choose(path);
    await expect(list.alert).toContainText(words.of("sessions.upload.tooLarge"));
    await expect(page).toHaveURL(`${app.origin}/`);
  });

  await test.step("a file that is not a transcript is refused with a reason", async () => {
    const path = join(folder, "holiday.bin");
    writeFileSync(path, Buffer.alloc(300_000, 7).fill(0, 0, 4000));
    await list.choose(path);
    await expect(list.alert).toContainText("is a binary file");
    await sessions.click();
    await expect(own).toBeVisible();
    await expect(page.getByText(words.of("sessions.failed.title"))).toHaveCount(0);
  });

  await test.step("several files are sent at once, with the number opened and the reasons for the others", async () => {
    const path = join(folder, "table.csv");
    writeFileSync(path, "name,price\npear,3\n");
    await list.choose([samplePath(ROLLOUT), path, samplePath(CHINESE)]);
    const result = page.getByRole("status").filter({ hasText: "table.csv" });
    await expect(result).toContainText(words.filled("sessions.upload.result", { opened: 2, failed: 1 }));
    await expect(result).toContainText("not a transcript");
    await result.getByRole("button", { name: words.of("sessions.upload.dismiss") }).click();
    await expect(result).toHaveCount(0);
    await expect(list.row("Rate limiter lets bursts through")).toBeVisible();
  });

  await test.step("a file of unknown format shows its beginning, and is read in the selected format", async () => {
    const path = join(folder, "notes.jsonl");
    const lines = [{ kind: "head" }, { role: "user", content: "One." }, { role: "assistant", content: "Two." }];
    writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
    await list.choose(path);
    await expect(list.alert).toContainText("first keys: kind, role, content.");
    const chat = words.of("common.format.chat");
    await expect(page.getByTestId("likely-format")).toHaveText(
      words.filled("session.format.likely", { format: chat, count: 2 }),
    );
    await page.getByRole("combobox", { name: words.of("session.format.title") }).click();
    await expect(page.getByRole("option").first()).toHaveText(
      words.filled("session.format.finds", { format: chat, count: 2 }),
    );
    await page.getByRole("option").first().click();
    await session.ready();
    await expect(page).toHaveURL(/~chat$/);
    await expect(session.title).toContainText("One.");
    await sessions.click();
  });

  await test.step("a dropped file is opened, listed, and removed after a confirmation", async () => {
    await expect(own).toBeVisible();
    await list.drop("colleague.jsonl", readFileSync(samplePath(ROLLOUT), "utf8"));
    await page.waitForURL(/\/sessions\//);
    await session.ready();
    await sessions.click();
    const row = list.row("Rate limiter lets bursts through");
    await expect(row.getByText(words.of("sessions.row.upload"), { exact: true })).toBeVisible();

    const selection = page.getByRole("region", { name: words.of("sessions.select.label") });
    await row.getByRole("checkbox").check();
    await expect(selection).toBeVisible();
    await row.getByRole("button", { name: words.like("sessions.upload.remove") }).click();
    await page.getByRole("button", { name: words.of("sessions.upload.removeNow") }).click();
    await expect(row).toHaveCount(0);
    // A removed session is no longer ticked.
    await expect(selection).toHaveCount(0);
    await expect(own).toBeVisible();
  });

  await test.step("leaving the page during an upload keeps the new page open", async () => {
    let send = (): void => undefined;
    const isLetThrough = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route("**/api/uploads*", async (route) => {
      await isLetThrough;
      await route.continue();
    });
    const sent = page.waitForResponse((response) => response.url().includes("/api/uploads"));
    await list.choose(samplePath(ENGLISH));
    await own.click();
    await session.ready();
    const gone: string[] = [];
    page.on("request", (request) => gone.push(new URL(request.url()).pathname));
    send();
    await (await sent).finished();
    // A page opened meanwhile would have been requested by now.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(gone.filter((path) => path.startsWith("/sessions/"))).toEqual([]);
  });
});

/** Selects a file in the list and waits for its session, which opens by itself. */
async function uploaded(list: SessionListPage, session: SessionPage, path: string): Promise<void> {
  await list.open();
  await expect(list.heading).toBeAttached();
  await list.choose(path);
  await list.page.waitForURL(/\/sessions\//);
  await session.ready();
}
