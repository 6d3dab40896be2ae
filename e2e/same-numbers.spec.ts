import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { policyById } from "@/lib/agents/registry";
import { replayResult, sweepRow } from "@/lib/queries/contract/schemas";
import { ENGLISH, ROLLOUT, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";

const PROGRAM = fileURLToPath(new URL("../bin/context-replay.mjs", import.meta.url));

const run = promisify(execFile);

/** Output of the command line: one JSON value per line. */
async function printed(...args: readonly string[]): Promise<unknown[]> {
  const { stdout } = await run(process.execPath, [PROGRAM, ...args, "--json"], {
    cwd: join(PROGRAM, "..", ".."),
    maxBuffer: 64 << 20,
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/**
 * The page and the command line must show the same for these files, policies and settings: each rule for tokens and each way to count once, since the
 * replay does not depend on its caller.
 */
const CASES = [
  {
    file: ENGLISH,
    policy: "custom",
    set: { triggerShare: "0.4", keepRecentTokens: "9000" },
    estimator: "bytes-4",
    counting: "anchored",
  },
  {
    file: ENGLISH,
    policy: "codex",
    set: { autoCompactLimit: "90000" },
    estimator: "codex",
    counting: "calibrated",
  },
  {
    file: ENGLISH,
    policy: "qwen-code",
    set: { threshold: "0.35", preserve: "0.2" },
    estimator: "o200k",
    counting: undefined,
  },
  {
    file: ROLLOUT,
    policy: "openclaw",
    set: { reserveTokens: "90000" },
    estimator: "chars-4",
    counting: "estimate",
  },
  {
    file: ROLLOUT,
    policy: "clawdcode",
    set: { threshold: "0.3" },
    estimator: undefined,
    counting: "anchored",
  },
  // A policy of no agent counts what the recording's agent sends.
  {
    file: ROLLOUT,
    policy: "custom",
    set: { triggerShare: "0.3" },
    estimator: undefined,
    counting: "estimate",
  },
] as const;

test("replays and a sweep on the page give the command line's numbers", async ({ page, session, words }) => {
  for (const [at, { file, policy, set, estimator, counting }] of CASES.entries()) {
    await test.step(`replay ${policy} on ${file}, counted by ${estimator ?? "its agent's rule"}`, async () => {
      const settings = Object.entries(set);
      const args = settings.flatMap(([key, value]) => ["--set", `${key}=${value}`]);
      const named = Object.entries({ estimator, counting }).filter(([, value]) => value !== undefined);
      const common = named.flatMap(([key, value = ""]) => [`--${key}`, value]);
      const [line] = await printed("replay", samplePath(file), "--policy", policy, ...args, ...common);
      const { totals, compactions, series } = replayResult.parse(line);
      expect(compactions.length, "something to compare").toBeGreaterThan(0);

      const mode = named.map(([key, value]) => `&${key}=${value}`).join("");
      const chosen = settings.map(([key, value]) => `&set.${key}=${value}`).join("");
      const measures =
        policyById(policy)?.measures === undefined ? undefined : page.waitForResponse(/columns\?measures=/);
      const query = `?tab=compare&policy=${policy}${mode}${chosen}`;
      if (at === 0) await session.visit(file, query);
      else await session.follow(file, query);
      await measures;
      const value = async (metric: string) =>
        Number(await page.locator(`[data-run=B] [data-metric="${metric}"]`).getAttribute("data-value"));
      await expect.poll(() => value("tokensSent"), counting).toBe(totals.tokensSent);
      expect(await value("peak")).toBe(totals.peak);
      expect(await value("tokensRewritten")).toBe(totals.tokensRewritten);
      expect(await value("summaryCallTokens")).toBe(totals.summaryCallTokens);
      expect(await value("requestsOverWindow")).toBe(totals.requestsOverWindow);
      expect(await value("compactions")).toBe(compactions.length);

      const marks = await page.locator("[data-lane=B] title").allTextContents();
      expect(marks.map(numbers)).toEqual(
        compactions.map(({ request, tokensBefore, tokensAfter }) => [request, tokensBefore, tokensAfter]),
      );
      const toggle = page.getByRole("button", { name: words.of("session.table.toggle"), exact: true });
      await toggle.click();
      const rows = await page.getByTestId("compare-table").locator("tbody tr").allInnerTexts();
      expect(rows.map(numbers).map(([request, , simulated]) => [request, simulated])).toEqual(
        series.request.map((request, index) => [request, series.contextTokens[index]]),
      );
      await toggle.click();
    });
  }

  await test.step("sweep with the default counting", async () => {
    const vary = ["triggerShare=0.2:0.8:0.2", "keepRecentTokens=5000:20000:5000"];
    const args = [...vary.flatMap((range) => ["--vary", range])];
    const lines = await printed("sweep", samplePath(ENGLISH), "--policy", "custom", ...args);
    const rows = lines.map((one) => sweepRow.parse(one));
    // The command line's front is that of tokens sent.
    await session.follow(ENGLISH, `?policy=custom&tab=sweep&front=tokensSent&vary=${vary.join("~")}`);
    await page.getByRole("button", { name: words.like("sweep.table.showAll") }).click();
    const shown = page.getByTestId("points-table").locator("tbody tr");
    await expect(shown).toHaveCount(rows.length);
    const cells = (metric: string) => shown.locator(`[data-metric="${metric}"]`).allInnerTexts();
    const column = async (metric: string) => (await cells(metric)).map((text) => numbers(text)[0]);
    expect(await column("tokensSent")).toEqual(rows.map(({ totals }) => totals.tokensSent));
    expect(await column("keptTokens")).toEqual(rows.map(({ keptTokens }) => keptTokens));
    expect(await column("compactions")).toEqual(rows.map(({ compactions }) => compactions));
    expect(await column("peak")).toEqual(rows.map(({ totals }) => totals.peak));
    const front = await shown.evaluateAll((list) => list.map((row) => row.getAttribute("data-front")));
    expect(front).toEqual(rows.map(({ pareto }) => String(pareto)));
  });
});

/** The numbers in a text, without their separators. */
function numbers(text: string): number[] {
  return Array.from(text.matchAll(/\d[\d,]*/g), ([digits]) => Number(digits.replaceAll(",", "")));
}
