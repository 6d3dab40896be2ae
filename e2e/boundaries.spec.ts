import { SessionPage } from "./pages/session";
import { narrowEnough, serious, TAB } from "./support/axe";
import { CHINESE, ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";
import { WHOLE } from "./support/whole";

/** Settings that clear before nearly every request and compact in between. */
const CLEARING = "?policy=custom&counting=anchored&set.clearToolResultsAfter=4&set.triggerShare=0.3";

function number(text: string): number {
  return Number(text.replace(/\D/g, ""));
}

test("boundaries are marked in the chart, listed in runs, summed and flagged", async ({ page, emptyApp, words }) => {
  // One of the samples was never compacted.
  const session = new SessionPage(page, emptyApp, words);
  const details = page.getByTestId("boundary-details");
  await session.open(ENGLISH, CLEARING);

  await test.step("no boundary line crosses a label, and clearings are ticks", async () => {
    await expect(page.locator("[data-boundary-ticks='simulated']")).toBeAttached();
    const crossed = await session.timeline.evaluate((figure) => {
      const lines = [...figure.querySelectorAll("[data-boundary] > line:first-child")].map((line) =>
        line.getBoundingClientRect(),
      );
      const words = [...figure.querySelectorAll("[data-boundary-words] text")];
      const isCrossed = (word: Element) => {
        const { left, right, top, bottom } = word.getBoundingClientRect();
        return lines.some((line) => line.left > left && line.left < right && line.top < bottom && line.bottom > top);
      };
      return {
        lines: lines.length,
        words: words.length,
        crossed: words.filter(isCrossed).map((one) => one.textContent),
      };
    });
    expect(crossed.crossed).toEqual([]);
    expect(crossed.words).toBeGreaterThan(1);
    const marked = Number(await page.locator("[data-boundary-ticks='simulated']").getAttribute("data-count"));
    expect(marked).toBeGreaterThan(crossed.lines);
    expect(marked + (await session.simulatedMarks.count())).toBe(await session.simulated("compactions"));
    // The minimap has these lines too, as it shows the whole session.
    const onMap = Number(await page.locator("[data-map-marks='simulated']").getAttribute("data-count"));
    expect(onMap).toBeGreaterThan(0);
  });

  await test.step("a run of clearings unfolds, and the keyboard reaches every entry of the list", async () => {
    await page.keyboard.press("4");
    const tree = page.getByRole("tree", { name: words.of("session.boundary.list") });
    const run = tree.locator("[data-boundary-run='clearing']").first();
    await expect(run).toHaveAttribute("aria-expanded", "false");
    const folded = await tree.getByRole("treeitem").count();
    await expect(tree.locator("[data-boundary-entry='simulated'][aria-level='2']").first()).toBeVisible();

    await tree.locator("[tabindex='0']").focus();
    await page.keyboard.press("Home");
    await expect(tree.getByRole("treeitem").first()).toBeFocused();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-index"));
    for (let step = 0; step < folded && !(await run.evaluate((row) => row === document.activeElement)); step++) {
      const before = await focused();
      await page.keyboard.press("ArrowDown");
      await expect.poll(focused).not.toBe(before);
    }
    await expect(run).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(run).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowRight");
    const first = tree.locator("[aria-level='3']").first();
    await expect(first).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(first).toHaveAttribute("aria-selected", "true");
    await expect(page).toHaveURL(/[?&]at=\d+/);
    await serious(page, "an unfolded run", { within: "[role=tree]" });
    await page.keyboard.press("ArrowLeft");
    await expect(run).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await expect(run).toHaveAttribute("aria-expanded", "false");
    // The selected boundary is folded into this row, so the row counts as selected.
    await expect(run).toHaveAttribute("aria-selected", "true");
  });

  await test.step("a selected boundary shows its kind and, for a summary, its prompt; keys select the next one", async () => {
    const heading = details.getByRole("heading", { level: 2 }).first();
    const prompt = details.getByRole("button", { name: words.of("session.boundary.showTexts") });
    await page.locator("[data-boundary-entry='simulated'][aria-level='2']").first().click();
    await expect(heading).toContainText(words.of("session.boundary.compactionBy.threshold"));
    await expect(prompt).toBeVisible();
    await expect(page.getByTestId("basis-change")).toHaveCount(0);
    await page.locator("[data-boundary-run='clearing']").first().click();
    await page.locator("[data-boundary-entry='simulated'][aria-level='3']").first().click();
    await expect(heading).toContainText(words.of("session.boundary.kind.clearing"));
    await expect(prompt).toHaveCount(0);
    // This is the first change of an anchored replay, so up to here the recorded usage counts.
    await expect(page.getByTestId("basis-change")).toContainText(words.like("session.boundary.basisChange"));

    await page.locator("[data-boundary-entry='recorded']").first().click();
    const recorded = await heading.innerText();
    await page.keyboard.press("[");
    await expect(heading).not.toHaveText(recorded);
  });

  await test.step("a policy whose agent prints a message shows this message without a click", async () => {
    await session.follow(ENGLISH, "?tab=boundaries&policy=clawdcode&counting=estimate&window=128000");
    await page.locator("[data-boundary-entry='simulated']").first().click();
    await expect(page.getByTestId("compaction-report")).toContainText("✅ 压缩完成！");
    await session.tab("composition");
    await expect(page.getByTestId("own-text")).toBeVisible();
  });

  await test.step("dropped items sum to the boundary's own count", async () => {
    await session.follow(ENGLISH, "?tab=boundaries&policy=custom&counting=calibrated&set.triggerShare=0.3");
    await expect(page.locator("[data-boundary-run]")).toHaveCount(0);
    await page.locator("[data-boundary-entry='simulated']").nth(1).click();
    const dropped = number(await page.locator("[data-metric='dropped'] > :nth-child(3)").innerText());
    const rows = await page.getByTestId("dropped").locator("tbody tr td:last-child").allInnerTexts();
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.reduce((sum, text) => sum + number(text), 0)).toBe(dropped);
  });

  await test.step("compactions that thrash or do not shrink the context are flagged and counted", async () => {
    // The kept content is already above the trigger, so compacting reduces nothing.
    const thrashing = "policy=custom&set.triggerShare=0.2&set.keepRecentTokens=60000";
    await session.follow(ENGLISH, `?tab=boundaries&${thrashing}`);
    const flagged = page.locator("[data-boundary-entry='simulated']").filter({
      hasText: new RegExp(`${words.of("session.boundary.flag.thrash")}|${words.of("session.boundary.flag.notShrunk")}`),
    });
    await flagged.first().click();
    await expect(details).toContainText(words.of("session.boundary.thrash"));
    await session.tab("timeline");
    expect(await session.simulated("thrash")).toBeGreaterThan(1);
  });

  await test.step("a policy without boundaries shows the distance to its trigger", async () => {
    await session.follow(ENGLISH, "?tab=boundaries&policy=custom&set.triggerShare=1");
    const sentence = page.getByTestId("no-boundary");
    await expect(sentence).toContainText(words.like("session.boundary.none.below"));
    const [peak = 0, distance = 0, trigger = 0] = [...(await sentence.innerText()).matchAll(/\d[\d,]*(?:,\d{3})/g)].map(
      ([text]) => number(text),
    );
    expect(trigger).toBe(200_000);
    expect(peak + distance).toBe(trigger);
  });

  await test.step("a session without a boundary states this, and links to the timeline", async () => {
    await session.follow(CHINESE, "?tab=boundaries&policy=none");
    await expect(page.getByTestId("no-boundary")).toContainText(words.like("session.boundary.none.never"));
    await page.getByRole("button", { name: words.of("session.boundary.toTimeline") }).click();
    await expect(session.timeline).toBeVisible();
  });
});

