/** `npm run bench make-screenshots`: takes the picture of the README from a bundled sample. */

import { join } from "node:path";
import { chromium } from "@playwright/test";
import { notFirstVisit } from "@/e2e/support/first-visit";
import { findBrowser, NO_BROWSER } from "@/scripts/browser.mjs";
import { sessionId, startApp } from "../e2e/support/server";

const PICTURE = "docs/session.png";
const SESSION = "claude-code-duplicate-shipments.jsonl";
const REPLAY = "policy=custom&set.triggerShare=0.45";

export async function main(): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const app = await startApp();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  await notFirstVisit(context);
  const page = await context.newPage();
  await page.goto(`${app.origin}/sessions/${await sessionId(app, SESSION)}?${REPLAY}`);
  await page.locator("[data-testid='stack-chart'] path").first().waitFor();
  await page.getByTestId("timeline-surface").hover({ position: { x: 560, y: 150 } });
  await page.waitForLoadState("load");
  // The page fetches the visible texts of the transcript after it drew the chart.
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(process.cwd(), PICTURE) });
  await app.stop();
  await browser.close();
  console.log(PICTURE);
}
