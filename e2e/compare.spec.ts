import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

test("runs are added, changed, duplicated and removed, also with their hindsight optimum", async ({
  page,
  session,
  words,
}) => {
  const table = page.getByTestId("difference");
  const lines = page.locator("[data-line]");

  await test.step("the replay panel's policy is the second run, and is added with its settings", async () => {
    await session.open(ENGLISH, "?policy=custom&set.triggerShare=0.3");
    const compactions = await session.simulated("compactions");
    await session.panel.getByRole("button", { name: words.of("compare.runs.addCurrent") }).click();
    await expect(page.getByRole("tab", { name: words.of("session.tab.compare") })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    for (const lane of ["B", "C"]) {
      await expect(page.locator(`[data-lane=${lane}]`)).toHaveAttribute("data-compactions", String(compactions));
    }
    await session.drag(session.slider("triggerShare"), 0.1, 4);
    await expect
      .poll(async () => Number(await page.locator("[data-lane=B]").getAttribute("data-compactions")))
      .toBeGreaterThan(compactions);
    await expect(page.locator("[data-lane=C]")).toHaveAttribute("data-compactions", String(compactions));
  });

  await test.step("adding, changing or removing a policy updates lines, lanes, metrics and address", async () => {
    await session.follow(ENGLISH, "?policy=codex&tab=compare");
    // The table computes the regret at once, and the panel receives it.
    await expect(session.resultCell("regret", "simulated")).toContainText("%");
    await expect(table.getByRole("row")).toHaveCount(3);
    await expect(lines).toHaveCount(2);

    await page.getByRole("button", { name: words.of("compare.runs.add"), exact: true }).click();
    await page.getByRole("menuitem", { name: words.of("replay.policy.custom"), exact: true }).click();
    await expect(table.getByRole("row")).toHaveCount(4);
    await expect(lines).toHaveCount(3);
    await expect(page).toHaveURL(/runs=custom(&|$)/);

    const compactions = async () => Number(await page.locator("[data-lane=C]").getAttribute("data-compactions"));
    const before = await compactions();
    await page.getByRole("button", { name: words.like("compare.runs.edit") }).click();
    const editor = page.getByRole("dialog");
    const trigger = editor.getByRole("textbox", { name: words.of("replay.setting.triggerShare"), exact: true });
    await trigger.fill("30");
    await trigger.press("Enter");
    await expect.poll(compactions).toBeGreaterThan(before);
    const after = await compactions();
    await expect(table.locator('[data-run=C] [data-metric="compactions"]')).toContainText(String(after));
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/runs=custom,triggerShare=0\.3(&|$)/);

    await page.reload();
    await expect(page.locator("[data-lane=C]")).toHaveAttribute("data-compactions", String(after));

    await page.getByRole("combobox", { name: words.of("compare.difference.base") }).click();
    await page.getByRole("option", { name: /^C / }).click();
    await expect(page).toHaveURL(/base=C/);
    await expect(table.locator('[data-run=C] [data-metric="peak"]')).toContainText(
      words.of("compare.difference.isBase"),
    );
    await expect(table.locator('[data-run=A] [data-metric="peak"]')).toContainText("+");

    await page.getByRole("button", { name: words.like("compare.runs.remove") }).click();
    await expect(table.getByRole("row")).toHaveCount(3);
    await expect(page).not.toHaveURL(/runs=/);
  });

  await test.step("a duplicated run is changed, and becomes the replay panel's run", async () => {
    await session.follow(ENGLISH, "?policy=codex&tab=compare&runs=custom,triggerShare=0.3");
    const compactions = await page.locator("[data-lane=C]").getAttribute("data-compactions");
    await expect(table.locator("[data-run=C]")).toContainText(`${words.of("replay.setting.triggerShare")} 30 %`);

    await page.getByRole("button", { name: words.like("compare.runs.edit") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.of("compare.runs.duplicate") })
      .click();
    await expect(page).toHaveURL(/runs=custom,triggerShare=0\.3~custom,triggerShare=0\.3(&|$)/);
    await expect(page.locator("[data-lane=D]")).toHaveAttribute("data-compactions", compactions ?? "");

    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.of("compare.runs.toPanel") })
      .click();
    await expect(page).toHaveURL(/policy=custom/);
    await expect(page).toHaveURL(/set\.triggerShare=0\.3/);
    await expect(page.locator("[data-lane=B]")).toHaveAttribute("data-compactions", compactions ?? "");
    await page.keyboard.press("Escape");
  });

  await test.step("adding a compared policy again gives it settings that change its result", async () => {
    await session.follow(ENGLISH, "?policy=custom&tab=compare");
    await expect(lines).toHaveCount(2);
    for (const letter of ["C", "D"]) {
      await page.getByRole("button", { name: words.of("compare.runs.add"), exact: true }).click();
      await page.getByRole("menuitem", { name: words.of("replay.policy.custom"), exact: true }).click();
      await expect(page.locator(`[data-line=${letter}]`)).toHaveCount(1);
    }
    const rows = page.getByTestId("difference").locator("tbody tr");
    const metrics = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.getAttribute("data-value")).join()),
    );
    expect(metrics).toHaveLength(4);
    expect(new Set(metrics.slice(1)).size).toBe(3);
  });

  await test.step("a run without a hindsight optimum gets a remark, and its button to add one is disabled", async () => {
    await session.follow(ENGLISH, "?policy=none&tab=compare&runs=gemini-cli,schedule=best");
    await expect(page.locator('[data-remark="noHindsightOptimum"]')).toContainText("C ");
    await expect(page.locator("[data-lane=C]")).toHaveAttribute("data-compactions", "0");
    await page.getByRole("button", { name: words.of("compare.runs.add"), exact: true }).click();
    await expect(page.getByRole("menuitem", { name: words.like("compare.runs.addBest") })).toBeDisabled();
    await page.keyboard.press("Escape");
  });

  await test.step("the panel's policy is added with its hindsight optimum, which is never marked as best", async () => {
    await session.follow(ENGLISH, "?policy=custom&set.triggerShare=0.9&tab=compare");
    await expect(lines).toHaveCount(2);
    await page.getByRole("button", { name: words.of("compare.runs.add"), exact: true }).click();
    await page.getByRole("menuitem", { name: words.like("compare.runs.addBest") }).click();
    await expect(page).toHaveURL(/runs=custom(@\w+)?,triggerShare=0\.9,schedule=best(&|$)/);
    const row = page.getByTestId("difference").locator("[data-run=C]");
    await expect(row).toContainText(words.of("compare.runs.hindsight"));
    await expect(row.locator('[data-metric="regret"]')).toHaveAttribute("data-value", "0");
    await expect(row.getByText(words.of("compare.difference.best"))).toHaveCount(0);
    await expect(page.locator('[data-remark="hindsight"]')).toContainText("C ");

    // Its cost equals that in the sentence under the timeline, the base of the regret in the results.
    const cost = Number(await row.locator('[data-metric="costUsd"]').getAttribute("data-value"));
    const own = Number(
      await page.locator('[data-testid="difference"] [data-run=B] [data-metric="costUsd"]').getAttribute("data-value"),
    );
    expect(cost).toBeLessThan(own);
    await expect(session.resultCell("regret", "simulated")).toHaveText(`${((own / cost - 1) * 100).toFixed(1)} %`);
    const lane = await page.locator("[data-lane=C]").getAttribute("data-compactions");

    // Settings of the schedule alone are left out.
    await page.getByRole("button", { name: words.like("compare.runs.edit") }).click();
    const editor = page.getByRole("dialog");
    const trigger = editor.getByRole("textbox", { name: words.of("replay.setting.triggerShare"), exact: true });
    await expect(
      editor.getByRole("textbox", { name: words.of("replay.setting.keepRecentTokens"), exact: true }),
    ).toBeVisible();
    await expect(trigger).toHaveCount(0);
    await editor.getByRole("combobox", { name: words.of("compare.runs.schedule") }).click();
    await page.getByRole("option", { name: words.of("compare.runs.scheduled.own") }).click();
    await expect(trigger).toBeVisible();
    await expect(page).toHaveURL(/runs=custom(@\w+)?,triggerShare=0\.9(&|$)/);
    await page.goBack();
    await expect(page.locator("[data-lane=C]")).toHaveAttribute("data-compactions", lane ?? "");
  });
});

