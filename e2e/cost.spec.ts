import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cost } from "@/lib/api/contract/cost";
import { SessionPage } from "./pages/session";
import { ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { startApp } from "./support/server";

const PROGRAM = fileURLToPath(new URL("../bin/context-replay.mjs", import.meta.url));
const run = promisify(execFile);

/** What `cost --json` prints of a sample. */
async function printed(file: string, ...args: readonly string[]) {
  const { stdout } = await run(process.execPath, [PROGRAM, "cost", samplePath(file), ...args, "--json"], {
    cwd: join(PROGRAM, "..", ".."),
  });
  return cost.parse(JSON.parse(stdout));
}

/** As the page and the command line write dollars. */
function usd(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return "n/a";
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return `$${amount.toFixed(digits)}`;
}

for (const file of [ENGLISH, ROLLOUT]) {
  test(`key 8 shows of ${file} what the command line says that it cost`, async ({ page, session }) => {
    const { costUsd, breaks, breaksByCause, cacheRule } = await printed(file);
    await session.open(file);
    await page.keyboard.press("8");
    await expect(page).toHaveURL(/lens=cost/);
    const total = page.getByTestId("cost-total");
    await expect(total).toContainText(`${costUsd.lowerBound === true ? "≥\u00a0" : ""}${usd(costUsd.total)}`);
    await expect(total).toContainText(usd(costUsd.input));
    await expect(page.getByTestId("header-cost")).toContainText(usd(costUsd.total));

    const recorded = (row: string) => page.locator(`[data-compared="${row}"]`).getByRole("cell").first();
    for (const part of ["read", "write", "plain", "output", "total"] as const) {
      await expect(recorded(part), part).toContainText(usd(costUsd[part]));
    }
    for (const [cause, sum] of Object.entries(breaksByCause ?? {})) {
      if (sum === undefined || cause === "growth" || cause === "first" || !("count" in sum)) continue;
      const cells = page.getByTestId("break-causes").locator(`[data-cause="${cause}"]`).getByRole("cell");
      await expect(cells).toHaveText([String(sum.count), sum.tokens.toLocaleString("en"), usd(sum.usd)]);
    }
    const dearest = (breaks ?? [])
      .filter(({ cause }) => cause !== "first")
      .sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0))
      .map(({ request }) => String(request));
    const listed = page.getByTestId("breaks").locator("[data-break]");
    expect(await listed.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-break")))).toEqual(dearest);
    await expect(page.getByTestId("cache-rule")).toContainText(`Of ${cacheRule?.pairs} pairs`);
    await expect(page.getByTestId("cache-rule")).toContainText(`${cacheRule?.exact} (`);
  });
}

test("a break points at its request, and a cause leaves only its own", async ({ page, session }) => {
  await session.visit(ENGLISH, "?lens=cost");
  const first = page.getByTestId("breaks").locator("[data-break]").first();
  const request = await first.getAttribute("data-break");
  await first.getByRole("button").click();
  await expect(page).toHaveURL(new RegExp(`[?&]at=${request}(&|$)`));
  await expect(page.getByTestId("cost-cursor")).toHaveAttribute("data-request", String(request));
  await expect(page.getByTestId("cost-card")).toBeVisible();
  await page.getByTestId("waterfall").locator('[data-step="compaction"]').getByRole("button").click();
  await expect(page).toHaveURL(/cause=compaction/);
  const { breaks } = await printed(ENGLISH);
  const own = breaks?.filter(({ cause }) => cause === "compaction") ?? [];
  await expect(page.getByTestId("breaks").locator("[data-break]")).toHaveCount(own.length);
});

test("another lifetime and a moved slider cost no request, and the address keeps the choice", async ({
  page,
  session,
  words,
}) => {
  await session.visit(ENGLISH, "?lens=cost&policy=custom");
  const total = page.locator('[data-compared="total"]').getByRole("cell");
  await expect(total).toHaveCount(3);
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const before = await total.nth(1).innerText();
  await session.drag(session.slider("triggerShare"), 0.2);
  await expect(total.nth(1)).not.toHaveText(before);
  await page.getByRole("radio", { name: words.of("cost.ttl.1h") }).click();
  await expect(page).toHaveURL(/ttl=1h/);
  const { withTtl } = await printed(ENGLISH, "--ttl", "1h");
  await expect(total.nth(1)).toContainText(usd(withTtl?.costUsd.total));
  await page.getByRole("radio", { name: words.of("cost.unit.tokens") }).click();
  await expect(page).toHaveURL(/unit=tokens/);
  await expect(page.getByTestId("simulated-sent")).toBeAttached();
  expect(asked, "nothing is asked of the server").toEqual([]);
  await page.getByRole("button", { name: words.of("session.table.toggle") }).click();
  await expect(page.getByTestId("cost-table").getByRole("row").nth(1)).toBeVisible();
});

test("a model without a price has no cost, and its tokens are drawn all the same", async ({ page, words }) => {
  const text = readFileSync(samplePath(ENGLISH), "utf8").replaceAll("claude-opus-4-6", "claude-nobody-knows");
  const app = await startApp({ fill: (folder) => writeFileSync(join(folder, ENGLISH), text) });
  try {
    await new SessionPage(page, app, words).visit(ENGLISH, "?lens=cost");
    const na = words.of("common.value.na");
    await expect(page.getByTestId("cost-total")).toContainText(na);
    await expect(page.getByTestId("header-cost")).toContainText(na);
    await expect(page.getByTestId("cost")).not.toContainText("$");
    await page.getByRole("radio", { name: words.of("cost.unit.tokens") }).click();
    await expect(page.getByTestId("cost-bars").locator("path").first()).toBeVisible();
  } finally {
    await page.close();
    await app.stop();
  }
});

test("the list of sessions loads no prices", async ({ page, list }) => {
  const bodies: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) bodies.push(response.text());
  });
  await list.open();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  const scripts = await Promise.all(bodies);
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.filter((text) => text.includes("claude-3-5-sonnet")).length).toBe(0);
});

test.describe("in Chinese, on a phone", () => {
  test.use({ locale: "zh-CN", viewport: { width: 360, height: 780 }, hasTouch: true });

  test("the lens says what the session cost", async ({ page, session, words }) => {
    const { costUsd } = await printed(ROLLOUT);
    await session.visit(ROLLOUT, "?lens=cost");
    await expect(page.getByTestId("cost-total")).toContainText(usd(costUsd.total));
    await expect(page.getByText(words.of("cost.rule.title"))).toBeVisible();
  });
});
