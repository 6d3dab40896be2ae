import { basename } from "node:path";
import type { Locator } from "@playwright/test";
import { narrowEnough, serious, TAB } from "./support/axe";
import { ASKED_FOR, MODEL_WINDOW } from "./support/changed-samples";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, testOnVaried as test } from "./support/fixtures";
import { ENDS_COMPACTED } from "./support/recordings";

/** Each file and each counting once: the sums do not depend on the file. */
const SUMMED = [
  [ENGLISH, "anchored"],
  [ROLLOUT, "calibrated"],
] as const;

test("the contexts before and after every boundary are the sums of their parts", async ({ page, session, words }) => {
  await test.step("the observed trigger is derived from automatic compactions only", async () => {
    const name = session.timeline.getByText(words.of("session.timeline.observedTrigger"), { exact: true });
    await session.open(ENGLISH);
    await expect(name).toHaveCount(1);
    await session.follow(ASKED_FOR, "");
    await expect(session.timeline.getByText(words.of("session.timeline.laneRecorded"), { exact: true })).toHaveCount(1);
    await expect(name).toHaveCount(0);
  });

  for (const [file, counting] of SUMMED) {
    await test.step(`the sums of ${file}, ${counting}`, async () => {
      await session.follow(file, `?tab=boundaries&policy=custom&counting=${counting}&set.triggerShare=0.4`);
      const entries = page.locator("[data-boundary-entry]");
      await expect(entries.first()).toBeVisible();
      const table = page.getByTestId("boundary-sums");
      for (let at = 0; at < Math.min(6, await entries.count()); at++) {
        await entries.nth(at).click();
        await expect(entries.nth(at)).toHaveAttribute("aria-selected", "true");
        const [before, after] = [await column(table, 3), await column(table, 4)];
        expect(sum(before.parts)).toBe(before.whole);
        if (after.whole !== null) expect(sum(after.parts)).toBe(after.whole);
        // The list has the same values as the sums, or names its count.
        const listed = numbers(await entries.nth(at).innerText());
        expect(listed).toContain(before.whole);
        if (after.whole !== null) expect(listed).toContain(after.whole);
      }
    });
  }
  await serious(page, "the sums of a boundary", { within: "[data-testid=boundary-sums]" });

  await test.step("a boundary after the last request shows no context after it", async () => {
    if (ENDS_COMPACTED === undefined) return;
    await session.follow(basename(ENDS_COMPACTED), "?tab=boundaries&policy=none");
    const last = page.locator("[data-boundary-entry='recorded']").last();
    await last.click();
    await expect(last).toContainText(words.of("common.value.na"));
    await expect(last).not.toContainText("%");
    await expect(page.getByTestId("boundary-sums").locator("tfoot")).toContainText(words.of("common.value.na"));
    await expect(page.getByTestId("fates")).toContainText("n/a, no request follows");
  });

  await test.step("Codex shows one window, and bias and mean error as two metrics", async () => {
    await session.follow(MODEL_WINDOW, "?policy=codex&counting=calibrated");
    const [window] = numbers(
      await page
        .getByText(/^window [\d,]+/)
        .first()
        .innerText(),
    );
    await expect(
      session.panel.getByRole("slider", { name: words.of("replay.panel.window"), exact: true }),
    ).toHaveAttribute("aria-valuetext", new RegExp(`^${window?.toLocaleString("en")}\\D`));
    await expect(session.panel.getByTestId("window-source")).toContainText(/effective window [\d,]+/);
    await expect(session.panel).toContainText(/Bias [+−±][\d.]+\s%, mean error [\d.]+\s%/);
  });
});

