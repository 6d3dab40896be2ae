import { DIALOG, serious, TAB } from "./support/axe";
import { expect, testOnVaried as test } from "./support/fixtures";
import { READER, SILENT } from "./support/reader-file";

test("rows of a recording unfold in place, calls are paired with results, and the text can be resized", async ({
  page,
  app,
  session,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/404/);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "image" && !request.url().startsWith("data:")) asked.push(request.url());
  });
  const row = (item: number) => session.transcript.locator(`[data-row="${item}"]`);
  const toEnd = () => session.transcript.evaluate((list) => list.scrollTo(0, list.scrollHeight));

  await test.step("a linked item is open and in view, and rows without content are folded with their number", async () => {
    await session.open(READER, "?list=items&item=60");
    // The item is a result, which stands in the row of its call.
    const linked = session.transcript.locator('[data-row][aria-expanded="true"]');
    await expect(linked).toHaveCount(1);
    await expect(linked).toBeInViewport();
    await expect(session.transcript.getByTestId("item-text").first()).toBeVisible();
    const rows = async () => Number(await session.transcript.locator("li").first().getAttribute("aria-setsize"));
    const folded = await rows();
    await page.getByRole("button", { name: words.filled("session.transcript.showEmpty", { count: SILENT }) }).click();
    await expect.poll(rows).toBe(folded + SILENT);
    await page.getByRole("button", { name: words.filled("session.transcript.foldEmpty", { count: SILENT }) }).click();
    await expect.poll(rows).toBe(folded);
  });

  await test.step("rows open in place without being pinned, and with Enter after j", async () => {
    await session.follow(READER, "?list=items");
    await session.transcript.evaluate((list) => list.scrollTo(0, 0));
    await expect(row(5)).toBeVisible();
    // No request is pointed at, so no item counts as dropped.
    await expect(session.transcript.getByText(words.of("session.transcript.notInContext"))).toHaveCount(0);
    const item = Number(await session.transcript.locator("[data-row]").last().getAttribute("data-row"));
    await row(item - 8).scrollIntoViewIfNeeded();
    const top = async () => (await row(item - 8).boundingBox())?.y;
    const before = await top();
    await row(item - 8).click();
    await expect(row(item - 8)).toHaveAttribute("aria-expanded", "true");
    await expect(
      session.transcript
        .locator("li", { has: page.locator(`[data-row="${item - 8}"]`) })
        .getByTestId("item-text")
        .first(),
    ).toBeVisible();
    expect(await top()).toBe(before);
    await expect(page).toHaveURL(new RegExp(`item=${item - 8}\\b`));
    expect(page.url()).not.toMatch(/[?&]at=/);

    // The next row is that of the next item with content; Enter opens it, and Enter closes it.
    await page.keyboard.press("j");
    const next = session.transcript.locator("[data-row]:focus");
    await expect(next).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("Enter");
    await expect(next).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("Enter");
    await expect(next).toHaveAttribute("aria-expanded", "false");
    expect(page.url()).not.toMatch(/[?&]at=/);
  });

  await test.step("a call is shown with its result: edits as diffs, commands as a terminal, others as a tree", async () => {
    await toEnd();
    const open = async (name: string) => {
      const row = session.transcript
        .locator("li")
        .filter({ has: page.locator("[data-row]", { hasText: name }) })
        .last();
      await row.locator("[data-row]").click();
      return row.getByTestId("item-text");
    };
    const edit = await open("Edit");
    await expect(edit).toHaveCount(2);
    const diff = edit.first().getByTestId("diff");
    await expect(diff).toContainText("/srv/a.ts");
    await expect(diff.locator("[data-layout=unified] > div")).toHaveText([/one/, /two/, /keep/]);
    await expect(edit.last()).toHaveText("The file has been updated.");

    const shell = await open("Bash");
    await expect(shell.first()).toHaveText("$ ls --color");
    await expect(shell.last()).toHaveText("red plain");
    await expect(shell.last().locator("span", { hasText: /^red$/ })).toHaveClass(/text-danger/);

    const other = await open("Lookup");
    await expect(other.first()).toContainText("<b>k</b>");
    const fold = other.last().getByRole("button", { name: words.of("session.reading.fold") });
    await expect(other.last()).toContainText("deep");
    await fold.first().click();
    await expect(other.last()).not.toContainText("deep");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await diff.getByRole("button", { name: "/srv/a.ts" }).click();
    await expect(diff).toContainText(words.of("session.copy.copied"));
    expect(await clipboard()).toBe("/srv/a.ts");
    await page
      .getByRole("button", { name: words.of("session.copy.text") })
      .last()
      .click();
    await expect(page.getByRole("button", { name: words.of("session.copy.copied") })).toBeVisible();
    expect(await clipboard()).toBe('{"found":{"deep":[1,2]}}');

    // The text as in the file is one press away.
    const row = session.transcript.locator("li").filter({ hasText: "Lookup" }).last();
    await row.getByRole("button", { name: words.of("session.transcript.asWritten"), exact: true }).click();
    await expect(row.getByTestId("item-text").first()).toHaveText('{"key":"<b>k</b>"}');

    await page.setViewportSize({ width: 1600, height: 1200 });
    await expect(diff.locator("[data-layout=split] > div")).toHaveCount(2);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await test.step("recorded images are loaded when opened, and nothing else is loaded", async () => {
    await toEnd();
    const rows = session.transcript.locator("[data-row]", { hasText: words.of("session.item.image") });
    await expect(rows).toHaveCount(3);
    expect(asked.filter((url) => url.includes("/picture"))).toEqual([]);
    for (let at = 0; at < 3; at++) {
      const row = rows.nth(at);
      // A row moves while those above it get their height, so a press may miss it.
      await expect(async () => {
        if ((await row.getAttribute("aria-expanded")) !== "true") await row.click();
        await expect(row).toHaveAttribute("aria-expanded", "true", { timeout: 2000 });
      }).toPass();
    }
    const shown = session.transcript.locator("img");
    await expect(shown).toHaveCount(1);
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    // A file that is an SVG by its bytes, or is on another host, is not shown.
    await expect(session.transcript.getByText(/PNG, JPEG, GIF/)).toHaveCount(2);
    const origins = new Set(asked.map((url) => new URL(url).origin));
    expect([...origins]).toEqual([app.origin]);
  });

  await test.step("the separator is moved by pointer and key, and r gives the text the whole page", async () => {
    const line = page.getByRole("separator", { name: words.of("session.reading.split") });
    await expect(line).toBeVisible();
    const top = async () => (await line.boundingBox())?.y ?? 0;
    const first = await top();
    await line.focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(top).toBeLessThan(first - 10);
    const box = await line.boundingBox();
    if (box === null) throw new Error("the line is not on the page");
    await page.mouse.move(box.x + 200, box.y);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y - 40, { steps: 2 });
    await page.mouse.up();
    await expect.poll(top).toBeLessThan(box.y - 30);
    const kept = await top();
    const chart = async () => (await session.chart.boundingBox())?.height ?? 0;
    const height = await chart();
    const before = (await session.transcript.boundingBox())?.height ?? 0;
    await page.keyboard.press("r");
    await expect(session.chart).toBeHidden();
    await expect(session.panel).toBeHidden();
    await expect(page).toHaveURL(/read=true/);
    expect((await session.transcript.boundingBox())?.height).toBeGreaterThan(before + 200);
    await expect(page.getByRole("button", { name: words.of("session.transcript.read"), exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await serious(page, "reading alone", TAB);
    await page.goBack();
    await expect(session.chart).toBeVisible();
    await expect(page).not.toHaveURL(/read=/);
    await expect.poll(async () => Math.abs((await top()) - kept)).toBeLessThan(3);
    await page.reload();
    await session.ready();
    await expect.poll(async () => Math.abs((await top()) - kept)).toBeLessThan(3);
    await expect.poll(async () => Math.abs((await chart()) - height)).toBeLessThan(3);
    // From another tab, r returns to the text.
    await page.keyboard.press("2");
    await page.keyboard.press("r");
    await expect(page).toHaveURL(/read=true/);
    await expect(session.transcript).toBeVisible();
  });
});

test("a recording is searched by text and by filters", async ({ page, session, words }) => {
  const field = page.getByRole("searchbox", { name: words.of("session.find.label") });
  const found = page.getByTestId("found");
  const open = session.transcript.locator('[data-row][aria-expanded="true"]');

  await test.step("/ finds all matches, Enter opens the first one, and Back returns to none", async () => {
    await session.open(READER, "?list=items");
    // The chart is drawn before the page listens to keys.
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(field).toBeFocused({ timeout: 500 });
    }).toPass();
    // Enter comes before the answer: it waits for it, and goes to no match of another search.
    await page.keyboard.type("no such text anywhere");
    await expect(found).toHaveText(words.of("session.find.none"));
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("ls --COLOR");
    await page.keyboard.press("Enter");
    await expect(open).toContainText("Bash");
    await expect(page).toHaveURL(/item=/);
    await page.goBack();
    await expect(page).not.toHaveURL(/item=/);
    await expect(found).toHaveText(words.filled("session.find.foundUnselected", { items: 1, matches: 1 }));
    // An input method uses these keys to select a candidate: neither leaves the field or goes to a match.
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await field.dispatchEvent("keydown", { key: "Escape", isComposing: true });
    await expect(field).toBeFocused();
    await expect(page).not.toHaveURL(/item=/);
    await page.keyboard.press("Enter");
    await expect(open).toHaveCount(1);
    await expect(open).toBeInViewport();
    await expect(found).toHaveText(words.filled("session.find.found", { at: 1, items: 1, matches: 1 }));
    await expect(page.getByTestId("find-marks")).toBeVisible();
    await expect.poll(() => page.evaluate(() => CSS.highlights.get("find")?.size ?? 0)).toBeGreaterThan(0);
    await expect(page).toHaveURL(/find=ls/);
    await page.goBack();
    await expect(page).not.toHaveURL(/item=/);
    await field.fill("");
    await expect(page).not.toHaveURL(/find=/);
  });

  await test.step("a search is filtered, with and without a text", async () => {
    const number = async () => Number(/([\d,]+) items?,/.exec(await found.innerText())?.[1] ?? -1);
    await page.getByTestId("find-filter").click();
    const conditions = page.getByRole("dialog", { name: words.of("session.find.limit") });
    await conditions.getByRole("combobox", { name: words.of("session.find.kind") }).click();
    await page.getByRole("option", { name: words.of("session.item.call"), exact: true }).click();
    await expect.poll(number).toBeGreaterThan(10);
    const calls = await number();
    await conditions.getByRole("combobox", { name: words.of("session.find.tool") }).click();
    await page.getByRole("option", { name: "Lookup", exact: true }).click();
    await expect.poll(number).toBe(1);
    await serious(page, "the conditions of a search", DIALOG);
    await expect(page).toHaveURL(/find\.kind=call&find\.tool=Lookup/);
    await page.keyboard.press("Escape");
    // Marks on the minimap, and buttons to the matches.
    await expect(page.getByTestId("find-marks")).toBeVisible();
    await page.keyboard.press("n");
    await expect(open.filter({ hasText: "Lookup" })).toBeInViewport();

    // Back removes the filters one by one; a text narrows them further, and the address keeps all of it.
    await page.goBack();
    await expect(page).not.toHaveURL(/item=/);
    await page.goBack();
    await expect(page).not.toHaveURL(/find\.tool/);
    await expect.poll(number).toBe(calls);
    await field.fill("ls --color");
    await expect.poll(number).toBe(1);
    await expect(page).toHaveURL(/find=ls/);
    await field.press("Enter");
    await expect(page).toHaveURL(/item=/);
    await page.reload();
    await session.ready();
    await expect(found).toHaveText(words.filled("session.find.found", { at: 1, items: 1, matches: 1 }));
    await expect(open).toContainText("Bash");
    await expect(open).toBeInViewport();
    await session.follow(READER, "?list=items&find.kind=call&find.tool=Lookup");
    await expect.poll(number).toBe(1);

    // In the context and not in it are everything.
    await session.follow(READER, "?list=items&find.context=in&at=20");
    await expect.poll(number).toBeGreaterThan(20);
    const inside = await number();
    await session.follow(READER, "?list=items&find.context=out&at=20");
    await expect.poll(number).not.toBe(inside);
    expect(await number()).toBeGreaterThan(20);
    await session.follow(READER, "?list=items&find=e&find.context=in");
    await expect(found).toHaveText("");
  });
});

