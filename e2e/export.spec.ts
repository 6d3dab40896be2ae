import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { csvCells } from "@/lib/core/testing/csv-cells";
import { inScheme } from "./support/axe";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import type { Words } from "./support/words";

/** Content of a saved file. */
async function saved(page: Page, words: Words, menu: Locator, kind: "png" | "svg" | "csv" | "json") {
  await menu.click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: words.of(`common.export.as.${kind}`) }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** The rows of CSV, its head first. */
function rowsOf(bytes: Buffer): string[][] {
  const text = bytes.toString("utf8");
  expect(text.startsWith("\uFEFF"), "a byte order mark declares UTF-8 to spreadsheets").toBe(true);
  return csvCells(text.slice(1));
}

function menuOf(page: Page, words: Words, name: string): Locator {
  return page.getByRole("button", { name: words.filled("common.export.label", { name }), exact: true });
}

const digits = (text: string | undefined): string => (text ?? "").replace(/[^\d.]/gu, "");

test("the list, the timeline, tables and sweep points are exported as shown", async ({
  page,
  context,
  list,
  session,
  words,
}) => {
  await list.open("?sort=title");

  await test.step("the filtered and sorted list is exported in full", async () => {
    const menu = menuOf(page, words, words.of("sessions.table.label"));
    const [head = [], ...rows] = rowsOf((await saved(page, words, menu, "csv")).bytes);
    expect(head).toContain(words.of("sessions.table.cost"));
    const shown = await list.table.getByRole("row").getByRole("link").allInnerTexts();
    expect(rows.map(([title]) => title)).toEqual(shown);
  });

  await session.follow(ENGLISH, "?policy=custom&set.triggerShare=0.3");
  await session.ready();
  const menu = menuOf(page, words, words.of("session.timeline.title"));

  await test.step("the timeline is exported as shown, with every request of its series", async () => {
    // On a busy machine the page's title arrives later than the session's.
    await page.evaluate(() => {
      document.title = "Session";
    });
    await expect(page).toHaveTitle(/^Stop duplicate shipments/);
    const svg = await saved(page, words, menu, "svg");
    expect(svg.name).toMatch(/^stop-duplicate-shipments.*\.svg$/u);
    const drawing = svg.bytes.toString("utf8");
    expect(drawing).toContain(words.of("session.timeline.lineRecorded"));
    expect(drawing).toContain(words.of("session.band.results"));
    expect(drawing, "it refers to nothing outside itself").not.toMatch(
      /(href|src)\s*=|url\((?!#|data:)|var\(|https?:\/\/(?!www\.w3\.org)/u,
    );
    // Another program renders it: it contains every pattern that it names, and the areas and lines.
    const seen = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text.replace(/<style>.*<\/style>/su, ""), "image/svg+xml");
      const ids = [...text.matchAll(/url\(#([^)]+)\)/gu)].map(([, id = ""]) => id);
      return {
        error: root.querySelector("parsererror")?.textContent ?? null,
        missing: ids.filter((id) => root.getElementById(id) === null),
        areas: root.querySelectorAll("path").length,
      };
    }, drawing);
    expect(seen).toMatchObject({ error: null, missing: [] });
    expect(seen.areas).toBeGreaterThan(10);

    const png = await saved(page, words, menu, "png");
    expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
    // More than one colour was painted.
    const colours = await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0);
      return new Set(
        new Uint32Array(context?.getImageData(0, 0, image.width, image.height).data.buffer ?? new ArrayBuffer(0)),
      ).size;
    }, png.bytes.toString("base64"));
    expect(colours).toBeGreaterThan(10);

    const [head = [], ...rows] = rowsOf((await saved(page, words, menu, "csv")).bytes);
    expect(head.slice(0, 2)).toEqual([words.of("session.table.request"), words.of("session.table.time")]);
    const json = JSON.parse((await saved(page, words, menu, "json")).bytes.toString("utf8"));
    expect(json.columns).toEqual(head);
    expect(json.rows.map((row: Record<string, unknown>) => head.map((key) => String(row[key] ?? "")))).toEqual(rows);

    // The numbers are those of the page, row by row.
    const toggle = page.getByRole("button", { name: words.of("session.table.toggle"), exact: true });
    await toggle.click();
    await expect(page.getByTestId("data-table")).toBeInViewport({ ratio: 0.9 });
    const shown = await page
      .getByTestId("data-table")
      .locator("tbody tr")
      .evaluateAll((trs) => trs.map((tr) => [...tr.querySelectorAll("th, td")].map((cell) => cell.textContent ?? "")));
    await toggle.click();
    expect(shown.length).toBeGreaterThan(20);
    const kind = head.indexOf(words.of("session.table.kind"));
    for (const [request = "", context = "", known = "", simulated = ""] of shown) {
      const row = rows[Number(request)] ?? [];
      expect([row[0], row[kind - 1], row[kind], row[kind + 1]]).toEqual([
        request,
        digits(context),
        known,
        digits(simulated),
      ]);
    }
  });

  await test.step("the timeline is copied as an image, and a refused copy is reported", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await menu.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: words.of("common.export.copy") }).press("Enter");
    await expect(page.getByText(words.of("common.export.copied"), { exact: true })).toBeVisible();
    const copied = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const image = await createImageBitmap((await item?.getType("image/png")) ?? new Blob());
      return image.width;
    });
    expect(copied).toBeGreaterThan(1000);

    await page.evaluate(() => {
      navigator.clipboard.write = () => Promise.reject(new Error("refused"));
    });
    await menu.click();
    await page.getByRole("menuitem", { name: words.of("common.export.copy") }).click();
    await expect(page.getByRole("alert").getByText(words.of("common.export.copyFailed"))).toBeVisible();
  });

  await test.step("a print has the light theme, and no scroll bars or controls", async () => {
    await inScheme(page, "dark");
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
    await expect(session.transcript).toBeHidden();
    await expect(session.chart).toBeVisible();
    await page.emulateMedia({ media: null });
  });

  await test.step("tables are exported in full, with the numbers shown", async () => {
    await session.tab("composition");
    await expect(session.composition).toBeVisible();
    const composition = rowsOf(
      (await saved(page, words, menuOf(page, words, words.of("session.composition.title")), "csv")).bytes,
    );
    const tokens = composition[0]?.indexOf(words.of("session.composition.tokens")) ?? -1;
    const shown = await session.composition.locator("tbody tr[data-category] td:nth-of-type(2)").allInnerTexts();
    expect(composition.slice(1).map((row) => row[tokens])).toEqual(shown.map(digits));

    await session.tab("compare");
    const json = JSON.parse(
      (await saved(page, words, menuOf(page, words, words.of("compare.difference.title")), "json")).bytes.toString(
        "utf8",
      ),
    );
    const cells = page.getByTestId("difference").locator('tbody [data-metric="peak"]');
    await expect(cells).toHaveCount(2);
    const peaks = await cells.evaluateAll((all) => all.map((cell) => Number(cell.getAttribute("data-value"))));
    expect(json.rows.map((row: Record<string, unknown>) => row[words.of("metrics.name.peak")])).toEqual(peaks);

    // The panel's settings are frozen once, under the next letter.
    const freeze = (key: string) =>
      page.getByRole("button", { name: words.filled(`compare.runs.${key}`, { letter: "C" }), exact: true });
    await freeze("freeze").click();
    await expect(freeze("frozen")).toBeDisabled();
    await expect(page.getByTestId("difference").locator('tbody tr[data-run="C"]')).toBeVisible();
    expect(new URL(page.url()).searchParams.get("runs")).toContain("triggerShare=0.3");
  });

  await test.step("a sweep's default settings change the result, and its points are exported", async () => {
    // The session stays far below the documented trigger.
    await session.follow(ENGLISH, "?policy=codex&tab=sweep");
    await expect(page.getByTestId("sweep")).toHaveAttribute("aria-busy", "false");
    const table = page.getByTestId("points-table");
    const menu = table.getByRole("button", {
      name: words.filled("common.export.label", { name: words.of("sweep.table.title") }),
    });
    const rows = rowsOf((await saved(page, words, menu, "csv")).bytes);
    const compactions = rows[0]?.indexOf(words.of("metrics.name.compactions")) ?? -1;
    expect(new Set(rows.slice(1).map((row) => row[compactions])).size).toBeGreaterThan(1);
  });
});
