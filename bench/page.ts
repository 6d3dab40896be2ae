/**
 * Measures, in a real browser, the time to the first chart, the server's memory, the frames during a drag of a slider and during gestures on
 * chart and transcript, and a session of many items. The argument `chart`, `frames`, `gestures` or `large` limits it to one of them.
 */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { notFirstVisit } from "@/e2e/support/first-visit";
import { findBrowser, NO_BROWSER } from "@/scripts/browser.mjs";
import { type App, sessionId, startApp } from "../e2e/support/server";
import { type Input, linkOrCopy, withInputs } from "./support/inputs";
import { writeManyItems } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const COLD_RUNS = 3;
const WARM_RUNS = 7;
const ITEMS = 20_000;
const LARGE = 100_000;
const DRAG_STEPS = 200;
const PATIENCE_MS = 60_000;

export async function main([only]: readonly string[]): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  console.log(`Chromium ${browser.version()}, 1440 × 900.\n`);
  const parts = { chart: printFirstChart, frames: printFrames, gestures: printGestures, large: printLarge };
  for (const [name, print] of Object.entries(parts)) if (only === undefined || only === name) await print(browser);
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

async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  await notFirstVisit(context);
  return context;
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
  /** Ends of the drag, as shares of the track. */
  readonly from: number;
  readonly to: number;
}

/** Drags over the range where users look for a value, and drags to both ends, where a policy compacts before every request. */
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
    const { frames, results } = await framesOfDrag(page, drag);
    const metrics = [median(frames), quantile(frames, 0.95), Math.max(...frames)];
    const late = frames.filter((ms) => ms > 50).length;
    rows.push([drag.label, ...[frames.length, results, late].map(String), ...metrics.map((ms) => ms.toFixed(1))]);
    await context.close();
  }
  await app.stop();
  console.log(
    `Frames while a slider is dragged to and fro by mouse, ${DRAG_STEPS} steps, on a session of ${ITEMS.toLocaleString("en")} items:\n`,
  );
  console.log(
    markdownTable(
      ["", "frames", "results drawn", "above 50 ms", "median, ms", "95th percentile, ms", "longest, ms"],
      rows,
    ),
  );
}

/** The times between frames from press to release, and the number of renders with new results in them. */
async function framesOfDrag(page: Page, { setting, from, to }: Drag) {
  const root = page.locator(`[data-setting="${setting}"]`);
  const thumb = root.getByRole("slider");
  await thumb.scrollIntoViewIfNeeded();
  const [track, start] = [await root.boundingBox(), await thumb.boundingBox()];
  if (track === null || start === null) throw new Error(`no slider for ${setting}`);
  const y = start.y + start.height / 2;
  await page.mouse.move(start.x + start.width / 2, y);
  await page.mouse.down();
  await page.evaluate(recordFrames);
  await page.evaluate(countResults);
  for (let step = 0; step < DRAG_STEPS; step++) {
    // Moves back and forth twice along a cosine, as a hand would.
    const share = from + (to - from) * (0.5 + 0.5 * Math.cos((step / DRAG_STEPS) * Math.PI * 4));
    await page.mouse.move(track.x + track.width * share, y);
  }
  const frames = await page.evaluate<number[]>(() => Reflect.get(window, "frameTimes"));
  const results = await page.evaluate<number>(() => Reflect.get(window, "resultsDrawn"));
  await page.mouse.up();
  return { frames, results };
}

