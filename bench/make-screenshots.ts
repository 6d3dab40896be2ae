/** `npm run bench make-screenshots`: takes the README's pictures from the bundled samples. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { notFirstVisit } from "@/e2e/support/first-visit";
import { findBrowser, NO_BROWSER } from "@/scripts/browser.mjs";
import { type App, sessionId, startApp } from "../e2e/support/server";

const FOLDER = join(process.cwd(), "docs");
const SESSION = "claude-code-duplicate-shipments.jsonl";
const REPLAY = "policy=custom&set.triggerShare=0.45";

interface Shot {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly locale?: string;
  readonly query?: string;
  /** The picture's height in px; the list below it would show folders of this machine. */
  readonly height?: number;
  readonly take: (page: Page, app: App, query: string) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
  { name: "sessions", colorScheme: "light", height: 345, take: openList },
  { name: "session", colorScheme: "light", query: REPLAY, take: openSession },
  { name: "session-dark", colorScheme: "dark", query: REPLAY, take: openSession },
  { name: "session-zh", colorScheme: "light", locale: "zh-CN", query: REPLAY, take: openSession },
  { name: "composition", colorScheme: "light", query: `lens=composition&at=44&${REPLAY}`, take: openLens },
  { name: "contributors", colorScheme: "light", query: `lens=contributors&at=44&${REPLAY}`, take: openLens },
  {
    name: "contributors-zh-dark",
    colorScheme: "dark",
    locale: "zh-CN",
    query: `lens=contributors&by=file&show=policy&at=44&${REPLAY}`,
    take: openLens,
  },
  {
    name: "composition-dark",
    colorScheme: "dark",
    query: `lens=composition&show=policy&at=44&${REPLAY}`,
    take: openLens,
  },
  { name: "boundaries", colorScheme: "light", query: `lens=boundaries&${REPLAY}`, take: openLens },
  { name: "boundaries-simulated", colorScheme: "light", query: `lens=boundaries&${REPLAY}`, take: openSimulated },
  {
    name: "compare",
    colorScheme: "light",
    query: `lens=compare&runs=codex~qwen-code~openclaw~gemini-cli&${REPLAY}`,
    take: openLens,
  },
  { name: "sweep-dark", colorScheme: "dark", query: `lens=sweep&${REPLAY}`, take: openLens },
];

export async function main(): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const app = await startApp();
  for (const shot of SHOTS) await shoot(browser, app, shot);
  await app.stop();
  await browser.close();
}

async function shoot(
  browser: Browser,
  app: App,
  { name, colorScheme, locale = "en-GB", query = "", height = 900, take }: Shot,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme,
    locale,
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  await notFirstVisit(context);
  const page = await context.newPage();
  await take(page, app, query);
  await page.waitForLoadState("load");
  // The page fetches the visible texts of the transcript after it drew the chart.
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), clip: { x: 0, y: 0, width: 1440, height } });
  await context.close();
  console.log(`docs/${name}.png`);
}

async function openList(page: Page, app: App): Promise<void> {
  await page.goto(app.origin);
  await page.getByRole("img").nth(3).waitFor();
}

async function openSession(page: Page, app: App, query: string): Promise<void> {
  await page.goto(`${app.origin}/sessions/${await sessionId(app, SESSION)}?${query}`);
  await page.locator("[data-testid='stack-chart'] path").first().waitFor();
  await page.getByTestId("timeline-surface").hover({ position: { x: 560, y: 150 } });
}

async function openSimulated(page: Page, app: App, query: string): Promise<void> {
  await openLens(page, app, query);
  await page.locator("[data-boundary-entry='simulated']").first().click();
}

async function openLens(page: Page, app: App, query: string): Promise<void> {
  await page.goto(`${app.origin}/sessions/${await sessionId(app, SESSION)}?${query}`);
  await page.getByRole("tabpanel").waitFor();
}
