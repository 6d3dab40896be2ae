import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Response } from "@playwright/test";
import { answersChat, chatPiece, startEndpoint, startStream, type TestEndpoint } from "@/lib/server/testing/endpoint";
import { SessionPage } from "./pages/session";
import { DIALOG, inScheme, narrowEnough, serious } from "./support/axe";
import { ENGLISH, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

/** A policy whose agent's prompt is known, and its boundary in this sample. */
const KNOWN = "?policy=mini-claude-code&counting=estimate&window=128000";

/** Invented, and concatenated here so that no scanner takes this file for a leak. */
const SECRET = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`;

/** The sample, with a secret in a user message. */
function leakySample(folder: string): void {
  const text = readFileSync(samplePath(ENGLISH), "utf8");
  writeFileSync(join(folder, ENGLISH), text.replace("Since the weekend", `My token is ${SECRET}. Since the weekend`));
}

let endpoint: TestEndpoint;
let summarizing: App;
test.beforeAll(async () => {
  endpoint = await startEndpoint(answersChat(["Look at ", "src/shipments/shipment-service.ts."]));
  summarizing = await startApp({
    fill: leakySample,
    args: ["--summarizer", `${endpoint.origin}/v1`, "--model", "gpt-5"],
    env: { CONTEXT_REPLAY_SUMMARIZER_KEY: "key-of-nobody" },
  });
});
test.afterAll(async () => {
  await summarizing.stop();
  await endpoint.close();
});

/** The answer, or nothing if the page has aborted it. */
const bodyOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined);

test("without an endpoint the page does not offer to send a summary request", async ({ page, session }) => {
  await session.open(ENGLISH, KNOWN);
  // The page may ask again before it has read its first answer.
  const noSummarizer = page.waitForResponse(
    async (response) =>
      response.url().endsWith("/api/summarizer") && isDeepStrictEqual(await bodyOf(response), { summarizer: null }),
  );
  await session.tab("boundaries");
  await page.locator("[data-boundary-entry='simulated']").first().click();
  await noSummarizer;
  await expect(page.getByTestId("needed-again")).toBeVisible();
  await expect(page.getByTestId("real-summary")).toHaveCount(0);
});

test("a summary is previewed, sent, stopped, kept, and used instead of the assumed one", async ({ page, words }) => {
  test.slow();
  const session = new SessionPage(page, summarizing, words);
  const text = (key: string) => words.of(`session.realSummary.${key}`);
  await session.open(ENGLISH, KNOWN);
  await session.tab("boundaries");
  await page.locator("[data-boundary-entry='simulated']").first().click();
  await page.getByRole("button", { name: text("preview") }).click();

  const dialog = page.getByRole("dialog", { name: text("dialogTitle") });
  await expect(dialog.getByTestId("sent-text")).toContainText("My token is [masked]. Since the weekend");
  await expect(dialog).toContainText(words.filled("session.realSummary.masked", { count: 1, rules: "github 1" }));
  await expect(dialog).toContainText(`${endpoint.host} ${endpoint.origin}/v1/chat/completions`);
  await expect(dialog).toContainText(text("notEncrypted"));
  await expect(dialog).not.toContainText("key-of-nobody");
  await serious(page, "what would be sent", DIALOG);
  await page.setViewportSize({ width: 360, height: 780 });
  await inScheme(page, "dark");
  await serious(page, "what would be sent, on a phone, dark", DIALOG);
  await narrowEnough(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await inScheme(page, "light");
  expect(endpoint.seen).toHaveLength(0);

  // It fails in the middle: one sentence, and the partial answer can be read.
  endpoint.behave((response) => {
    startStream(response);
    response.write(chatPiece("Half of it"), () => response.destroy());
  });
  const send = dialog.getByRole("button", { name: words.like("session.realSummary.send") });
  await send.click();
  await expect(dialog.getByRole("status").last()).toContainText(words.like("session.realSummary.failure.cutOff"));
  await expect(dialog.getByTestId("incoming")).toHaveText("Half of it");

  // It takes a while, and is stopped.
  endpoint.behave((response) => {
    startStream(response);
    response.write(chatPiece("Still thinking"));
  });
  await send.click();
  await expect(dialog.getByTestId("incoming")).toHaveText("Still thinking");
  await dialog.getByRole("button", { name: text("stop"), exact: true }).click();
  await expect(dialog.getByRole("status").last()).toHaveText(text("stopped"));

  endpoint.behave(answersChat(["Look at ", "src/shipments/shipment-service.ts."]));
  await dialog.getByRole("button", { name: text("sendThree") }).click();
  await expect(dialog.getByRole("status").last()).toHaveText(text("done"));
  expect(endpoint.seen.map(({ body }) => [body.includes("[masked]"), body.includes(SECRET)])).toEqual(
    Array(5).fill([true, false]),
  );
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: text("preview") })).toBeFocused();
  const made = page.getByTestId("made-summaries");
  await expect(made.getByRole("listitem")).toHaveCount(3);
  await expect(made).toContainText(words.like("session.ledger.summaryPaths"));
  await serious(page, "summaries that were made");

  await made
    .getByRole("button", { name: text("use") })
    .first()
    .click();
  await expect(page).toHaveURL(/set\.summaryTokens=\d+/);
  await expect(made.getByRole("button", { name: text("used") }).first()).toBeDisabled();

  // An unknown prompt is reported as such.
  await page.locator("[data-boundary-entry='recorded']").first().click();
  await page.getByRole("button", { name: text("preview") }).click();
  await expect(dialog.getByTestId("summary-unknown")).toHaveText(text("unknown.policy"));
});
