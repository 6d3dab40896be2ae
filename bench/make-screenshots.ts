/** `npm run bench make-screenshots`: takes the moving picture of the README, a threshold dragged on a bundled sample. */

import { join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { notFirstVisit } from "@/e2e/support/first-visit";
import { findBrowser, NO_BROWSER } from "@/scripts/browser.mjs";
import { sessionId, startApp } from "../e2e/support/server";

const PICTURE = "docs/replay.webp";
const SESSION = "codex-sliding-window.jsonl";
/** The chart, the panel and the outcome, without the page's header. */
const CLIP = { x: 0, y: 145, width: 1280, height: 615 };
const FRAMES = 28;
const STEPS_A_FRAME = 26;
const FRAME_MS = 120;
const REST_MS = 1800;

export async function main(): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const app = await startApp();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 760 },
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  await notFirstVisit(context);
  const page = await context.newPage();
  // The agent's own trigger, from which the drag starts.
  await page.goto(`${app.origin}/sessions/${await sessionId(app, SESSION)}?policy=codex`);
  await page.locator("[data-testid='stack-chart'] path").first().waitFor();
  // The page fetches the visible texts of the transcript after it rendered the chart.
  await page.waitForTimeout(1500);
  const slider = page.getByRole("complementary").getByRole("slider", { name: "Trigger" }).last();
  await slider.focus();
  const frames: Buffer[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    frames.push(await page.screenshot({ clip: CLIP }));
    for (let step = 0; step < STEPS_A_FRAME; step++) await slider.press("ArrowLeft");
    await page.waitForTimeout(50);
  }
  const delay = frames.map((_, frame) => (frame === 0 || frame === FRAMES - 1 ? REST_MS : FRAME_MS));
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 70, loop: 0, delay })
    .toFile(join(process.cwd(), PICTURE));
  await app.stop();
  await browser.close();
  console.log(PICTURE);
}