test("Enter in the search scrolls to the match itself, even far down in a long text", async ({
  page,
  session,
  words,
}) => {
  const field = page.getByRole("searchbox", { name: words.of("session.find.label") });
  /** Distance of the first match of the opened row from the visible part of the transcript, in pixels; 0 if it is in view. */
  const distance = () =>
    session.transcript.evaluate((list, item) => {
      const row = list.querySelector("[data-row].bg-sunk, .bg-sunk [data-row]")?.closest("li") ?? null;
      const place = [...(CSS.highlights.get("find") ?? [])].find(({ startContainer }) => row?.contains(startContainer));
      if (row === null || place === undefined) return item;
      const [at, view] = [(place as Range).getBoundingClientRect(), list.getBoundingClientRect()];
      return Math.max(0, view.top - at.top, at.bottom - view.bottom);
    }, Number.MAX_SAFE_INTEGER);
  for (const list of ["turns", "items"]) {
    // The word first occurs after a hundred lines of a test's output.
    await session.open(READER, `?list=${list}`);
    await field.fill("AssertionError");
    await field.press("Enter");
    await expect(page).toHaveURL(/[?&]item=/);
    await expect.poll(distance, { message: list }).toBe(0);
  }
});

test("a recording is read by turns, with open prompts and answers and folded steps", async ({
  page,
  session,
  words,
}) => {
  const { transcript } = session;
  const row = (item: number) => transcript.locator(`[data-row="${item}"]`);
  const traces = transcript.locator("[data-trace]");
  const press = (name: "answers" | "all") =>
    page.getByRole("button", { name: words.of(`session.transcript.expand.${name}`) });

  await test.step("prompts and answers are shown with their Markdown, and a folded trace names its calls", async () => {
    await session.open(READER);
    const prompt = transcript
      .locator("li")
      .filter({ hasText: words.of("session.item.user") })
      .first();
    await expect(prompt.locator("[data-row]")).toHaveAttribute("aria-expanded", "true");
    // The code that shows texts loads at the first user input, which may come before the page listens for it.
    await expect(async () => {
      await page.mouse.move(300, 700);
      await page.mouse.move(310, 700);
      await expect(prompt.getByTestId("item-text")).toBeVisible({ timeout: 1000 });
    }).toPass();
    await expect(prompt).toContainText(/\d calls? · .* tokens/);
    await expect(traces.first()).toContainText(/\d+ steps/);
    await expect(traces.first()).toContainText(/[A-Z]\w+×\d/);
    await serious(page, "the view by turns", TAB);
  });

  await test.step("a trace unfolds into a row for every call, by key and by press, and folds again", async () => {
    const first = Number(await traces.first().getAttribute("data-trace"));
    const rows = async () => Number(await transcript.locator("li").first().getAttribute("aria-setsize"));
    const folded = await rows();
    await row(first).focus();
    await page.keyboard.press("Enter");
    await expect.poll(rows).toBeGreaterThan(folded + 3);
    await expect(page).toHaveURL(new RegExp(`item=${first}\\b`));
    await page.keyboard.press("j");
    await expect(transcript.locator("[data-row]:focus")).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("o");
    await expect(transcript.locator("[data-row]:focus")).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(rows).toBe(folded);
    await expect(row(first)).toHaveAttribute("aria-expanded", "false");
    await traces.first().click();
    await expect.poll(rows).toBeGreaterThan(folded + 3);
    await traces.first().click();
    await expect.poll(rows).toBe(folded);
  });

  await test.step("a row of an edit states the numbers of added and removed lines", async () => {
    const edit = transcript
      .locator("li")
      .filter({ has: page.locator("[data-row]", { hasText: "Edit" }) })
      .last();
    // Rows that are measured late may move the trace from under the pointer.
    await expect(async () => {
      await transcript.evaluate((list) => list.scrollTo(0, list.scrollHeight));
      if ((await edit.innerText()).includes("Screenshot")) await traces.filter({ hasText: "Screenshot" }).click();
      await expect(edit).toContainText("+1 −1", { timeout: 2000 });
    }).toPass();
    await expect(edit).toContainText("/srv/a.ts");
    await expect(edit).not.toContainText("has been updated");
  });

  await test.step("one press opens all rows, and the next one closes them", async () => {
    await transcript.evaluate((list) => list.scrollTo(0, 0));
    await press("all").click();
    await expect(transcript.locator("[data-row][aria-expanded=false]").filter({ visible: true })).toHaveCount(0);
    await press("answers").click();
    await expect(press("all")).toHaveAttribute("aria-pressed", "false");
    await press("answers").click();
    await expect(press("answers")).toHaveAttribute("aria-pressed", "false");
  });

  await test.step("a link to an item inside a trace opens it, and the address keeps the list of items", async () => {
    await session.follow(READER, "?item=60");
    await session.open(READER, "?item=60");
    await expect(transcript.getByTestId("item-text").first()).toBeVisible();
    const linked = transcript.locator("[data-row]:not([data-trace])[aria-expanded=true]");
    await expect(linked.first()).toBeInViewport();
    await page.getByRole("radio", { name: words.of("session.transcript.by.items") }).click();
    await expect(page).toHaveURL(/list=items/);
    await expect(traces).toHaveCount(0);
    await page.goBack();
    await expect(page).not.toHaveURL(/list=/);
  });

  await test.step("dropped content is grey beside the chart, but not in the read mode", async () => {
    await session.follow(READER, "?at=0");
    await transcript.evaluate((list) => list.scrollTo(0, list.scrollHeight));
    const answer = transcript
      .locator("li")
      .filter({ hasText: words.of("session.item.assistant") })
      .last();
    await expect(answer.locator("[class*=text-t3]").filter({ has: page.getByTestId("item-text") })).toHaveCount(1);
    await page.keyboard.press("r");
    await expect(page).toHaveURL(/read=true/);
    await expect(transcript.locator("div[class*=text-t3]").filter({ has: page.getByTestId("item-text") })).toHaveCount(
      0,
    );
    const paragraph = transcript.getByTestId("item-text").locator("p").first();
    expect((await paragraph.boundingBox())?.width).toBeLessThan(720);
    await serious(page, "reading turn by turn", TAB);
  });

  await test.step("a match unfolds its trace, opens its call, and enlarges the transcript", async () => {
    await session.open(READER, "?find=ls+--COLOR");
    const height = async () => (await transcript.boundingBox())?.height ?? 0;
    const before = await height();
    await expect(page.getByTestId("found")).toHaveText(
      words.filled("session.find.foundUnselected", { items: 1, matches: 1 }),
    );
    await page.keyboard.press("n");
    await expect(transcript.locator("[data-row][aria-expanded=true]", { hasText: "Bash" })).toBeInViewport();
    await expect.poll(height).toBeGreaterThan(before + 50);
    // The height that was chosen by hand stays that of the next page.
    await page.reload();
    await session.ready();
    await expect.poll(async () => Math.abs((await height()) - before)).toBeLessThan(20);
  });
});