/** Runs in the page. */
function countResults(): void {
  Reflect.set(window, "resultsDrawn", 0);
  const count = (): void => void Reflect.set(window, "resultsDrawn", Reflect.get(window, "resultsDrawn") + 1);
  const table = document.querySelector("[data-testid='results']");
  if (table === null) throw new Error("there are no results");
  new MutationObserver(count).observe(table, { subtree: true, characterData: true, childList: true });
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

interface Gesture {
  readonly label: string;
  /** Prepares the page for the gesture. */
  readonly before?: (page: Page) => Promise<void>;
  readonly act: (page: Page) => Promise<void>;
}

/** Gestures of a user besides the sliders. */
const GESTURES: readonly Gesture[] = [
  { label: "hovering over the plot", act: (page) => alongPlot(page, false) },
  { label: "dragging a range in the plot", act: (page) => alongPlot(page, true) },
  { label: "zooming by wheel, in and out", act: (page) => wheel(page, "timeline-surface", [-100, 100], 60) },
  { label: "dragging the minimap's window", before: zoomIn, act: dragWindow },
  { label: "scrolling the transcript", act: (page) => wheel(page, "transcript", [300, -300], 100) },
  { label: "walking through items by key", act: walk },
  { label: "dragging the line between chart and text", act: dragSplit },
];

async function printGestures(browser: Browser): Promise<void> {
  const app = await startApp({ fill: (folder) => writeManyItems(join(folder, "many.jsonl"), ITEMS) });
  const id = await sessionId(app, "many.jsonl");
  const rows: string[][] = [];
  for (const { label, before, act } of GESTURES) {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(`${app.origin}/sessions/${id}`);
    await page.getByTestId("transcript").locator("[data-row]").first().waitFor();
    await page.waitForLoadState("networkidle");
    await before?.(page);
    await page.evaluate(recordFrames);
    await act(page);
    const frames = await page.evaluate<number[]>(() => Reflect.get(window, "frameTimes"));
    const metrics = [median(frames), quantile(frames, 0.95), Math.max(...frames)];
    const late = frames.filter((ms) => ms > 50).length;
    rows.push([label, String(frames.length), ...metrics.map((ms) => ms.toFixed(1)), String(late)]);
    await context.close();
  }
  await app.stop();
  console.log(`\nFrames of other gestures, on a session of ${ITEMS.toLocaleString("en")} items:\n`);
  console.log(markdownTable(["", "frames", "median, ms", "95th percentile, ms", "longest, ms", "above 50 ms"], rows));
}

async function boxOf(page: Page, testId: string) {
  const box = await page.getByTestId(testId).boundingBox();
  if (box === null) throw new Error(`${testId} is not on the page`);
  return box;
}

/** Moves the pointer back and forth over the plot; held, it selects a range. */
async function alongPlot(page: Page, held: boolean): Promise<void> {
  const box = await boxOf(page, "timeline-surface");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 5, y);
  if (held) await page.mouse.down();
  for (let step = 0; step < DRAG_STEPS; step++) {
    const share = 0.5 - 0.5 * Math.cos((step / DRAG_STEPS) * Math.PI * 4);
    await page.mouse.move(box.x + 5 + (box.width - 10) * share, y);
  }
  if (held) await page.mouse.up();
}

async function wheel(page: Page, testId: string, deltas: readonly number[], turns: number): Promise<void> {
  const box = await boxOf(page, testId);
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
  for (const delta of deltas) for (let turn = 0; turn < turns; turn++) await page.mouse.wheel(0, delta);
}

async function zoomIn(page: Page): Promise<void> {
  await wheel(page, "timeline-surface", [-100], 10);
  await page.waitForTimeout(500);
}

async function dragWindow(page: Page): Promise<void> {
  const box = await boxOf(page, "brush-window");
  await dragAlong(page, box.x + box.width / 2, box.y + box.height / 2, 300, 0);
}

async function dragSplit(page: Page): Promise<void> {
  const line = await page.getByRole("separator").first().boundingBox();
  if (line === null) throw new Error("there is no line between chart and text");
  await dragAlong(page, line.x + 200, line.y, 0, 80);
}

async function dragAlong(page: Page, x: number, y: number, dx: number, dy: number): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < DRAG_STEPS; step++) {
    const share = Math.sin((step / DRAG_STEPS) * Math.PI * 4);
    await page.mouse.move(x + dx * share, y + dy * share);
  }
  await page.mouse.up();
}

async function walk(page: Page): Promise<void> {
  for (let step = 0; step < DRAG_STEPS; step++) await page.keyboard.press("j");
}

/** The first chart of a session of many items, and the page's memory after scrolling through its rows. */
async function printLarge(browser: Browser): Promise<void> {
  const app = await startApp({ fill: (folder) => writeManyItems(join(folder, "large.jsonl"), LARGE) });
  const id = await sessionId(app, "large.jsonl");
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.addInitScript(watchForChart);
  const cold = await timeToChart(page, app, id);
  const warm: number[] = [];
  for (let again = 0; again < WARM_RUNS; again++) warm.push(await timeToChart(page, app, id));
  await page.waitForLoadState("networkidle");
  await wheel(page, "transcript", [3000], 50);
  const browserSession = await context.newCDPSession(page);
  await browserSession.send("HeapProfiler.collectGarbage");
  const heap = await browserSession.send("Runtime.getHeapUsage");
  const metrics = [cold, median(warm), heap.usedSize / 1e6, await ownMemory(browser)];
  await context.close();
  await app.stop();
  console.log(
    `\nA session of ${LARGE.toLocaleString("en")} items. Memory: what the page's process has for itself alone.\n`,
  );
  console.log(
    markdownTable(
      ["first, ms", "warm, ms", "scripts' heap, MB", "page, MB"],
      [metrics.map((metric) => metric.toFixed(0))],
    ),
  );
}

/** The unshared memory of the largest of the browser's page processes, in MB; NaN if the system does not report it. */
async function ownMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => privateBytes(id));
  return Math.max(...sizes) / 1e6;
}

function privateBytes(pid: number): number {
  try {
    const lines = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm);
    return Array.from(lines, ([, kilobytes]) => Number(kilobytes) * 1024).reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return Number.NaN;
  }
}
