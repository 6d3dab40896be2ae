import type { Page } from "@playwright/test";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";

/** Presses of Tab in which every control of a session is reached. */
const MAX_STOPS = 120;

test("the keyboard alone opens a session, replays it, and returns to the list", async ({
  page,
  list,
  session,
  words,
}) => {
  const focus = () =>
    page.evaluate(() => ({
      tag: document.activeElement?.tagName,
      name: document.activeElement?.getAttribute("aria-label"),
    }));
  await list.open("?q=shipments");
  const link = list.link("Stop duplicate shipments").first();
  await expect(link).toBeVisible();
  // The browser itself begins at the start of the first page: the link to its contents is the first stop.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: words.of("common.skipToContent") })).toBeFocused();
  await page.keyboard.press("j");
  await expect(link).toBeFocused();
  const title = await link.textContent();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sessions\//);
  await session.ready();
  // A session opened by key has the focus, on its name.
  await expect.poll(focus).toEqual({ tag: "MAIN", name: title });
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/item=\d+/);
  await page.goBack();
  await page.goBack();
  await expect(page).not.toHaveURL(/sessions/);
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await session.ready();

  await page.keyboard.press("]");
  await expect(session.cursor).toHaveAttribute("aria-valuenow", /^[1-9]/);
  await expect(page.getByTestId("docked-card")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("docked-card")).toBeHidden();

  await page.keyboard.press("+");
  await expect(page.getByTestId("range-caption")).not.toContainText("0 to 63");
  await page.keyboard.press("0");
  await expect(page.getByTestId("range-caption")).toContainText("0 to 63");

  for (const [key, tab] of [
    ["2", "composition"],
    ["3", "contributors"],
    ["4", "boundaries"],
    ["5", "compare"],
    ["6", "sweep"],
    ["1", "timeline"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole("tab", { name: words.of(`session.tab.${tab}`) })).toHaveAttribute(
      "aria-selected",
      "true",
    );
  }

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: words.of("common.help.title") });
  await expect(help).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
});