test("categories sum to the window, and differences are the sums of their parts", async ({ page, session, words }) => {
  await test.step("an item has the same size in list and treemap, also at a clearing", async () => {
    const map = page.getByTestId("treemap");
    const total = page.getByTestId("composition-total");
    const checkSizes = async () => {
      const tiles = await map
        .locator("[data-key^='item ']")
        .evaluateAll((all) => all.map((tile) => tile.getAttribute("aria-label") ?? ""));
      const listed = (await page.getByTestId("largest").locator("li").allInnerTexts()).map((text) =>
        numbers(text).at(-1),
      );
      expect(tiles.length).toBeGreaterThan(2);
      // Items in both have the same sizes.
      const sizes = tiles.map((label) => numbers(label.replace(/,[^,]*%.*$/, "")).at(-1)).sort(descending);
      expect(listed.slice(0, sizes.length)).toEqual(sizes.slice(0, listed.length));
      expect(numbers(await page.getByTestId("composition-sum").innerText())).toEqual([200_000]);
    };
    await session.visit(ENGLISH, "?tab=composition&at=40");
    // The parts of the page need not be rendered in one frame.
    await expect(checkSizes).toPass();
    const recorded = await total.innerText();
    await session.follow(
      ENGLISH,
      "?tab=composition&at=40&policy=custom&counting=calibrated&set.clearToolResultsAfter=4&show=policy",
    );
    await expect(total).not.toHaveText(recorded);
    await expect(checkSizes).toPass();
  });

  await test.step("a difference is the sum of its parts, by category and by item, and Back removes it", async () => {
    await session.follow(ENGLISH, "?tab=composition&at=40");
    await page.getByTestId("composition-base").click();
    await page.getByRole("option", { name: /the first one$/ }).click();
    await expect(page).toHaveURL(/against=0/);
    const table = page.getByTestId("difference");
    const checkSums = async () => {
      const cells = await table
        .locator("tbody tr")
        .evaluateAll((rows) =>
          rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")),
        );
      for (const [before = "", after = "", change = ""] of cells) {
        expect((numbers(before)[0] ?? 0) + (numbers(change)[0] ?? 0)).toBe(numbers(after)[0]);
      }
      const [change = 0, ...terms] = (await page.getByTestId("difference-terms").locator("dd").allInnerTexts()).flatMap(
        numbers,
      );
      expect(terms).toHaveLength(4);
      expect(sum(terms)).toBe(change);
    };
    await expect(table).toBeVisible();
    await checkSums();
    await serious(page, "the difference of two requests", TAB);
    await page.getByRole("textbox", { name: words.of("session.composition.baseRequest") }).fill("12");
    await expect(page).toHaveURL(/against=12/);
    await checkSums();
    await page.getByTestId("composition-base").click();
    await page.getByRole("option", { name: /^Difference from/ }).click();
    await expect(page).toHaveURL(/against=other/);
    await checkSums();
    await page.setViewportSize({ width: 360, height: 740 });
    await narrowEnough(page);
    await page.goBack();
    await expect(page).toHaveURL(/against=12/);
  });

  await test.step("the base is selected in the strip by Shift-click, b, dragging its mark, and arrow keys", async () => {
    await session.follow(ENGLISH, "?tab=composition");
    const strip = page.getByTestId("composition-strip");
    const box = await strip.boundingBox();
    if (box === null) throw new Error("the strip is not on the page");
    const at = (share: number) => ({ position: { x: box.width * share, y: 20 } });
    const base = page.getByRole("slider", { name: words.of("session.composition.baseRequest") });
    const chosen = async () => Number(await base.getAttribute("aria-valuenow"));
    await strip.click(at(0.75));
    await expect(page).toHaveURL(/[?&]at=\d+/);
    const shown = new URL(page.url()).searchParams.get("at");
    await expect(base).toHaveCount(0);
    await strip.click({ ...at(0.25), modifiers: ["Shift"] });
    await expect(page).toHaveURL(/against=\d+/);
    expect(new URL(page.url()).searchParams.get("at")).toBe(shown);
    await expect(page.getByTestId("difference")).toBeVisible();
    const first = await chosen();

    const mark = await base.boundingBox();
    if (mark === null) throw new Error("the base has no mark");
    await page.mouse.move(mark.x + mark.width / 2, mark.y + 10);
    await page.mouse.down();
    await page.mouse.move(mark.x + mark.width / 2 + box.width * 0.2, mark.y + 10, { steps: 3 });
    await page.mouse.up();
    await expect.poll(chosen).toBeGreaterThan(first + 5);
    const dragged = await chosen();
    expect(new URL(page.url()).searchParams.get("at")).toBe(shown);
    // A drag is one step.
    await expect(page).toHaveURL(new RegExp(`against=${dragged}\\b`));
    await page.goBack();
    await expect.poll(chosen).toBe(first);
    await base.focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(chosen).toBe(first - 1);
    await page.keyboard.press("Home");
    await expect.poll(chosen).toBe(0);
    await serious(page, "the base in the strip", { within: "[data-testid=composition-strip]" });

    // Only by keys: a mark at the shown request, then to another one.
    await base.blur();
    await page.keyboard.press("b");
    await expect.poll(chosen).toBe(Number(shown));
    await expect(page.getByTestId("same-request")).toBeVisible();
    await page.getByRole("button", { name: words.of("session.composition.next") }).click();
    await expect(page).toHaveURL(new RegExp(`at=${Number(shown) + 1}\\b`));
    await expect.poll(chosen).toBe(Number(shown));
    await page.getByRole("button", { name: words.of("session.composition.previous") }).click();
    await page.keyboard.press("b");
    await expect(base).toHaveCount(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await narrowEnough(page);
  });
});

async function column(table: Locator, at: number) {
  const parts = await table.locator(`tbody tr > :nth-child(${at})`).allInnerTexts();
  const [whole = null] = numbers(await table.locator(`tfoot tr > :nth-child(${at})`).innerText());
  return { parts: parts.flatMap(numbers), whole };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function descending(one = 0, other = 0): number {
  return other - one;
}

/** The whole numbers in a text, with their signs. */
function numbers(text: string): number[] {
  return Array.from(text.matchAll(/([−-]?)(\d[\d,]*)/g), ([, sign, digits = ""]) => {
    return (sign === "" ? 1 : -1) * Number(digits.replaceAll(",", ""));
  });
}
