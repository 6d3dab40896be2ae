import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { cost } from "@/lib/queries/contract/cost";
import type { Cost } from "@/lib/queries/contract/types";
import { SessionPage } from "./pages/session";
import { narrowEnough, serious, TAB } from "./support/axe";
import { NO_PRICE, ODD_USAGE } from "./support/changed-samples";
import { ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { sharedApp } from "./support/global-setup";

const PROGRAM = fileURLToPath(new URL("../bin/context-replay.mjs", import.meta.url));
const run = promisify(execFile);
const FILES = [ENGLISH, ROLLOUT];

let known: Promise<readonly string[]> | undefined;

/** Output of `cost --json` for a sample, and its cost with a cache TTL of an hour. The command runs once for all of them. */
async function printed(file: string): Promise<Cost> {
  known ??= run(process.execPath, [PROGRAM, "cost", ...FILES.map(samplePath), "--ttl", "1h", "--json"], {
    cwd: join(PROGRAM, "..", ".."),
  }).then(({ stdout }) => stdout.split("\n"));
  return cost.parse(JSON.parse((await known)[FILES.indexOf(file)] ?? ""));
}

/** Formats dollars as the page and the command line do. */
function usd(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return "n/a";
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return `$${amount.toFixed(digits)}`;
}

/** Expects the tab to show the answer. */
async function shows(page: Page, answer: Cost): Promise<void> {
  const { bill, costUsd, breaks, breaksByCause, cacheRule, dearest: mostExpensive, whatIf } = answer;
  const total = page.getByTestId("cost-total");
  await expect(total).toContainText(`${costUsd.lowerBound === true ? "≥\u00a0" : ""}${usd(costUsd.total)}`);
  await expect(total).toContainText(usd(costUsd.input));
  await expect(page.getByTestId("header-cost")).toContainText(usd(costUsd.total));

  for (const name of ["own", "branches"] as const) {
    const cells = page.getByTestId("cost-bill").locator(`[data-bill="${name}"]`).getByRole("cell");
    if (bill.branches === null) await expect(cells).toHaveCount(0);
    else {
      await expect(cells.first()).toHaveText(String(bill[name]?.requests));
      await expect(cells.last()).toHaveText(usd(bill[name]?.costUsd.total));
    }
  }

  // A replay has only the requests of the main chain.
  const recorded = (row: string) => page.locator(`[data-compared="${row}"]`).getByRole("cell").first();
  for (const part of ["read", "write", "plain", "output", "total"] as const) {
    await expect(recorded(part), part).toContainText(usd(bill.own?.costUsd[part]));
  }
  for (const [cause, sum] of Object.entries(breaksByCause ?? {})) {
    if (sum === undefined || cause === "growth" || cause === "first" || !("count" in sum)) continue;
    const cells = page.getByTestId("break-causes").locator(`[data-cause="${cause}"]`).getByRole("cell");
    await expect(cells).toHaveText([String(sum.count), sum.tokens.toLocaleString("en"), usd(sum.usd)]);
  }
  const byCost = (breaks ?? [])
    .filter(({ cause }) => cause !== "first")
    .sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0))
    .map(({ request }) => String(request));
  const listed = page.getByTestId("breaks").locator("[data-break]");
  expect(await listed.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-break")))).toEqual(byCost);
  await expect(page.getByTestId("cache-rule")).toContainText(`In ${cacheRule?.pairs} pairs`);
  await expect(page.getByTestId("cache-rule")).toContainText(`${cacheRule?.exact} (`);
  await page.getByTestId("rule-misses").locator("summary").click();
  await expect(page.getByTestId("rule-misses").getByRole("row")).toHaveCount(
    1 + Math.min(20, cacheRule?.misses.length ?? 0),
  );

  const expensive = page.getByTestId("most-expensive").getByRole("button");
  await expect(expensive).toHaveCount(3);
  for (const [index, one] of mostExpensive.entries()) {
    await expect(expensive.nth(index)).toHaveAttribute("data-expensive", String(one.request));
    await expect(expensive.nth(index)).toContainText(usd(one.usd));
  }
  const { beforeBreaks, lifetimes: ttls } = whatIf;
  const instead = (name: string) => page.locator(`[data-what-if="${name}"]`);
  await expect(instead("before-breaks")).toContainText(usd(Math.abs(beforeBreaks?.savedUsd ?? Number.NaN)));
  await expect(instead("lifetimes")).toContainText(ttls === null ? "n/a" : usd(ttls.longUsd));
}

