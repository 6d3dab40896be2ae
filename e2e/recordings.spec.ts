import { copyFileSync, linkSync } from "node:fs";
import { join } from "node:path";
import { type ExpectedRow, expectedRows, WITHOUT_RECORDINGS } from "@/verify/support/expected";
import { SessionPage } from "./pages/session";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";
import type { Words } from "./support/words";

/**
 * Recordings beside the project, by their special feature, their formats, and the beginnings of their names. What reading must give for all of
 * them is compared without a page: lib/agents/recordings.test.ts and lib/queries/replays/recorded-metrics.test.ts. One of each agent is opened in
 * package.spec.ts.
 */
const CHOSEN = [
  ["two compactions", "claude-code", "entireio__cli__ckpt-4902a08f9b180"],
  [
    "one request",
    "claude-code",
    "HillviewCap__Personal_AI_Infrastructure__home-jenkins-Personal-AI-Infrastructure-agent",
  ],
  [
    "nothing was said",
    "claude-code",
    "HillviewCap__Personal_AI_Infrastructure__home-jenkins-Personal-AI-Infrastructure-d3",
  ],
  ["damaged lines", "claude-code", "daaain__claude-code-log__test-test_data-edge_cases"],
  ["no usage", "codex", "wesm__agentsview__internal-parser-testdata-codex-fc_args_1"],
  ["one document", "gemini-cli", "entireio__cli__ckpt-12cbfeaa512b0"],
] as const;

const RECORDINGS = CHOSEN.flatMap(([about, format, name]) =>
  expectedRows(format)
    .filter(({ file }) => file.startsWith(name))
    .slice(0, 1)
    .map((row) => ({ about: `${format}, ${about}`, ...row })),
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

// They are opened one after the other in a page that stays, as by links: loading its program for each takes longer than rendering
// it.
test("recordings show their expected metrics", async ({ page, words }) => {
  const session = new SessionPage(page, app, words);
  for (const [at, { about, file, expected }] of RECORDINGS.entries()) {
    await test.step(about, async () => {
      if (at === 0) await session.visit(file, "?policy=custom");
      else await session.follow(file, "?policy=custom");
      await shows(session, words, expected);
    });
  }
});

/** Waits for the metrics of a recording in its page. */
async function shows(session: SessionPage, words: Words, expected: ExpectedRow["expected"]): Promise<void> {
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
  const largest = isPeak(peakContext) ? peakContext.tokens : null;
  // The context before a compaction is part of the peak, also if no request measured it.
  const found = Array.isArray(compactions) ? compactions.map(({ tokensBefore }: Before) => tokensBefore ?? 0) : [];
  if (largest !== null) expect(await session.recorded("peak")).toBe(Math.max(largest, ...found));
  for (const tab of ["composition", "boundaries"] as const) await session.tab(tab);
  await expect(page.getByTestId("boundary-details").or(page.getByTestId("no-boundary")).first()).toBeVisible();
  // The address changes a moment later, and would replace that of a recording opened meanwhile.
  await expect(page).toHaveURL(/[?&]tab=boundaries/);
}

interface Before {
  readonly tokensBefore: number | null;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // Another file system.
  }
}

function isPeak(value: unknown): value is { readonly tokens: number } {
  return typeof value === "object" && value !== null && "tokens" in value && typeof value.tokens === "number";
}
