import { execFile } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { comparedRun, type SessionSummary, sessionSummary } from "@/lib/queries/contract/schemas";
import { allRequests } from "@/lib/queries/wire/recorded-facts";
import { SessionPage } from "./pages/session";
import { SessionListPage } from "./pages/session-list";
import { CHINESE, copySamples, ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { RECORDINGS } from "./support/recordings";
import { type App, sessionId, startApp } from "./support/server";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROGRAM = join(ROOT, "bin", "context-replay.mjs");
const SAMPLES = [ENGLISH, CHINESE, ROLLOUT];
/** A session that holds a request of the session it was forked from. */
const FORK = join(ROOT, "lib/agents/qwen-code/fixtures/branched.jsonl");
/** Samples, a fork, and a recording of each agent if those are next to the checkout. */
const FILES = [...SAMPLES.map(samplePath), FORK, ...RECORDINGS];

const run = promisify(execFile);

/** JSON values that the command line prints, one a line. */
async function printed(...args: readonly string[]): Promise<unknown[]> {
  const { stdout } = await run(process.execPath, [PROGRAM, ...args, "--json"], { cwd: ROOT, maxBuffer: 64 << 20 });
  return stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

let app: App;
test.beforeAll(async () => {
  app = await startApp({
    fill: (folder) => {
      copySamples(folder, SAMPLES);
      for (const path of [FORK, ...RECORDINGS]) copyFileSync(path, join(folder, basename(path)));
    },
  });
});
test.afterAll(() => app?.stop());

/**
 * The fixtures' metrics are compared without a page: lib/server/page-and-command-line.test.ts. Here the page's own elements, MCP and API are compared
 * with the command line.
 */
test("list, page, API, command line and MCP show the same value of every shared metric", async ({ page, words }) => {
  // It opens many recordings.
  test.slow();
  const summaries = (await printed("inspect", ...FILES)).map((line) => sessionSummary.parse(line));
  const ids = await Promise.all(FILES.map((path) => sessionId(app, basename(path))));
  const session = new SessionPage(page, app, words);

  await test.step("list", async () => {
    const list = new SessionListPage(page, app, words);
    await list.open();
    for (const [at, summary] of summaries.entries()) {
      const row = list.table.getByRole("row").filter({ has: page.locator(`a[href="/sessions/${ids[at]}"]`) });
      const inherited = summary.bill?.inherited?.requests ?? 0;
      const sent = (summary.tokensSent ?? 0).toLocaleString("en");
      const note = inherited === 0 ? "" : `\n${words.filled("sessions.row.inheritedNote", { count: inherited })}`;
      await expect(row.getByTitle(`${sent}${note}`, { exact: true }), `${summary.file}: tokens sent`).toBeVisible();
      await expect(row, summary.file).toContainText(allRequests(summary).toLocaleString("en"));
    }
  });

  for (const [at, summary] of summaries.entries()) {
    await test.step(summary.file, async () => {
      const [path = "", id = ""] = [FILES[at], ids[at]];
      const answer: { summary: unknown } = await (await fetch(`${app.origin}/api/sessions/${id}`)).json();
      expect(shared(sessionSummary.parse(answer.summary)), "API").toEqual(shared(summary));

      if (at === 0) await session.visit(summary.file, "?tab=compare");
      else await session.follow(summary.file, "?tab=compare");
      const asked = new URL(page.url()).searchParams;
      const own = [asked.get("policy"), asked.get("preset")].filter(Boolean).join("@");
      const lines = await printed("compare", path, "--policy", "recorded", "--policy", own);
      const runs = lines.slice(0, 2).map((line) => comparedRun.parse(line));
      for (const [name, compared] of [["A", runs[0]] as const, ["B", runs[1]] as const]) {
        const { totals, compactions } = compared ?? {};
        const value = async (metric: string) =>
          Number(await page.locator(`[data-run=${name}] [data-metric="${metric}"]`).getAttribute("data-value"));
        await expect.poll(() => value("tokensSent"), `${own}, ${name}: tokens sent`).toBe(totals?.tokensSent);
        expect(await value("peak"), "peak").toBe(totals?.peak);
        expect(await value("requestsOverWindow"), "above the window").toBe(totals?.requestsOverWindow);
        expect(await value("compactions"), "compactions").toBe(compactions?.length);
        if (totals?.costUsd != null) expect(await value("costUsd"), "cost").toBeCloseTo(totals.costUsd.total ?? 0, 6);
        const marks = await page.locator(`[data-lane=${name}] title`).allTextContents();
        expect(marks.map(numbers), "before and after").toEqual(
          // No request sends what a compaction at the end leaves.
          compactions?.map(({ request, tokensBefore, tokensAfter }) =>
            request < (totals?.requests ?? 0) ? [request, tokensBefore, tokensAfter] : [request, tokensBefore],
          ),
        );
      }
      const recorded = runs[0]?.totals;
      expect(recorded?.requests).toBe(allRequests(summary));
      if (summary.tokensSent !== undefined) expect(recorded?.tokensSent).toBe(summary.tokensSent);
      if (path === FORK) expect(summary.bill?.inherited?.requests).toBe(1);
      const count = words.filled("session.fact.requests", { count: allRequests(summary) });
      await expect(page.getByRole("main").locator("header")).toContainText(count);
      if (summary.resume == null) return;
      await session.tab("boundaries");
      await expect(page.getByTestId("resume")).toContainText(`${summary.resume.tokens.toLocaleString("en")} tokens`);
    });
  }

  for (const query of ["", "?policy=custom&set.triggerShare=0.3&window=150000&ttl=1h"])
    await test.step(`report of ${query}`, async () => {
      if (query === "") await session.arrive(ENGLISH);
      else await session.visit(ENGLISH, query);
      const sentence = page.getByTestId("verdict-sentence");
      await expect(sentence).toContainText(query === "" ? "Cheapest trigger of" : "Compacting at");
      await page.getByRole("button", { name: words.of("session.exporting.title"), exact: true }).click();
      const saving = page.waitForEvent("download");
      await page
        .getByTestId("export-dialog")
        .getByRole("button", { name: /\.html/ })
        .click();
      const report = readFileSync(await (await saving).path(), "utf8");
      expect(report).toContain(`<p class="verdict">${(await sentence.innerText()).trim()}</p>`);
    });

  await test.step("MCP", async () => {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"] }));
    for (const [at, summary] of summaries.entries()) {
      const { content } = await client.callTool({ name: "what_fills_my_context", arguments: { file: FILES[at] } });
      const text = JSON.stringify(content);
      expect(text, summary.file).toContain(`At request ${Math.max(0, allRequests(summary) - 1)} the context was `);
    }
    await client.close();
  });
});

function shared({ requests, requestsWithoutUsage, tokensSent, peakContext, compactions, costUsd }: SessionSummary) {
  return { requests, requestsWithoutUsage, tokensSent, peakContext, compactions, cost: costUsd?.total };
}

/** The numbers in a text, without their separators. */
function numbers(text: string): number[] {
  return Array.from(text.matchAll(/\d[\d,]*/g), ([digits]) => Number(digits.replaceAll(",", "")));
}
