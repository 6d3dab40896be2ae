import { copyFileSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request } from "@playwright/test";
import { writeManyItems } from "@/bench/support/many-items";
import { type Finding, insightsAnswer, type PoliciesAnswer, policiesEvent } from "@/lib/queries/contract/schemas";
import { inScheme, narrowEnough, serious } from "./support/axe";
import { CHINESE, copySamples, ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";
import { RECORDINGS } from "./support/recordings";
import { startApp } from "./support/server";

test("insights show the API's sums and policies, and every bar and link opens its sessions", async ({
  page,
  app,
  words,
  list,
  expectedErrors,
}) => {
  expectedErrors.push(/500/);
  let isAway = true;
  await page.route("**/api/sessions/choices*", (route) => (isAway ? route.fulfill({ status: 500 }) : route.continue()));
  await page.goto(`${app.origin}/insights`);

  await test.step("a server error is reported, and the query is repeated", async () => {
    const retry = page
      .getByRole("main")
      .getByRole("alert")
      .getByRole("button", { name: words.of("common.action.retry") });
    await expect(retry).toBeVisible();
    isAway = false;
    // When the list changes, the page asks again by itself.
    await expect(async () => {
      if (await retry.isVisible()) await retry.click({ timeout: 500 });
      await expect(page.getByTestId("sums")).toBeVisible({ timeout: 1000 });
    }).toPass();
  });

  // The page has the same colours at every width, so each scheme is checked once.
  await test.step("the page has no serious accessibility fault, wide and narrow, light and dark", async () => {
    await serious(page, "insights");
    await narrowEnough(page);
    await page.setViewportSize({ width: 360, height: 900 });
    await inScheme(page, "dark");
    await serious(page, "insights, narrow and dark");
    await narrowEnough(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await inScheme(page, "light");
  });

  await test.step("the table of policies shows the API's values", async () => {
    const policies = page.getByTestId("policies");
    const asking = page.waitForRequest((request) => request.url().endsWith("/api/insights/policies"));
    await policies.getByRole("button", { name: words.of("insights.policies.start") }).click();
    const answer = await answeredTo(await asking);
    expect(answer.sessions).toBe(2);
    const rows = page.getByTestId("policies-table").locator("tbody tr");
    await expect(rows).toHaveCount(answer.rows.length);
    for (const [at, { policy, compactions, requestsOverWindow, cost, tokens }] of answer.rows.entries()) {
      await expect(rows.nth(at)).toHaveAttribute("data-policy", policy);
      const cells = await rows.nth(at).getByRole("cell").allInnerTexts();
      expect(cells.slice(-2).map(numberOf)).toEqual([compactions, requestsOverWindow]);
      expect(Math.abs(numberOf(cells[0] ?? "") - (cost?.total ?? 0))).toBeLessThanOrEqual(0.005);
      expect(Math.abs(numberOf(cells[2] ?? "") / (tokens?.total ?? 1) - 1)).toBeLessThan(0.05);
      if (tokens?.saving != null)
        expect(cells[3]).toContain((tokens.saving.estimate * 100).toFixed(1).replace("-", "−"));
    }
    await serious(page, "policies compared");
  });

  const bar = page.locator('[data-chart="cost"] .recharts-bar-rectangle').first();
  await test.step("bars are not redrawn when another part of the page changes", async () => {
    const drawn = await bar.elementHandle();
    await page.getByRole("button", { name: words.of("insights.sums.table"), exact: true }).click();
    await expect(page.getByTestId("sums").getByRole("table")).toBeVisible();
    expect(await drawn?.evaluate((element) => element.isConnected)).toBe(true);
  });

  await test.step("pressing a bar or link opens its sessions", async () => {
    await page.getByTestId("trust").locator("summary").click();
    const trust = page.getByTestId("trust").getByRole("link", { name: /Codex/u });
    await trust.click();
    await expect(page).toHaveURL(/agent=codex&version=/u);
    await expect(list.table.getByRole("row").filter({ has: page.getByRole("link") })).toHaveCount(1);
    await page.goBack();
    await bar.click();
    await expect(page).toHaveURL(/where=day/u);
    await expect(list.table.getByRole("row").filter({ has: page.getByRole("link") })).toHaveCount(1);
  });
});

for (const [what, fill] of [
  ["samples", (folder: string) => copySamples(folder, [ENGLISH, CHINESE, ROLLOUT])],
  ["recordings", (folder: string) => RECORDINGS.forEach((path) => copyFileSync(path, join(folder, basename(path))))],
] as const)
  test(`insights over the ${what} open with findings: number, confidence, sessions and next step`, async ({
    page,
    words,
  }) => {
    test.skip(what === "recordings" && RECORDINGS.length === 0, "there are no recordings beside the checkout");
    const app = await startApp({ fill });
    try {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${app.origin}/insights`);
      const items = page.getByTestId("findings").getByRole("listitem").and(page.locator("[data-finding]"));
      const findings = await allFindings(app.origin);
      expect(findings.length).toBeGreaterThan(0);
      await expect(items).toHaveCount(findings.length);

      await test.step("the first screen shows the API's findings in order, before any form", async () => {
        for (const [at, { id, confidence, because, count, largest }] of findings.entries()) {
          const item = items.nth(at);
          await expect(item).toHaveAttribute("data-finding", id);
          await expect(item.getByTestId("finding-sentence")).toContainText(String(count));
          const sentence = `${words.of(`insights.findings.confidence.${confidence}`)}${words.of(`insights.findings.because.${because}`)}`;
          await expect(item).toContainText(sentence);
          for (const { title } of largest) await expect(item.getByRole("link", { name: title })).toBeVisible();
        }
        await expect(items.first()).toBeInViewport({ ratio: 1 });
        const [found, form] = await Promise.all(["findings", "advice"].map((id) => page.getByTestId(id).boundingBox()));
        expect((found?.y ?? 0) + (found?.height ?? 0)).toBeLessThanOrEqual(form?.y ?? 0);
      });

      await test.step("findings are not coloured as better or worse", async () => {
        const accent = page.getByTestId("findings").locator(".text-accent, .text-better, .text-danger");
        await expect(accent).toHaveCount(0);
      });

      await test.step("the next step of the threshold finding starts a comparison of thresholds with one click", async () => {
        await items
          .last()
          .getByRole("link", { name: words.of("insights.findings.next.advice") })
          .click();
        await expect(page).toHaveURL(/policy=[a-z-]+.*vary=/u);
        await expect(page.getByTestId("advice").getByRole("heading", { level: 2 })).toBeInViewport();
      });

      await test.step("without evidence no value is marked as better", async () => {
        const card = page.getByTestId("advice-card");
        await expect(card.getByRole("heading", { level: 3 })).toHaveAttribute("data-evidence", "false");
        await expect(card.getByTestId("missing")).toContainText("Best guess, not proven");
        await expect(card.locator("[data-better=true]")).toHaveCount(0);
      });

      await test.step("a session of a finding opens in the tab that shows it", async () => {
        const first = findings.find(({ next }) => next.tab !== null);
        if (first === undefined) return;
        const item = page.locator(`[data-finding=${first.id}]`);
        await item.getByRole("link", { name: words.of(`insights.findings.next.${first.next.tab}`) }).click();
        await expect(page).toHaveURL(new RegExp(`/sessions/${first.largest[0]?.id}\\?tab=${first.next.tab}`, "u"));
      });
      await page.goto("about:blank");
    } finally {
      await app.stop();
    }
  });

test.describe("in Chinese, on a dark phone", () => {
  test.use({ locale: "zh-CN", colorScheme: "dark", viewport: { width: 360, height: 780 }, hasTouch: true });

  test("findings are readable, and have no serious accessibility fault", async ({ page, app, words }) => {
    await page.goto(`${app.origin}/insights`);
    const findings = page.getByTestId("findings");
    await expect(findings.getByRole("heading", { level: 2 })).toHaveText(words.of("insights.findings.title"));
    await expect(findings.locator("[data-finding=threshold]")).toContainText("会话太少");
    await narrowEnough(page);
    await serious(page, "findings, narrow and dark", { within: "[data-testid=findings]" });
  });
});

/** The findings of the API once all files are read. */
async function allFindings(origin: string) {
  let findings: readonly Finding[] = [];
  await expect(async () => {
    const { indexing } = await (await fetch(`${origin}/api/sessions?limit=1`)).json();
    expect(indexing.done).toBe(indexing.total);
    const answer = insightsAnswer.parse(await (await fetch(`${origin}/api/insights`)).json());
    findings = answer.findings;
  }).toPass();
  return findings;
}

test("a recommendation started during indexing covers all sessions, and its link gives the same", async ({
  page,
  words,
}) => {
  const app = await startApp({ fill: (folder) => copySamples(folder, [ENGLISH, CHINESE, ROLLOUT]) });
  try {
    await page.goto(`${app.origin}/insights?policy=claude-code`);
    await expect(
      page.getByTestId("advice").getByRole("button", { name: words.of("insights.advice.start") }),
    ).toBeEnabled();
    // The server has only just begun to read the files.
    await page.keyboard.press("r");
    await expect(page.getByTestId("advice-card").getByRole("heading", { level: 3 })).toHaveText(
      words.of("insights.advice.conclusion.few"),
    );
    await expect(page.getByTestId("missing")).toContainText(words.of("insights.missing.sessions"));
    await expect(page.getByTestId("evidence")).toContainText("2 sessions");
    await expect(page).toHaveURL(/policy=claude-code.*vary=/);
    const evidence = await page.getByTestId("evidence").innerText();
    await serious(page, "a recommendation");

    await page.reload();
    await page
      .getByTestId("advice")
      .getByRole("button", { name: words.of("insights.advice.start") })
      .click();
    await expect(page.getByTestId("evidence")).toHaveText(evidence);
    // A stopped server gets no request.
    await page.goto("about:blank");
  } finally {
    await app.stop();
  }
});

/** The API's answer to the page's own query. */
async function answeredTo(request: Request): Promise<PoliciesAnswer> {
  const { origin } = new URL(request.url());
  const headers = { "content-type": "application/json", origin };
  const response = await fetch(request.url(), { method: "POST", headers, body: request.postData() });
  const last = (await response.text()).split("\n").findLast((line) => line.startsWith("data:"));
  const event = policiesEvent.parse(JSON.parse(last?.slice(5) ?? ""));
  if (event.type !== "answer") throw new Error(JSON.stringify(event));
  return event.answer;
}

function numberOf(text: string): number {
  const [, digits = "", unit = ""] = /(-?[\d,.]+)\s*([kM]?)/u.exec(text) ?? [];
  return Number(digits.replaceAll(",", "")) * (unit === "k" ? 1e3 : unit === "M" ? 1e6 : 1);
}

/** Enough sessions that all policies over them take a while. */
const MANY = { sessions: 6, items: 2000 };

test("a stopped query shows its progress, leaves the server idle, and can be resumed", async ({ page, words }) => {
  test.setTimeout(180_000);
  const app = await startApp({
    fill: async (folder) => {
      for (let number = 1; number <= MANY.sessions; number += 1)
        await writeManyItems(join(folder, `${number}.jsonl`), MANY.items, number);
    },
  });
  try {
    await page.goto(`${app.origin}/insights`);
    const policies = page.getByTestId("policies");
    const status = policies.getByTestId("answer-status");
    const start = policies.getByRole("button", { name: words.of("insights.policies.start") });
    // The recordings are read first.
    await expect(start).toBeEnabled({ timeout: 120_000 });
    await start.click();
    // Reported after every session, so it is visible on the way; before that, for files.
    const progress = new RegExp(
      words.filled("insights.progress.sessions", { done: "(\\d+)", total: MANY.sessions }),
      "u",
    );
    const replayed = async () => Number(progress.exec(await status.innerText())?.[1] ?? 0);
    await expect.poll(replayed, { timeout: 120_000, intervals: [50] }).toBeGreaterThan(0);
    await policies.getByRole("button", { name: words.of("insights.stop") }).click();
    const stopped = await status.innerText();
    const [done = 0, total] = (stopped.match(/\d+/gu) ?? []).map(Number);
    expect([stopped, total]).toEqual([expect.stringMatching(/^Stopped: /u), MANY.sessions]);
    expect([done > 0, done < MANY.sessions]).toEqual([true, true]);
    // The server becomes idle, though most is not done.
    await expect.poll(() => processorUse(app.pid), { timeout: 20_000 }).toBeLessThan(AT_REST);
    await expect(status).toHaveText(stopped);
    await expect(page.getByTestId("policies-table")).toHaveCount(0);

    await start.click();
    // With little left, the answer may arrive before anything is visible.
    const answer = page.getByTestId("policies-table");
    const reached = async () => ((await answer.count()) > 0 ? MANY.sessions : replayed());
    await expect.poll(reached, { timeout: 60_000 }).toBeGreaterThanOrEqual(done);
    await page.goto("about:blank");
  } finally {
    await app.stop();
  }
});

/** Below this share of one processor a server without requests counts as idle. */
const AT_REST = 0.15;
const WATCHED_MS = 1000;
/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;

/** Share of a processor that a process uses for a second. */
async function processorUse(pid: number): Promise<number> {
  const before = ticksOf(pid);
  await sleep(WATCHED_MS);
  return ((ticksOf(pid) - before) / TICKS) * (1000 / WATCHED_MS);
}

/** Processor time of a process, in kernel and user mode. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
