import { CHINESE, copySamples, ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, testOnApp } from "./support/fixtures";
import { startApp } from "./support/server";

const test = testOnApp(() => startApp({ fill: (folder) => copySamples(folder, [ENGLISH, ROLLOUT]) }));

/** The main job: open a recording, read the chart and the numbers, drag the trigger, see compactions move, and come back to the same view. */
const LANGUAGES = [
  { locale: "en-GB", file: ENGLISH, title: "Stop duplicate shipments after retried imports", recorded: 1 },
  { locale: "zh-CN", file: CHINESE, title: "修复日报差一天，并把导出改为增量", recorded: 0 },
] as const;

for (const { locale, file, title, recorded } of LANGUAGES) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test("a file is uploaded, replayed under another trigger, and reopened from its address", async ({
      page,
      list,
      session,
      words,
    }) => {
      await list.open();
      await expect(list.heading).toBeAttached();
      await list.choose(samplePath(file));
      await page.waitForURL(/\/sessions\//);
      await session.ready();
      await expect(page.locator("html")).toHaveAttribute("lang", locale === "zh-CN" ? "zh-CN" : "en");
      await expect(session.title).toContainText(title);
      await expect(session.chart).toHaveAccessibleName(words.like("session.timeline.chart"));

      await session.choosePolicy(words.of("replay.policy.custom"));
      expect(await session.recorded("compactions")).toBe(recorded);
      const before = await session.simulated("compactions");
      const sent = await session.simulated("tokensSent");

      const trigger = session.slider("triggerShare");
      await session.drag(trigger, 0.25);
      await expect.poll(() => session.simulated("compactions")).toBeGreaterThan(before);
      expect(await session.simulated("tokensSent")).toBeLessThan(sent);
      await expect(session.simulatedMarks.first()).toBeVisible();

      const atMouse = Number(await trigger.getAttribute("aria-valuenow"));
      await trigger.focus();
      await page.keyboard.press("ArrowRight");
      await expect(trigger).toHaveAttribute("aria-valuenow", String(round(atMouse + 0.01)));
      await page.keyboard.press("PageDown");
      await expect.poll(async () => Number(await trigger.getAttribute("aria-valuenow"))).toBeLessThan(atMouse);

      const value = await trigger.getAttribute("aria-valuenow");
      const compactions = await session.simulated("compactions");
      await expect(page).toHaveURL(new RegExp(`policy=custom.*set\\.triggerShare=${value}(&|$)`));
      await page.reload();
      await session.ready();
      await expect(trigger).toHaveAttribute("aria-valuenow", value ?? "");
      expect(await session.simulated("compactions")).toBe(compactions);
    });
  });
}

test("pointing at a request gives its breakdown, the transcript follows, and the recorded boundary shows what it did", async ({
  page,
  session,
  words,
}) => {
  await session.open(ENGLISH);
  await session.cursor.hover({ position: { x: 300, y: 120 } });
  const card = page.getByTestId("hover-card");
  await expect(card).toContainText(words.of("session.band.results"));
  await session.cursor.click({ position: { x: 300, y: 120 } });
  await expect(page).toHaveURL(/[?&]at=\d+/);
  const at = Number(await session.cursor.getAttribute("aria-valuenow"));
  expect(at).toBeGreaterThan(5);
  const shown = session.transcript.locator(`li[aria-posinset]`).filter({ hasText: new RegExp(`^${at}\\D`) });
  await expect(shown.first()).toBeInViewport();

  await session.lens("composition");
  await expect(session.composition).toContainText(words.of("session.category.freeSpace"));
  const sum = await page.getByTestId("composition-sum").innerText();
  expect(sum.replace(/\D/g, "")).toBe("200000");

  await session.lens("boundaries");
  const list = page.getByRole("navigation", { name: words.of("session.boundary.list") });
  await list.getByRole("treeitem", { level: 2 }).first().click();
  await expect(page.getByTestId("boundary-details")).toContainText("169,802");
});

function round(value: number): number {
  return Number(value.toFixed(6));
}
