import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGLISH, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, sessionId, startApp } from "./support/server";

const TWICE = "compacted-twice.jsonl";

/** A server with a session that was compacted twice, into summaries of different sizes. */
let twiceApp: App;

test.beforeAll(async () => {
  twiceApp = await startApp({ fill: writeCompactedTwice });
});
test.afterAll(() => twiceApp?.stop());

/** Writes the sample, then its boundary again with a shorter summary, then its last response again. */
function writeCompactedTwice(folder: string): void {
  const lines = readFileSync(samplePath(ENGLISH), "utf8").trimEnd().split("\n");
  // One line of the sample is damaged on purpose.
  const records = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
  const boundary = records.find(({ subtype }) => subtype === "compact_boundary");
  const summary = records.find(({ isCompactSummary }) => isCompactSummary === true);
  const response = records.findLast(({ type }) => type === "assistant");
  const again = [
    { ...boundary, uuid: "again-1", logicalParentUuid: response.uuid },
    {
      ...summary,
      uuid: "again-2",
      parentUuid: "again-1",
      message: { role: "user", content: "All is done but a test." },
    },
    {
      ...response,
      uuid: "again-3",
      parentUuid: "again-2",
      requestId: "req_again",
      message: { ...response.message, id: "msg_again" },
    },
  ];
  const after = again.map((record, second) => ({ ...record, timestamp: `2026-02-10T09:00:0${second}.000Z` }));
  writeFileSync(join(folder, TWICE), `${[...records, ...after].map((record) => JSON.stringify(record)).join("\n")}\n`);
}

test("a band shows how far the line depends on what a compaction adds, until the sizes are chosen", async ({
  page,
}) => {
  const address = `${twiceApp.origin}/sessions/${await sessionId(twiceApp, TWICE)}?policy=claude-code&window=120000`;
  const band = page.locator("[data-band='summary']");
  const key = page.getByTestId("summary-band");
  await page.goto(address);
  await expect(key).toBeVisible();
  await expect(band).toHaveAttribute("d", /M/);
  await page.goto(`${address}&set.summaryTokens=2000`);
  await expect(key).toContainText("1.6k–10.7k");
  await page.goto(`${address}&set.summaryTokens=2000&set.reattachedTokens=9000`);
  await expect(page.locator("[data-testid='simulated-layer'] [data-boundary]").first()).toBeAttached();
  await expect(key).toHaveCount(0);
  await expect(band).toHaveCount(0);
});

test("a simulated boundary shows what became of every block, as a share of the window that is replayed", async ({
  page,
  session,
}) => {
  await session.visit(ENGLISH, "?policy=custom&window=100000&lens=boundaries");
  await page.locator("[data-boundary-entry='simulated']").first().click();
  const strip = page.getByTestId("fates");
  for (const fate of ["fixed", "dropped", "kept", "added"]) {
    await expect(strip.locator(`[data-fate='${fate}']`).first()).toBeAttached();
  }
  const before = await strip.locator("figcaption span").first().innerText();
  const [, tokens = "", share = ""] = /([\d,]+) tokens, ([\d.]+)/.exec(before) ?? [];
  expect(Number(share)).toBeCloseTo(Number(tokens.replaceAll(",", "")) / 1000, 1);
});