test("a session's costs equal the command line's, and its requests are reached by keyboard", async ({
  page,
  session,
  words,
}) => {
  const answer = await printed(ENGLISH);
  const { boundaries, bill, breaks, dearest: mostExpensive, withTtl } = answer;
  const late = session.lateAnswers();
  await session.open(ENGLISH);

  await test.step("the timeline marks cache misses and compactions that paid off", async () => {
    const broken = (breaks ?? []).filter(({ cause }) => cause !== "first");
    await expect(page.locator("[data-break-tick]")).toHaveCount(broken.length);
    await expect(page.locator('[data-payback="recorded"][data-paid="true"]')).toHaveCount(1);
  });

  await test.step("boundaries and contributors show their cost", async () => {
    const [boundary] = boundaries;
    await session.tab("boundaries");
    await expect(page.locator('[data-boundary-entry="simulated"]').getByTestId("boundary-cost").first()).toContainText(
      "$",
    );
    await expect(page.getByTestId("boundary-cost").first()).toContainText(usd(boundary?.usd));
    await expect(page.getByTestId("boundary-money")).toContainText(usd(boundary?.rewritingUsd));
    // "Re-sent uncached" beside it leaves new content out.
    await expect(page.getByTestId("boundary-money")).toContainText("for uncached tokens, new content included,");
    await expect(page.getByTestId("boundary-money")).toContainText(`${Math.ceil(boundary?.breakEven ?? 0)} requests`);
    await session.tab("contributors");
    await expect(page.getByTestId("contributors-cost")).toHaveText(usd(bill.own?.costUsd.input));
  });

  await test.step("key 8 opens the cost tab", async () => {
    await page.keyboard.press("8");
    await expect(page).toHaveURL(/tab=cost/);
    await shows(page, answer);
  });

  await test.step("the most expensive requests are reached by keyboard, and a bar lists its requests", async () => {
    await page.getByRole("tab", { name: words.of("session.tab.cost") }).focus();
    const first = page.getByTestId("most-expensive").getByRole("button").first();
    for (let press = 0; press < 20 && !(await first.evaluate((one) => one === document.activeElement)); press++) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`[?&]at=${mostExpensive[0]?.request}(&|$)`));
    await expect(page.getByTestId("cost-card")).toContainText(usd(mostExpensive[0]?.usd));

    for (const step of ["warm", "output", "total"]) {
      await page.getByTestId("waterfall").locator(`[data-step="${step}"]`).getByRole("button").press("Enter");
      await expect(page).toHaveURL(new RegExp(`step=${step}`));
      await expect(page.getByTestId("step-rows").getByRole("row").nth(1)).toBeVisible();
    }
    const row = page.getByTestId("step-rows").getByRole("row").nth(2);
    await row.getByRole("button").press("Enter");
    await expect(page).toHaveURL(new RegExp(`[?&]at=${mostExpensive[1]?.request}(&|$)`));
    await serious(page, "the Cost tab with an opened bar", TAB);
  });

  await test.step("a cache miss links to its request, and a cause filters the list", async () => {
    const broken = page.getByTestId("breaks").locator("[data-break]");
    const request = await broken.first().getAttribute("data-break");
    await broken.first().getByRole("button").click();
    await expect(page).toHaveURL(new RegExp(`[?&]at=${request}(&|$)`));
    await expect(page.getByTestId("cost-cursor")).toHaveAttribute("data-request", String(request));
    await expect(page.getByTestId("cost-card")).toBeVisible();
    await page.getByTestId("waterfall").locator('[data-step="compaction"]').getByRole("button").click();
    await expect(page).toHaveURL(/cause=compaction/);
    const own = breaks?.filter(({ cause }) => cause === "compaction") ?? [];
    await expect(broken).toHaveCount(own.length);
  });

  await test.step("changing the TTL or a slider sends no request, and the address keeps the choice", async () => {
    await session.choosePolicy(words.of("replay.policy.custom"));
    await expect(page).toHaveURL(/policy=custom/);
    const total = page.locator('[data-compared="total"]').getByRole("cell");
    await expect(total).toHaveCount(3);
    await late;
    const asked = session.asked();
    const before = await total.nth(1).innerText();
    const drawn = page.getByTestId("simulated-cost-bars").locator('[data-part="read"]');
    const bars = await drawn.getAttribute("d");
    await session.drag(session.slider("triggerShare"), 0.2, 4);
    await expect(total.nth(1)).not.toHaveText(before);
    await expect(drawn).not.toHaveAttribute("d", bars ?? "");
    await page.getByRole("radio", { name: words.of("cost.ttl.1h") }).click();
    await expect(page).toHaveURL(/ttl=1h/);
    await expect(total.nth(1)).toContainText(usd(withTtl?.costUsd.total));
    await page.getByRole("radio", { name: words.of("cost.unit.tokens") }).click();
    await expect(page).toHaveURL(/unit=tokens/);
    await expect(page.getByTestId("simulated-sent")).toBeAttached();
    expect(asked, "nothing is asked of the server").toEqual([]);
    const table = page.getByRole("button", { name: words.of("session.table.toggle"), exact: true });
    await table.click();
    await expect(page.getByTestId("cost-table").getByRole("row").nth(1)).toBeVisible();
    await table.click();
  });

  await test.step("a session of another agent shows its own costs", async () => {
    await session.follow(ROLLOUT, "?tab=cost");
    await shows(page, await printed(ROLLOUT));
  });
});

