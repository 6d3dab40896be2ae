import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLarge } from "@/bench/support/large";
import { copySamples, ENGLISH, samplePath } from "./support/files";
import { expect, testOnApp } from "./support/fixtures";
import { startApp } from "./support/server";

/** More than a proxy passes on of a body unless it is told otherwise, which is 10 MB. */
const LARGE = 12e6;
const MOST = 15e6;

const test = testOnApp(() =>
  startApp({ fill: (to) => copySamples(to, [ENGLISH]), env: { CONTEXT_REPLAY_MAX_UPLOAD: String(MOST) } }),
);

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "context-replay-upload-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("12 MB arrive complete", async ({ page, app, list, session }) => {
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

test("a file above the limit is refused with a reason and a way out", async ({
  page,
  app,
  list,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/413|ERR_/);
  const path = join(folder, "too-large.jsonl");
  writeFileSync(path, Buffer.alloc(MOST + 1, "\n"));
  await list.open();
  await list.choose(path);
  await expect(list.alert).toContainText(words.of("sessions.upload.tooLarge"));
  await expect(page).toHaveURL(`${app.origin}/`);
});

test("a file of no known format says what was seen, and is read as the one that is chosen", async ({
  page,
  list,
  session,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/422/);
  const path = join(folder, "notes.jsonl");
  const lines = [{ kind: "head" }, { role: "user", content: "One." }, { role: "assistant", content: "Two." }];
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  await list.open();
  await list.choose(path);
  await expect(list.alert).toContainText("first keys: kind, role, content.");
  const choice = page.getByRole("navigation", { name: words.of("session.format.title") });
  await choice.getByRole("link", { name: words.of("common.format.chat") }).click();
  await session.ready();
  await expect(page).toHaveURL(/~chat$/);
  await expect(session.title).toContainText("One.");
});

test("a file that is no transcript is refused with a reason, and the page goes on", async ({
  page,
  list,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/4\d\d/);
  const path = join(folder, "holiday.bin");
  writeFileSync(path, Buffer.alloc(300_000, 7).fill(0, 0, 4000));
  await list.open();
  await list.choose(path);
  await expect(list.alert).toContainText("is a binary file");
  await list.open();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await expect(page.getByText(words.of("sessions.failed.title"))).toHaveCount(0);
});

test("an upload is removed after a question; filters are told in words", async ({ page, list, session, words }) => {
  await list.open();
  await list.choose(samplePath(ENGLISH));
  await session.ready();
  await list.open("?near=no&compacted=yes");
  const said = page.getByTestId("filters-in-words");
  await expect(said).toContainText(words.of("sessions.filter.nearNo"));
  await expect(said).toContainText(words.of("sessions.filter.compactedYes"));
  // The longest sample reached 84.9 % of its window.
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await list.open();
  await expect(said).toBeHidden();
  const upload = list.table.getByText(words.of("sessions.row.upload"), { exact: true });
  // Other tests may have opened files here too.
  await expect(upload.first()).toBeVisible();
  const before = await upload.count();
  const selection = page.getByRole("region", { name: words.of("sessions.select.label") });
  const row = list.table.getByRole("row").filter({ hasText: words.of("sessions.row.upload") });
  await row.first().getByRole("checkbox").check();
  await expect(selection).toBeVisible();
  await page
    .getByRole("button", { name: words.like("sessions.upload.remove") })
    .first()
    .click();
  await page.getByRole("button", { name: words.of("sessions.upload.removeNow") }).click();
  await expect(upload).toHaveCount(before - 1);
  // What is gone is ticked no more.
  await expect(selection).toHaveCount(0);
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
});

test("who goes elsewhere while a file is sent stays there", async ({ page, list, session }) => {
  let send = (): void => undefined;
  const isLetThrough = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route("**/api/uploads*", async (route) => {
    await isLetThrough;
    await route.continue();
  });
  await list.open();
  const sent = page.waitForResponse((response) => response.url().includes("/api/uploads"));
  await list.choose(samplePath(ENGLISH));
  await list.link("Stop duplicate shipments").first().click();
  await session.ready();
  const gone: string[] = [];
  page.on("request", (request) => gone.push(new URL(request.url()).pathname));
  send();
  await (await sent).finished();
  // A page that was gone to would be asked for by now.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect(gone.filter((path) => path.startsWith("/sessions/"))).toEqual([]);
});