test("every part of a session is reached and moved by keyboard", async ({ page, session, words }) => {
  await test.step("Tab reaches every control, with a visible focus", async () => {
    await session.open(ENGLISH, "?policy=custom");
    const wanted = [
      "replay.panel.policy",
      "replay.panel.estimator",
      "replay.panel.reset",
      "replay.setting.triggerShare",
      "session.timeline.cursor",
      "session.timeline.triggerHandle",
      "session.timeline.zoomIn",
      "session.minimap.from",
      "session.copy.copy",
      "common.theme.label",
    ].map((key) => words.of(key));
    await expect(session.transcript.locator("[data-row]").first()).toBeVisible();
    const reached = new Set<string>();
    for (let step = 0; step < MAX_STOPS && !wanted.every((name) => reached.has(name)); step++) {
      await page.keyboard.press("Tab");
      const focus = await focused(page);
      // After the last control, and when the focused element is rendered again, Tab begins again.
      if (focus === null) continue;
      reached.add(focus.name);
      expect(focus.visible, `${focus.role} ${focus.name}`).toBe(true);
    }
    expect([...reached]).toEqual(expect.arrayContaining(wanted));
  });

  await test.step("typing letters at a closed list selects the value that begins with them", async () => {
    const policy = session.panel.getByRole("combobox", { name: words.of("replay.panel.policy") });
    await policy.focus();
    // The code for selecting by letters is loaded when the focus comes near.
    await page.waitForLoadState("networkidle");
    await page.keyboard.type("cla");
    await expect(policy).toHaveText(/^Cla/);
    await expect(page).toHaveURL(/policy=cla/);
    await page.goBack();
    await expect(page).toHaveURL(/policy=custom/);
  });

  await test.step("the trigger is dragged in the chart, and moved there with arrow keys, Home and End", async () => {
    const handle = page
      .getByRole("slider", { name: words.of("session.timeline.triggerHandle"), exact: true })
      .and(page.getByTestId("trigger-handle"));
    const before = Number(await handle.getAttribute("aria-valuenow"));
    await handle.focus();
    await page.keyboard.press("PageDown");
    await expect.poll(async () => Number(await handle.getAttribute("aria-valuenow"))).toBeLessThan(before);
    const place = await handle.boundingBox();
    if (place === null) throw new Error("the handle is not on the page");
    await page.mouse.move(place.x + 10, place.y + 10);
    await page.mouse.down();
    await page.mouse.move(place.x + 10, place.y + 90, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => Number(await handle.getAttribute("aria-valuenow"))).toBeLessThan(before - 40_000);
    await expect(page).toHaveURL(/set\.triggerShare=0\.\d+/);
    for (const [key, end] of [
      ["Home", "aria-valuemin"],
      ["End", "aria-valuemax"],
    ] as const) {
      const value = (await handle.getAttribute(end)) ?? "";
      await page.keyboard.press(key);
      await expect(handle).toHaveAttribute("aria-valuenow", value);
    }
    const slider = session.slider("triggerShare");
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(slider).toHaveValue((await slider.getAttribute("min")) ?? "");
    await page.keyboard.press("End");
    await expect(slider).toHaveValue((await slider.getAttribute("max")) ?? "");
  });

  await test.step("the transcript is one stop of the Tab key, and arrow keys move within it", async () => {
    await session.follow(ENGLISH, "?list=items");
    const rows = session.transcript.locator("[data-row]");
    await session.transcript.evaluate((list) => list.scrollTo(0, 0));
    await expect(session.transcript.locator('[data-row="0"]')).toBeInViewport();
    await expect(rows.first()).toBeVisible();
    await expect(session.transcript.locator('[data-row][tabindex="0"]')).toHaveCount(1);
    await session.transcript.locator('[data-row][tabindex="0"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const row = (item: number) => session.transcript.locator(`[data-row="${item}"]`);
    await expect(row(2)).toBeFocused();
    await expect(page).toHaveURL(/item=2\b/);
    await page.keyboard.press("Enter");
    await expect(row(2)).toHaveAttribute("aria-expanded", "true");
    await expect(session.transcript.getByTestId("item-text")).toBeVisible();
    // A row that was scrolled out of view keeps the focus, and the next key continues from there.
    await session.transcript.evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await expect(row(2)).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(row(3)).toBeFocused();
    await expect(row(3)).toBeInViewport();
    await page.keyboard.press("End");
    await expect(page).not.toHaveURL(/item=3\b/);
    await expect(session.transcript.locator('[data-row][tabindex="0"]')).toBeFocused();
    await expect(session.transcript.locator('[data-row][tabindex="0"]')).toBeInViewport();
  });

  await test.step("arrow keys in a zoomed chart start within its range and continue from there", async () => {
    await session.follow(ENGLISH, "?from=10&to=30");
    await session.cursor.focus();
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/[?&]at=29\b/);
    await page.keyboard.press("ArrowLeft");
    await expect(page).toHaveURL(/[?&]at=28\b/);
    await page.keyboard.press("End");
    await expect(page).not.toHaveURL(/[?&]at=2\d\b/);
  });

  await test.step("a trigger that no setting moves is not a slider, and states the reason", async () => {
    await session.follow(ROLLOUT, "?policy=codex&preset=current&set.limitScope=body_after_prefix");
    await expect(page.getByTestId("trigger-handle")).toHaveCount(0);
    // The line is rendered again while columns arrive, which loses an earlier focus.
    await expect(async () => {
      await page.getByTestId("trigger-fixed").focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      await expect(page.getByRole("tooltip")).toContainText(words.of("session.timeline.triggerFixed"), {
        timeout: 1000,
      });
    }).toPass();
  });
});

interface Focus {
  readonly name: string;
  readonly role: string;
  /** True if the element looks different from how it looks without the focus. */
  readonly visible: boolean;
}

function focused(page: Page): Promise<Focus | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const visible = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
    return { name: name.trim(), role: element.getAttribute("role") ?? element.tagName, visible };
  });
}