test("a recorded boundary shows its summary, cost, re-fetched content, time and free space", async ({
  page,
  session,
  words,
  expectedErrors,
}) => {
  // A page whose typeface arrives too late keeps the system's, which is wider.
  expectedErrors.push(/ERR_FAILED/);
  await page.route("**/*.woff2", (route) => route.abort());
  await page.setViewportSize({ width: 1440, height: 900 });
  await session.visit(ENGLISH, "?tab=boundaries");
  const details = page.getByTestId("boundary-details");
  const needed = page.getByTestId("needed-again");
  const rows = needed.getByRole("table").getByRole("row");

  await test.step("the summary shows its Markdown with lists and code", async () => {
    const summary = page.getByTestId("summary-sections");
    await expect(summary.getByRole("listitem").first()).toBeVisible();
    await expect(summary.locator("code").filter({ hasText: "X-Client-Reference" }).first()).toBeVisible();
    await expect(summary).not.toContainText("`X-Client-Reference`");
    await serious(page, "a recorded summary", { within: "[data-testid=summary-sections]" });
  });

  await test.step("the cost is beside the sums if the window is wide enough", async () => {
    const sums = await page.getByTestId("boundary-sums").boundingBox();
    const money = await page.getByTestId("boundary-money").boundingBox();
    if (sums === null || money === null) throw new Error("the boundary has no sums or no cost");
    expect(money.x).toBeGreaterThan(sums.x + sums.width);
    expect(money.y).toBeLessThan(sums.y + sums.height);

    // Re-fetched content is above the fold, beside the summary and within its column.
    await expect(needed.getByRole("row").nth(4)).toBeInViewport(WHOLE);
    const table = await needed.getByRole("table").boundingBox();
    const column = await needed.locator(".overflow-x-auto").boundingBox();
    expect(table?.width).toBeLessThanOrEqual(column?.width ?? 0);
  });

  await test.step("copying is reported as failed if the browser refuses it", async () => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: { writeText: () => Promise.reject(new Error("refused")) },
      });
    });
    await details.getByRole("button", { name: words.of("session.boundary.copyContext") }).click();
    await expect(page.getByText(words.of("session.boundary.copyRefused"))).toBeVisible();
    await expect(page.getByText(words.of("session.boundary.textsFailed"))).toHaveCount(0);
    await page.getByRole("button", { name: words.of("session.copy.copy") }).click();
    await expect(page.getByRole("button", { name: words.of("session.copy.refused") })).toBeVisible();
  });

  await test.step("re-fetched content links to both places, and is marked in the transcript", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator("[data-boundary-entry='recorded']").first().click();
    await expect(rows.nth(1)).toBeVisible();
    await serious(page, "what was needed again", { within: "[data-testid=needed-again]" });
    await narrowEnough(page);
    const opens = rows.nth(1).getByRole("button");
    await expect(opens).toHaveCount(2);
    await opens.nth(1).click();
    await expect(page.getByTestId("transcript")).toBeVisible();
    const mark = page.getByTestId("transcript").getByText(words.of("session.ledger.mark")).first();
    await expect(mark).toBeVisible();
    await mark.click();
    await expect(page.getByRole("button", { name: /Seen before, in item \d+/ }).first()).toBeVisible();
  });

  await test.step("time and free space are shown, but no trigger if the file has none", async () => {
    await session.follow(ROLLOUT, "?tab=boundaries&policy=custom&set.triggerShare=0.3&set.summaryTokens=750");
    await page.locator("[data-boundary-entry='recorded']").first().click();
    const heading = details.getByRole("heading", { level: 2 }).first();
    await expect(heading).toContainText(words.of("session.boundary.compactionBy.unknown"));
    await expect(heading).not.toContainText(words.of("session.boundary.compactionBy.threshold"));
    const when = page.getByTestId("boundary-when");
    await expect(when.locator("time")).toHaveText(/^\d\d:\d\d:\d\d$/);
    await expect(when).toContainText(words.like("session.boundary.turn"));
    await expect(when).toContainText(words.of("session.boundary.trigger.unknown"));
    await expect(page.getByTestId("room-left")).toContainText(words.like("session.boundary.room.requests"));
    // A result in a list begins with the subject of its call.
    const largest = details.locator("section", { hasText: words.of("session.boundary.droppedLargest") });
    await expect(
      largest.getByRole("button", { name: "exec_command" }).filter({ hasText: " · " }).first(),
    ).toBeVisible();
    await expect(largest).not.toContainText("Wall time");
    await serious(page, "a recorded boundary", TAB);
    await page.locator("[data-boundary-entry='simulated']").first().click();
    await expect(heading).toContainText(words.of("session.boundary.compactionBy.threshold"));
    // A simulated boundary never happened, so it has no time.
    await expect(when.locator("time")).toHaveCount(0);
    await expect(details).toContainText(words.like("session.boundary.summaryOf.chosen"));
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, locale: "zh-CN", colorScheme: "dark" });

  test("a recorded boundary and a policy that clears at every request have no accessibility fault", async ({
    page,
    session,
  }) => {
    await session.visit(ROLLOUT, "?tab=boundaries");
    await expect(page.getByTestId("room-left")).toBeVisible();
    // The line with a result's subject has the full width.
    const line = await page.locator("[data-item-line]").first().boundingBox();
    expect(line?.width).toBeGreaterThan(300);
    await serious(page, "a recorded boundary", TAB);
    await narrowEnough(page);

    await session.follow(ENGLISH, `${CLEARING}&tab=boundaries`);
    await page.locator("[data-boundary-run='clearing']").first().tap();
    await expect(page.locator("[aria-level='3']").first()).toBeVisible();
    await serious(page, "boundaries", TAB);
    await narrowEnough(page);
    // The tab scrolls within itself, so the page does not extend below it.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
  });
});
