import { serious } from "./support/axe";
import { settled } from "./support/expect";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";

test("the verdict follows the trigger, shows the setting to paste, and sends no request", async ({
  page,
  context,
  session,
  words,
}) => {
  const sentence = page.getByTestId("verdict-sentence");
  const handle = page.getByTestId("trigger-handle");
  const paste = page.getByTestId("setting-to-paste");
  /** The number of compactions in the results, in the sentence's form. */
  const compactions = async () => {
    const [is, was] = [await session.simulated("compactions"), await session.recorded("compactions")];
    return `${is} compaction${is === 1 ? "" : "s"}${is === was ? " as recorded" : ` instead of ${was}`}`;
  };

  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const late = session.lateAnswers();
  await session.open(ENGLISH);
  await expect(sentence).toBeVisible();
  await expect(paste).toHaveCount(0);
  await late;
  const asked = session.asked();
  // Code for texts and popovers loads at the first user input.
  await session.panel.locator("[data-setting-row] button").first().hover();
  await settled(async () => `${await session.transcript.innerText()} ${asked.length}`);
  expect(asked.length).toBeGreaterThan(0);
  asked.length = 0;

  await test.step("moving the trigger by key changes the sentence, with the numbers of the results", async () => {
    await handle.focus();
    const before = await sentence.innerText();
    for (let step = 0; step < 8; step++) await page.keyboard.press("PageDown");
    await expect(sentence).not.toHaveText(before);
    await expect(sentence).toContainText(await compactions());
    await expect(sentence).toContainText(/^Compacting at \d+(\.\d)?k: /);
    await expect(sentence).toContainText(/(High|Moderate|Low) confidence: /);
  });

  await test.step("dragging the trigger changes the sentence, too", async () => {
    const before = await sentence.innerText();
    const box = await handle.boundingBox();
    if (box === null) throw new Error("the trigger is not on the page");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 60, { steps: 3 });
    await page.mouse.up();
    await expect(sentence).not.toHaveText(before);
    await expect(sentence).toContainText(await compactions());
  });

  await test.step("the button copies the agent's own setting", async () => {
    await expect(paste.locator("code")).toHaveText(/^CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=\d+$/);
    await paste.getByRole("button", { name: words.of("replay.verdict.paste.copy") }).click();
    await expect(paste.getByRole("button", { name: words.of("replay.verdict.paste.copied") })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await paste.locator("code").innerText());
    await serious(page, "the verdict", { within: '[data-testid="verdict"]' });
  });

  expect(asked).toEqual([]);

  await test.step("a policy without a setting to paste states this, and so does the recording", async () => {
    await session.choosePolicy(words.of("replay.policy.none"));
    await expect(sentence).toContainText(`${words.of("replay.policy.none")}:`);
    await expect(paste).toHaveCount(0);
    await session.choosePolicy(words.of("replay.policy.recorded"));
    await expect(page.getByTestId("verdict")).toHaveText(words.of("replay.verdict.recording"));
  });
});

test("only a verdict of sufficient confidence is coloured; the other states why it is not", async ({
  page,
  session,
}) => {
  const sentence = page.getByTestId("verdict-sentence");
  await session.arrive(ENGLISH);
  await expect(sentence).toContainText(/Low confidence: .* Too uncertain to call a change better or worse\./);
  await expect(sentence.locator("[data-effect]")).toHaveCount(0);
  await session.arrive(ROLLOUT);
  await expect(sentence).toContainText(/(High|Moderate) confidence: /);
  await expect(sentence.locator("[data-effect]").first()).toBeVisible();
});

test("the results show five rows at first, and the others on demand", async ({ page, session, words }) => {
  await session.open(ENGLISH);
  const rows = page.locator("[data-result]").filter({ visible: true });
  await expect(rows).toHaveCount(5);
  const more = session.panel.getByRole("button", { name: words.of("replay.results.more"), exact: true });
  await more.click();
  await expect(session.result("tokensRewritten")).toBeVisible();
  await expect(more).toHaveAttribute("aria-expanded", "true");
});

test("a session opens with the cheapest trigger of a quick sweep, not yet in the address", async ({
  page,
  session,
  words,
}) => {
  const sentence = page.getByTestId("verdict-sentence");
  const trigger = session.slider("autoBuffer");
  const labelled = /^Cheapest trigger of 12 tried, \d+(\.\d)?k: /;

  await test.step("the recorded line is drawn first, then the sweep's trigger without a request", async () => {
    await session.arrive(ENGLISH);
    await expect(sentence).toHaveText(labelled);
    expect(new URL(page.url()).search).toBe("");
    expect(await session.simulated("compactions")).not.toBe(await session.recorded("compactions"));
    await expect(page.getByTestId("setting-to-paste").locator("code")).toHaveText(
      /^CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=\d+$/,
    );
  });

  const [swept, sent] = [await trigger.inputValue(), await session.simulated("tokensSent")];
  const summary = session.slider("summaryTokens");

  await test.step("changing another setting writes both into the address, as one step of Back", async () => {
    await summary.focus();
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(new RegExp(`set\\.autoBuffer=${swept}(&|$)`));
    await expect(page).toHaveURL(/set\.summaryTokens=\d+/);
    await expect(trigger).toHaveValue(swept);
    await expect(sentence).toHaveText(/^Compacting at /);
    await page.goBack();
    await expect(page).not.toHaveURL(/set\./);
    await expect(sentence).toHaveText(labelled);
    await expect.poll(() => session.simulated("tokensSent")).toBe(sent);
  });

  await test.step("reset selects the agent's own setting", async () => {
    await session.panel.getByRole("button", { name: words.of("replay.panel.reset"), exact: true }).click();
    await expect(sentence).not.toHaveText(labelled);
    await expect(trigger).not.toHaveValue(swept);
    expect(new URL(page.url()).search).toBe("");
  });

  await test.step("a setting in the address takes precedence", async () => {
    await session.open(ENGLISH, "?set.autoBuffer=20000");
    await expect(sentence).toBeVisible();
    await expect(sentence).not.toHaveText(labelled);
    await expect(trigger).toHaveValue("20000");
  });
});

test("a context above the trigger is explained by the policy's rule", async ({ page, session, words }) => {
  await session.open(ENGLISH, "?policy=goose&set.triggerShare=0.42");
  const rule = words.filled("replay.thresholdRule.betweenTurns", { policy: "Goose" });
  await expect(page.getByTestId("threshold-note")).toHaveText(rule);
  await session.tab("boundaries");
  await page.locator('[data-boundary-entry="simulated"]').first().click();
  await expect(page.getByRole("listitem").filter({ hasText: rule })).toBeVisible();
  await session.follow(ENGLISH, "?policy=goose&set.triggerShare=0.99");
  await expect(page.getByTestId("verdict-sentence")).toBeVisible();
  await expect(page.getByTestId("threshold-note")).toHaveCount(0);
});
