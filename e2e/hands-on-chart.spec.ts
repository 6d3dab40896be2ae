import type { Locator, Page } from "@playwright/test";
import { serious, TAB } from "./support/axe";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";
import { WHOLE } from "./support/whole";

/** Maximum distance from the pointer to the trigger's line, in pixels. */
const NEAR = 12;

const shown = (text: string) => [...text.matchAll(/\d+/g)].slice(0, 2).map(Number);

test("the chart is zoomed by hand, and Back undoes each step until the list", async ({ page, list, session }) => {
  await test.step("Back restores the tab, then the pin, then the list at its scroll position", async () => {
    await page.setViewportSize({ width: 1280, height: 250 });
    await list.open();
    const scroller = page.locator("#content");
    await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
    await scroller.evaluate((element) => element.scrollTo(0, 40));
    await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
    const position = await scroller.evaluate((element) => element.scrollTop);
    // A click would scroll the link into view.
    await list.link("Stop duplicate shipments").first().dispatchEvent("click");
    await page.waitForURL(/\/sessions\//);
    await session.ready();
    await page.keyboard.press("]");
    await expect(page).toHaveURL(/[?&]at=/);
    await page.keyboard.press("2");
    await expect(page).toHaveURL(/tab=composition/);
    await page.goBack();
    await expect(page).not.toHaveURL(/tab=/);
    await expect(page).toHaveURL(/[?&]at=/);
    await page.goBack();
    await expect(page).not.toHaveURL(/[?&]at=/);
    await expect(session.chart).toBeVisible();
    await page.goBack();
    await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
    await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBe(position);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await test.step("dragging zooms to the range, the wheel zooms at the pointer, and a double click shows all", async () => {
    await page.goForward();
    await session.ready();
    const caption = page.getByTestId("range-caption");
    const whole = shown(await caption.innerText());
    const plot = await session.cursor.boundingBox();
    if (plot === null) throw new Error("the plot is not on the page");
    // Below the trigger, which a press on its line would drag.
    const y = plot.y + plot.height - 30;
    const at = (share: number) => plot.x + plot.width * share;
    await page.mouse.move(at(0.25), y);
    await page.mouse.down();
    await page.mouse.move(at(0.5), y, { steps: 2 });
    await expect(page.getByTestId("zoom-span")).toBeVisible();
    await page.mouse.up();
    await expect(page).toHaveURL(/[?&]from=1\d&to=3\d/);
    // A drag is not a click: nothing is pinned.
    await expect(page).not.toHaveURL(/[?&]at=/);
    const dragged = shown(await caption.innerText());

    await page.mouse.move(at(0.9), y);
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => shown(await caption.innerText())[0]).toBeGreaterThan(dragged[0] ?? 0);
    // The request under the pointer keeps its place: the end near the pointer moves less.
    const wheeled = shown(await caption.innerText());
    expect((dragged[1] ?? 0) - (wheeled[1] ?? 0)).toBeLessThan((wheeled[0] ?? 0) - (dragged[0] ?? 0));
    await expect(page).toHaveURL(new RegExp(`[?&]from=${wheeled[0]}&`));

    await page.goBack();
    await expect.poll(async () => shown(await caption.innerText())).toEqual(dragged);
    await page.goBack();
    await expect.poll(async () => shown(await caption.innerText())).toEqual(whole);
    await page.goForward();
    await expect.poll(async () => shown(await caption.innerText())).toEqual(dragged);
    // A double click is one step, and pins nothing on the way.
    await page.mouse.dblclick(at(0.5), y);
    await expect.poll(async () => shown(await caption.innerText())).toEqual(whole);
    await expect(page).not.toHaveURL(/[?&](?:at|item|from)=/);
    await page.goBack();
    await expect.poll(async () => shown(await caption.innerText())).toEqual(dragged);
    await expect(page).not.toHaveURL(/[?&](?:at|item)=/);
  });
});

test("the timeline has space for its parts, and its trigger can be dragged", async ({ page, session, words }) => {
  const handle = page.getByTestId("trigger-handle");
  const value = async () => Number(await handle.getAttribute("aria-valuenow"));

  await test.step("the axis switches between requests and time, and between the context's and the window's height", async () => {
    await session.open(ROLLOUT, "?policy=custom&window=1000000&axis=time&height=fit");
    const radio = (name: string) => page.getByRole("radio", { name, exact: true });
    await expect(radio(words.of("session.timeline.axisBy.time"))).toBeChecked();
    await expect(page.getByTestId("trigger-line")).toHaveCount(0);
    await serious(page, "a timeline by time", TAB);
    await radio(words.of("session.timeline.axisBy.request")).click();
    await expect(page).not.toHaveURL(/[?&]axis=/);
    await radio(words.of("session.timeline.axisBy.time")).click();
    await expect(page).toHaveURL(/[?&]axis=time/);
    await expect(session.timeline.getByText(/^\d\d:\d\d:\d\d$/).first()).toBeVisible();
    // The cursor still points at requests.
    await session.cursor.click({ position: { x: 300, y: 120 } });
    await expect(page).toHaveURL(/[?&]at=\d+/);
    await radio(words.of("session.timeline.heightTo.window")).click();
    await expect(page.getByTestId("trigger-line")).toBeVisible();
    await radio(words.of("session.timeline.heightTo.fit")).click();
    await expect(page).toHaveURL(/[?&]height=fit/);
    await expect(page.getByTestId("trigger-line")).toHaveCount(0);
  });

  await test.step("dragging the trigger's line from any point is one step of the history", async () => {
    await session.follow(ENGLISH, "?policy=custom&height=window");
    const before = await value();
    const line = await page.getByTestId("trigger-line").boundingBox();
    if (line === null) throw new Error("the trigger has no line");
    const [x, y] = [line.x + line.width * 0.7, line.y + line.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 60, { steps: 4 });
    await page.mouse.up();
    await expect.poll(value).toBeLessThan(before - 20_000);
    const moved = await page.getByTestId("trigger-line").boundingBox();
    expect(Math.abs((moved?.y ?? 0) - line.y - 60)).toBeLessThan(3);
    await expect(page).toHaveURL(/set\.triggerShare=/);
    await page.goBack();
    await expect.poll(value).toBe(before);
    await expect(page).not.toHaveURL(/set\.triggerShare=/);
  });

  await test.step("no line crosses the name of a level", async () => {
    for (const [query, trigger] of [
      ["set.triggerShare=0.78", 156_000],
      ["window=1000000", 800_000],
    ] as const) {
      await session.follow(ENGLISH, `?policy=custom&${query}&height=fit`);
      await expect.poll(value).toBe(trigger);
      await expect(page.locator("[data-level-name]").first()).toBeVisible();
      expect(await namesOverLines(session.timeline)).toEqual([]);
    }
  });

  await test.step("with an axis fitted to a small context, the trigger's handle is at its edge", async () => {
    await expect(page.getByTestId("trigger-line")).toHaveCount(0);
    expect(await value()).toBeGreaterThan(700_000);
    // An arrow marks the trigger above the axis, and the handle covers no label.
    await expect(handle).toHaveText("↑800k");
    const [badge, plot] = await Promise.all([handle.boundingBox(), session.chart.boundingBox()]);
    expect((badge?.y ?? Number.NaN) + (badge?.height ?? 0)).toBeLessThan((plot?.y ?? 0) - 4);
    // The handle can be grabbed once it has stopped moving.
    await handle.hover();
    const edge = await handle.boundingBox();
    if (edge === null) throw new Error("the trigger has no handle");
    // The line follows the pointer, and moves once more when the axis fits the new contexts.
    const nearest = await nearestToLine(page, edge.y + 70);
    await page.mouse.move(edge.x + 10, edge.y + 10);
    await page.mouse.down();
    await page.mouse.move(edge.x + 10, edge.y + 70, { steps: 3 });
    await page.mouse.up();
    await expect(page.getByTestId("trigger-line")).toBeVisible();
    await expect.poll(nearest).toBeLessThan(NEAR);
  });

  await test.step("pinning a request docks it in the panel, where it covers neither chart nor settings", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await session.follow(ENGLISH, "?policy=custom");
    await session.cursor.click({ position: { x: 300, y: 120 } });
    const docked = page.getByTestId("docked-card");
    await expect(docked).toContainText(words.of("session.band.results"));
    // The docked card replaces the hover card, and the results stay in view.
    await expect(page.getByTestId("hover-card")).toBeHidden();
    for (const row of ["compactions", "peak", "tokensSent"] as const)
      await expect(session.result(row)).toBeInViewport(WHOLE);
    await serious(page, "a docked card", { within: "[data-testid=docked-card]" });

    // The docked card stays in view while the settings scroll.
    await expect(docked).toBeInViewport(WHOLE);
    await session.slider("triggerShare").focus();
    await expect(session.slider("triggerShare")).toBeInViewport(WHOLE);
    await expect(docked).toBeInViewport(WHOLE);
    await expect(session.result("compactions")).toBeInViewport(WHOLE);

    await page.goBack();
    await expect(docked).toBeHidden();
    await page.goForward();
    await docked.getByRole("button", { name: words.of("session.card.unpin") }).click();
    await expect(docked).toBeHidden();
  });

  await test.step("a changed setting is marked without breaking a word of its name", async () => {
    await session.follow(ENGLISH, "?policy=claude-code&set.autoBuffer=20000");
    const name = page.locator("[data-setting-row=autoBuffer] label");
    await expect(page.locator("[data-setting-row=autoBuffer] button").first()).toBeVisible();
    const pieces = await name.evaluate((label) => {
      const text = label.firstChild;
      return [...(text?.textContent ?? "").matchAll(/\S+/g)].map(({ index, 0: word }) => {
        const range = document.createRange();
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + word.length);
        return range.getClientRects().length;
      });
    });
    expect(pieces).toEqual([1, 1]);
  });

  await test.step("a legend of two lines makes the chart smaller, and covers nothing below it", async () => {
    await page.setViewportSize({ width: 1024, height: 860 });
    await session.follow(ENGLISH, "");
    const legend = session.timeline.getByRole("list").first();
    await expect.poll(async () => (await legend.boundingBox())?.height ?? 0).toBeGreaterThan(30);
    const line = page.getByRole("separator", { name: words.of("session.reading.split") });
    const bottom = async () => {
      const box = await page.getByTestId("range-caption").boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(async () => (await bottom()) <= ((await line.boundingBox())?.y ?? 0)).toBe(true);
  });
});

/** Number of lines that cross the name of a level. */
function namesOverLines(timeline: Locator): Promise<number[]> {
  return timeline.evaluate((figure) => {
    const names = [...figure.querySelectorAll("[data-level-name] rect")].map((name) => name.getBoundingClientRect());
    const lines = [...figure.querySelectorAll<SVGPathElement>("[data-line]")];
    return lines.flatMap((line) => {
      const matrix = line.getScreenCTM();
      if (matrix === null) return [];
      return Array.from({ length: Math.floor(line.getTotalLength() / 2) }, (_, step) => {
        const { x, y } = line.getPointAtLength(step * 2).matrixTransform(matrix);
        return names.filter(({ left, right, top, bottom }) => x > left && x < right && y > top && y < bottom).length;
      }).filter((count) => count > 0);
    });
  });
}

/**
 * Tracks in every frame, until it is small, the distance of the trigger's line from a height of the page, in pixels.
 * @returns the smallest distance so far
 */
async function nearestToLine(page: Page, y: number): Promise<() => Promise<number>> {
  const nearest = await page.evaluateHandle(
    ([height, near]) => {
      const seen = { pixels: Number.POSITIVE_INFINITY };
      const look = () => {
        const line = document.querySelector('[data-testid="trigger-line"]')?.getBoundingClientRect();
        if (line !== undefined) seen.pixels = Math.min(seen.pixels, Math.abs(line.y + line.height / 2 - height));
        if (seen.pixels >= near) requestAnimationFrame(look);
      };
      look();
      return seen;
    },
    [y, NEAR] as const,
  );
  return () => nearest.evaluate(({ pixels }) => pixels);
}
