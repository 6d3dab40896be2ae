/**
 * Follows a growing file, in a real browser: `npm run bench live -- [SECONDS] [LINES_PER_SECOND]`, by default five minutes of 100 lines a second. Fails if
 * an item is missing or doubled on the page, or if the server takes 20 % of a core.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { findBrowser, NO_BROWSER } from "@/scripts/browser.mjs";
import { sessionId, startApp } from "../e2e/support/server";
import { GrowingFile, processorSeconds, shownNumbers, shownRows } from "./support/live";
import { markdownTable } from "./support/table";

const SECONDS = 300;
const PER_SECOND = 100;
/** Number of lines when the page is opened. */
const FIRST = 400;
/** Maximum share of a core that the server may take. */
const MAX_SERVER_SHARE = 0.2;
const PATIENCE_MS = 60_000;
const FILE = "growing.jsonl";

export async function main([seconds, perSecond]: readonly string[]): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  const rate = { seconds: Number(seconds ?? SECONDS), perSecond: Number(perSecond ?? PER_SECOND) };
  const followed = await follow(browser, rate);
  await browser.close();
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    markdownTable(
      [`${rate.perSecond} lines a second for ${rate.seconds} s`, ""],
      [
        ["lines written", `${followed.lines}`],
        ["missing on the page", `${followed.missing}`],
        ["doubled or out of place", `${followed.misplaced}`],
        ["server, share of one core", percent(followed.serverShare)],
        ["page, share of one core", percent(followed.pageShare)],
        ["furthest behind, rows", `${followed.behind}`],
        ["sent in all, KB", (followed.sentBytes / 1000).toFixed(0)],
      ],
    ),
  );
  if (followed.missing > 0 || followed.misplaced > 0 || followed.serverShare >= MAX_SERVER_SHARE) process.exitCode = 1;
}

interface Rate {
  readonly seconds: number;
  readonly perSecond: number;
}

interface Followed {
  readonly lines: number;
  readonly missing: number;
  readonly misplaced: number;
  readonly serverShare: number;
  readonly pageShare: number;
  /** Maximum number of rows that the page lagged behind. */
  readonly behind: number;
  readonly sentBytes: number;
}

async function follow(browser: Browser, rate: Rate): Promise<Followed> {
  let file: GrowingFile | undefined;
  const app = await startApp({
    fill: (folder) => {
      file = new GrowingFile(join(folder, FILE));
      file.write(FIRST);
      file.finish();
    },
  });
  if (file === undefined) throw new Error("the file was not written");
  try {
    const page = await browser.newPage();
    let sentBytes = 0;
    page.on("response", async (response) => {
      if (response.url().includes("/columns?")) sentBytes += (await response.body()).length;
    });
    await page.goto(`${app.origin}/sessions/${await sessionId(app, FILE)}?at=40&item=80`);
    await page.getByTestId("transcript").locator("li").first().waitFor();
    const pageSeconds = await pageProcessor(browser);
    const [server, inPage, began] = [processorSeconds(app.pid), await pageSeconds(), performance.now()];
    const growing = file.grow(rate);
    let behind = 0;
    for (let second = 0; second < rate.seconds; second++) {
      await delay(1000);
      behind = Math.max(behind, file.rows - (await shownRows(page)));
    }
    await growing;
    const past = (performance.now() - began) / 1000;
    const [serverShare, pageShare] = [processorSeconds(app.pid) - server, (await pageSeconds()) - inPage].map(
      (spent) => spent / past,
    );
    await shown(async () => (await shownRows(page)) === file?.rows);
    const numbers = await shownNumbers(page);
    const missing = file.lines - new Set(numbers).size;
    const misplaced = numbers.filter((number, row) => number !== row).length;
    return {
      lines: file.lines,
      missing,
      misplaced,
      behind,
      sentBytes,
      serverShare: serverShare ?? Number.NaN,
      pageShare: pageShare ?? Number.NaN,
    };
  } finally {
    await app.stop();
  }
}

/** Processor time of a browser's pages, in seconds. */
async function pageProcessor(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession();
  return async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
}

async function shown(isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!(await isSo()) && performance.now() < until) await delay(200);
}
