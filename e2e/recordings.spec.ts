import { copyFileSync, linkSync } from "node:fs";
import { join } from "node:path";
import { expectedRows, WITHOUT_RECORDINGS } from "@/lib/agents/testing/expected";
import { SessionPage } from "./pages/session";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";
import type { Words } from "./support/words";

/** The recordings beside the project, if there are any, with the figures that reading them must give. */
const RECORDINGS = ["claude-code", "codex"].flatMap((format) =>
  expectedRows(format).map((row) => ({ format, ...row })),
);

test.skip(RECORDINGS.length === 0, WITHOUT_RECORDINGS);

let app: App;

test.beforeAll(async () => {
  app = await startApp({
    fill: (folder) => {
      for (const { path, file } of RECORDINGS) linkOrCopy(path, join(folder, file));
    },
  });
});
test.afterAll(() => app?.stop());

/** So many are opened one after the other in a page that stays, as by links: to load its program for each takes longer than to show it. */
const IN_A_PAGE = 8;

for (let from = 0; from < RECORDINGS.length; from += IN_A_PAGE) {
  const some = RECORDINGS.slice(from, from + IN_A_PAGE);
  test(`recordings ${from + 1} to ${from + some.length} show the figures that reading them must give`, async ({
    page,
    words,
  }) => {
    const session = new SessionPage(page, app, words);
    for (const [at, { format, file, expected }] of some.entries()) {
      await test.step(`${format}: ${file}`, async () => {
        if (at === 0) await session.visit(file, "?policy=custom");
        else await session.follow(file, "?policy=custom");
        await shows(session, words, expected);
      });
    }
  });
}

/** Waits for the figures of a recording in its page. */
async function shows(
  session: SessionPage,
  words: Words,
  expected: (typeof RECORDINGS)[number]["expected"],
): Promise<void> {
  const { page } = session;
  const nothing = page.getByText(words.of("session.empty.body"));
  await expect(session.chart.locator("path").filter({ visible: true }).first().or(nothing)).toBeVisible();
  if (await nothing.isVisible()) {
    expect(expected).toMatchObject({ requests: 0, messages: { toolCalls: 0 }, records: { total: 2 } });
    return;
  }
  await expect(session.transcript.getByRole("button").first()).toBeVisible();
  const { compactions, peakContext } = expected;
  if (Array.isArray(compactions)) expect(await session.recorded("compactions")).toBe(compactions.length);
  const peak = isPeak(peakContext) ? peakContext.tokens : null;
  if (peak !== null) expect(await session.recorded("peak")).toBe(peak);
  for (const lens of ["composition", "boundaries"] as const) await session.lens(lens);
  await expect(page.getByTestId("boundary-details").or(page.getByTestId("no-boundary")).first()).toBeVisible();
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // another file system
  }
}

function isPeak(value: unknown): value is { readonly tokens: number } {
  return typeof value === "object" && value !== null && "tokens" in value && typeof value.tokens === "number";
}