test("a comparison is used by pointer and keys, and compares only comparable metrics", async ({
  page,
  session,
  words,
}) => {
  const lines = page.locator("[data-line]");
  await session.visit(ENGLISH, "?policy=codex&tab=compare&runs=custom,triggerShare=0.3~pi");
  await expect(page.locator("[data-lane=C] [data-lane-mark]").first()).toBeAttached();

  await test.step("pointing at a run highlights its line", async () => {
    const opacity = (letter: string) =>
      page.locator(`[data-line=${letter}]`).evaluate((line) => Number(getComputedStyle(line).opacity));
    await page.getByTestId("difference").locator("[data-run=C]").hover();
    await expect.poll(() => opacity("A")).toBeLessThan(0.5);
    expect(await opacity("C")).toBe(1);
    await page.mouse.move(0, 0);
    await expect.poll(() => opacity("A")).toBe(1);
  });

  await test.step("the column headings have explanations", async () => {
    const note = page.getByText(words.of("metrics.note.keptTokens"));
    await expect(note).toBeHidden();
    await page.getByText(words.of("compare.difference.notes")).press("Enter");
    await expect(note).toBeVisible();
  });

  await test.step("a boundary in a lane is pinned by keyboard and by pointer", async () => {
    const lane = page.getByRole("button", {
      name: words.filled("compare.chart.nextMark", { letter: "C" }),
      exact: true,
    });
    const pinned = async () => Number(new URL(page.url()).searchParams.get("at"));
    await expect(page.getByTestId("compare-card")).toHaveCount(0);
    await lane.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("compare-card")).toBeVisible();
    await expect.poll(pinned).toBeGreaterThan(0);
    const first = await pinned();
    await page.keyboard.press("Enter");
    await expect.poll(pinned).not.toBe(first);
    const mark = page.locator("[data-lane=C] [data-lane-mark] rect").first();
    await mark.scrollIntoViewIfNeeded();
    const box = await mark.boundingBox();
    if (box === null) throw new Error("no mark is drawn");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect.poll(pinned).toBe(first);
  });

  await test.step("the table of differences shows that it can be scrolled, and scrolls by key", async () => {
    await page.setViewportSize({ width: 1100, height: 800 });
    const table = page.getByRole("region", { name: words.of("compare.difference.title") });
    await expect(table).toHaveCSS("animation-timeline", "scroll(self inline)");
    await expect.poll(() => table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeGreaterThan(0);
    await table.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await test.step("each window is a line with the names of its runs, and a window far above is only named", async () => {
    await session.follow(
      ENGLISH,
      "?policy=codex&window=200000&tab=compare&runs=pi,window=180000~custom,window=3000000",
    );
    await expect(page.locator("[data-window='180000'] line")).toHaveCount(1);
    await expect(page.locator("[data-window='3000000'] line")).toHaveCount(0);
    const chart = page.getByRole("figure", { name: words.of("compare.chart.title") });
    await expect(chart.locator("[data-level-name]").filter({ hasText: "3,000,000" })).toBeVisible();
    await expect(chart.locator("[data-level-name]").filter({ hasText: "180,000" })).toContainText(/: C$/);
  });

  await test.step("the maximum of six runs is shown, at the pointer and in the data table", async () => {
    await session.follow(ENGLISH, "?policy=codex&tab=compare&runs=qwen-code~openclaw~pi~opencode~custom~none&at=20");
    await expect(lines).toHaveCount(6);
    await expect(page.getByRole("button", { name: words.of("compare.runs.add"), exact: true })).toBeDisabled();
    await expect(page.getByTestId("compare-card").getByRole("row")).toHaveCount(7);
    const toggle = page.getByRole("button", { name: words.of("session.table.toggle"), exact: true });
    await toggle.click();
    const table = page.getByTestId("compare-table");
    await expect(table.getByRole("columnheader")).toHaveCount(7);
    expect(await table.getByRole("row").count()).toBeGreaterThan(30);
    await toggle.click();
  });

  await test.step("one button adds three policies and the hindsight optimum to an empty comparison", async () => {
    await session.follow(ENGLISH, "?policy=codex&tab=compare");
    await page.getByRole("button", { name: words.filled("compare.runs.addUsual", { count: 4 }) }).click();
    await expect(lines).toHaveCount(6);
    await expect(page).toHaveURL(/runs=.*codex.*schedule=best/);
    await expect(page.getByRole("button", { name: words.filled("compare.runs.addUsual", { count: 4 }) })).toHaveCount(
      0,
    );
  });

  await test.step("an address with invalid runs opens with the valid ones", async () => {
    await session.follow(
      ENGLISH,
      "?policy=codex&tab=compare&runs=nope~custom,triggerShare=9,nope=1~recorded~pi@nope&base=F",
    );
    await expect(lines).toHaveCount(4);
    await expect(page.locator('[data-run=A] [data-metric="peak"]')).toBeVisible();
    // Unknown runs have no chip, and a chip removes its own run.
    await page
      .locator("li[data-run=D]")
      .getByRole("button", { name: words.like("compare.runs.remove") })
      .click();
    await expect(page).toHaveURL(/runs=nope~custom,triggerShare=9,nope=1~recorded(&|$)/);
    await expect(lines).toHaveCount(3);
  });

  await test.step("metrics that are not comparable are named, and so is a comparison without differences", async () => {
    const remarks = page.getByTestId("remarks").getByRole("listitem");
    const change = page.locator('[data-run=B] [data-metric="tokensSent"]');
    const best = page.getByTestId("difference").getByText(words.of("compare.difference.best"));

    await session.follow(ENGLISH, "?tab=compare&policy=recorded");
    await expect(remarks.first()).toHaveText(words.of("compare.remark.noDifference"));
    await expect(change).toContainText("±0");
    await expect(best).toHaveCount(0);

    await session.follow(ENGLISH, "?tab=compare&policy=none&counting=estimate");
    await expect(remarks).toHaveCount(1);
    await expect(remarks).toHaveAttribute("data-remark", "usageApart");
    await expect(change).not.toContainText("%");
    await expect(best).toHaveCount(0);
    await expect(page.getByTestId("no-change")).toHaveText(words.of("replay.results.otherBasis"));

    await session.follow(ENGLISH, "?tab=compare&policy=none");
    await expect(change).toContainText("%");
    await expect(page.locator('[data-remark="rewrittenApart"]')).toBeVisible();
    await expect(page.locator('[data-run=B] [data-metric="tokensRewritten"]')).toContainText("–");
  });
});

test.describe("in Chinese", () => {
  test.use({ locale: "zh-CN", viewport: { width: 1440, height: 900 } });

  test("names at the ends of the lines stay within the chart", async ({ page, session }) => {
    await session.visit(
      ENGLISH,
      "?policy=claude-code&tab=compare&runs=rent-to-buy,schedule=best~claude-code,schedule=best",
    );
    const chart = page.locator("figure svg[role=img]").first();
    const ends = chart.locator("text.font-semibold");
    await expect(ends).toHaveCount(4);
    // The table of differences begins above the fold: its head and two runs.
    await expect(page.getByTestId("difference").getByRole("row").nth(2)).toBeInViewport();
    const edge = (await chart.boundingBox()) ?? { x: 0, width: 0 };
    for (const end of await ends.all()) {
      const box = (await end.boundingBox()) ?? { x: 0, width: Number.NaN };
      expect(box.x + box.width, (await end.textContent()) ?? "").toBeLessThanOrEqual(edge.x + edge.width);
    }
  });
});
