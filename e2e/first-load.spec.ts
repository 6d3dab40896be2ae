import type { Page } from "@playwright/test";
import { SESSION_TABS } from "@/components/session/shared/state/tabs";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

/** Maximum compressed bytes of JavaScript that a page loads by itself. */
const MAX_BYTES = { list: 181_000, session: 289_000 };

/** Answers up to this size fit into one packet uncompressed. */
const MIN_BYTES = 1024;

/** The compressed bytes of all scripts loaded so far, and their names, largest first. */
function scripts(page: Page): Promise<{ readonly bytes: number; readonly largest: readonly string[] }> {
  return page.evaluate(() => {
    const loaded = performance
      .getEntriesByType("resource")
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
      .sort((a, b) => b.encodedBodySize - a.encodedBodySize);
    return {
      bytes: loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      largest: loaded.map(({ name, encodedBodySize }) => `${encodedBodySize} ${name}`),
    };
  });
}

test("a page's first load stays within its size limit, and large answers are compressed", async ({
  page,
  list,
  session,
}, info) => {
  const plain: string[] = [];
  const seen: Promise<unknown>[] = [];
  let answers = 0;
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const headers = response.headers();
    if (!pathname.startsWith("/api/") || headers["content-type"]?.startsWith("text/event-stream") === true) return;
    seen.push(
      response.body().then(
        (body) => {
          answers += 1;
          if (body.length > MIN_BYTES && headers["content-encoding"] === undefined)
            plain.push(`${pathname}: ${body.length}`);
        },
        () => undefined, // The page was left before the answer arrived.
      ),
    );
  });

  await list.open();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  const first = await scripts(page);
  info.annotations.push({ type: "list", description: String(first.bytes) });
  expect(first.bytes).toBeGreaterThan(100_000);
  expect(first.bytes, first.largest.join("\n")).toBeLessThanOrEqual(MAX_BYTES.list);

  await session.arrive(ENGLISH);
  await expect(session.transcript.locator("[data-row]").first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  const second = await scripts(page);
  info.annotations.push({ type: "session", description: String(second.bytes) });
  expect(second.bytes).toBeGreaterThan(first.bytes);
  expect(second.bytes, second.largest.join("\n")).toBeLessThanOrEqual(MAX_BYTES.session);

  for (const tab of SESSION_TABS) {
    await session.tab(tab);
    await page.waitForLoadState("networkidle");
  }
  await Promise.all(seen);
  expect(answers).toBeGreaterThan(10);
  expect(plain).toEqual([]);
});
