/**
 * Measures, in a real browser, the time to the first chart, the server's memory, and the frames while a slider is dragged. The argument
 * `chart` or `frames` limits it to one of them.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findBrowser, NO_BROWSER } from "../bin/browser.mjs";
import { type App, sessionId, startApp } from "../e2e/support/server";
import { type Input, linkOrCopy, withInputs } from "./support/inputs";
import { writeManyItems } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const COLD_RUNS = 3;
const WARM_RUNS = 7;
const ITEMS = 20_000;
const DRAG_STEPS = 200;
const PATIENCE_MS = 60_000;

export async function main([only]: readonly string[]): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  console.log(`Chromium ${browser.version()}, 1440 × 900.\n`);
  if (only !== "frames") await printFirstChart(browser);
  if (only !== "chart") await printFrames(browser);
  await browser.close();
}

async function printFirstChart(browser: Browser): Promise<void> {
  const rows = await withInputs(async (inputs) => {
    const found: string[][] = [];
    for (const input of inputs) found.push(await firstChart(browser, input));
    return found;
  });
  console.log(
    "From the start of the navigation to the frame with the chart. Cold: a server that was just started and a browser without cache",
  );
  console.log(
    `(median of ${COLD_RUNS}); warm: the same page again in the same tab (median of ${WARM_RUNS}). Memory: the server's peak over all of it.\n`,
  );
  console.log(`${markdownTable(["", "cold, ms", "warm, ms", "server, MB"], rows)}\n`);
}

async function firstChart(browser: Browser, input: Input): Promise<string[]> {
  const file = basename(input.path);
  const fill = (folder: string) => linkOrCopy(input.path, join(folder, file));
  const cold: number[] = [];
  const warm: number[] = [];
  const memory: number[] = [];
  for (let run = 0; run < COLD_RUNS; run++) {
    const app = await startApp({ fill });
    const id = await sessionId(app, file);
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.addInitScript(watchForChart);
    cold.push(await timeToChart(page, app, id));
    if (run === COLD_RUNS - 1)
      for (let again = 0; again < WARM_RUNS; again++) warm.push(await timeToChart(page, app, id));
    memory.push(peakMemory(app.pid));
    await context.close();
    await app.stop();
  }
  return [input.label, median(cold).toFixed(0), median(warm).toFixed(0), (Math.max(...memory) / 1e6).toFixed(0)];
}

function newContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
}

/** Milliseconds on the page's own clock until the frame after the one in which the chart entered the document. */
async function timeToChart(page: Page, app: App, id: string): Promise<number> {
  await page.goto(`${app.origin}/sessions/${id}`, { waitUntil: "commit" });
  const handle = await page.waitForFunction(() => Reflect.get(window, "firstChartMs"), undefined, {
    timeout: PATIENCE_MS,
  });
  return Number(await handle.jsonValue());
}

/** Runs in the page. */
function watchForChart(): void {
  const look = (): void => {
    if (document.querySelector("[data-testid='stack-chart'] path") === null) requestAnimationFrame(look);
    else requestAnimationFrame((now) => Reflect.set(window, "firstChartMs", now));
  };
  requestAnimationFrame(look);
}

/** The largest resident memory of a process in bytes; NaN if the system does not report it. */
function peakMemory(pid: number): number {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(line?.[1]) * 1024;
  } catch {
    return Number.NaN; // There is no such file outside Linux.
  }
}

interface Drag {
  readonly label: string;
  readonly query: string;
  readonly setting: string;
  /** Where the drag starts and ends, as shares of the track. */
  readonly from: number;
  readonly to: number;
}

/** Drags over the range where people look for a value, and drags to both ends, where a policy compacts before every request. */
const DRAGS: readonly Drag[] = [
  { label: "custom, trigger, 40 to 95 %", query: "?policy=custom", setting: "triggerShare", from: 0.4, to: 0.95 },
  { label: "custom, trigger, end to end", query: "?policy=custom", setting: "triggerShare", from: 0, to: 1 },
  { label: "custom, keep recent, 0 to 40 %", query: "?policy=custom", setting: "keepRecentTokens", from: 0, to: 0.4 },
  { label: "custom, keep recent, end to end", query: "?policy=custom", setting: "keepRecentTokens", from: 0, to: 1 },
  { label: "codex, trigger, 40 to 95 %", query: "?policy=codex", setting: "autoCompactLimit", from: 0.4, to: 0.95 },
  { label: "codex, trigger, end to end", query: "?policy=codex", setting: "autoCompactLimit", from: 0, to: 1 },
];

async function printFrames(browser: Browser): Promise<void> {
  const app = await startApp({ fill: (folder) => writeManyItems(join(folder, "many.jsonl"), ITEMS) });
  const id = await sessionId(app, "many.jsonl");
  const rows: string[][] = [];
  for (const drag of DRAGS) {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(`${app.origin}/sessions/${id}${drag.query}`);
    await page.locator("[data-testid='stack-chart'] path").first().waitFor();
    const frames = await framesOfDrag(page, drag);
    const figures = [median(frames), quantile(frames, 0.95), Math.max(...frames)];
    rows.push([drag.label, String(frames.length), ...figures.map((ms) => ms.toFixed(1))]);
    await context.close();
  }
  await app.stop();
  console.log(
    `Frames while a slider is dragged to and fro by mouse, ${DRAG_STEPS} steps, on a session of ${ITEMS.toLocaleString("en")} items:\n`,
  );
  console.log(markdownTable(["", "frames", "median, ms", "95th percentile, ms", "longest, ms"], rows));
}

/** The times between frames from press to release. */
async function framesOfDrag(page: Page, { setting, from, to }: Drag): Promise<number[]> {
  const root = page.locator(`[data-setting="${setting}"]`);
  const thumb = root.getByRole("slider");
  await thumb.scrollIntoViewIfNeeded();
  const [track, start] = [await root.boundingBox(), await thumb.boundingBox()];
  if (track === null || start === null) throw new Error(`no slider for ${setting}`);
  const y = start.y + start.height / 2;
  await page.mouse.move(start.x + start.width / 2, y);
  await page.mouse.down();
  await page.evaluate(recordFrames);
  for (let step = 0; step < DRAG_STEPS; step++) {
    // Moves to and fro twice along a cosine, as a hand would.
    const share = from + (to - from) * (0.5 + 0.5 * Math.cos((step / DRAG_STEPS) * Math.PI * 4));
    await page.mouse.move(track.x + track.width * share, y);
  }
  const frames = await page.evaluate<number[]>(() => Reflect.get(window, "frameTimes"));
  await page.mouse.up();
  return frames;
}

/** Runs in the page. */
function recordFrames(): void {
  const times: number[] = [];
  Reflect.set(window, "frameTimes", times);
  let last = performance.now();
  const next = (now: number): void => {
    times.push(now - last);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame((now) => {
    last = now;
    requestAnimationFrame(next);
  });
}