test("the list sorts and filters by cost, without loading prices", async ({ list, words, page }) => {
  const bodies: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) bodies.push(response.text());
  });
  const { costUsd } = await printed(ENGLISH);
  await list.open("?sort=-cost");
  await expect(list.row("Stop duplicate shipments").first()).toContainText(usd(costUsd.total));
  await expect(list.table.getByRole("row").nth(1)).toContainText("Stop duplicate shipments");
  await page.waitForLoadState("networkidle");
  const scripts = await Promise.all(bodies);
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.filter((text) => text.includes("claude-3-5-sonnet")).length).toBe(0);

  await list.filters.click();
  await page.getByRole("checkbox", { name: words.filled("sessions.filter.costLeast", { usd: 1 }) }).check();
  await expect(page).toHaveURL(/cost=1/);
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await expect(list.table.getByText("$0.", { exact: false })).toHaveCount(0);
});

test("a model without a price has a token chart instead of costs, and invalid usage is reported", async ({
  page,
  words,
}) => {
  const odd = new SessionPage(page, sharedApp("variedApp"), words);
  await odd.visit(NO_PRICE, "?tab=cost");
  const na = words.of("common.value.na");
  await expect(page.getByTestId("cost-total")).toContainText(na);
  await expect(page.getByTestId("header-cost")).toContainText(na);
  await expect(page.getByTestId("cost")).not.toContainText("$");
  await page.getByRole("radio", { name: words.of("cost.unit.tokens") }).click();
  await expect(page.getByTestId("cost-bars").locator("path").first()).toBeVisible();

  await odd.follow(ODD_USAGE, "?tab=cost");
  await expect(page.getByTestId("cost-facts")).toContainText("impossible, such as a negative count");
  await expect(page.getByTestId("cost-total")).toContainText("≥");
});

test.describe("in Chinese, on a phone", () => {
  test.use({ locale: "zh-CN", viewport: { width: 360, height: 780 }, hasTouch: true });

  test("the cost tab shows the session's cost", async ({ page, session, words }) => {
    const { costUsd } = await printed(ROLLOUT);
    await session.visit(ROLLOUT, "?tab=cost");
    await expect(page.getByTestId("cost-total")).toContainText(usd(costUsd.total));
    await expect(page.getByText(words.of("cost.rule.title"))).toBeVisible();
    await narrowEnough(page);
  });
});
