import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionPage } from "./pages/session";
import { serious } from "./support/axe";
import { copySamples, ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import { startApp } from "./support/server";

test("another model's prices are fetched once; then no slider asks the server for anything", async ({
  page,
  session,
  words,
}) => {
  await session.open(ENGLISH, "?policy=custom");
  const cost = page.locator('[data-result="costUsd"]');
  await expect(cost).toContainText("≥ $");
  await page.waitForLoadState("networkidle");
  const asked = session.asked();
  const before = await cost.innerText();
  const model = session.panel.getByRole("combobox", { name: words.of("replay.prices.on.label") });
  await model.fill("gpt-5.5");
  await model.press("Enter");
  await expect(page).toHaveURL(/[?&]on=gpt-5\.5(&|$)/);
  await expect(page.getByTestId("price-remark")).toContainText(
    words.filled("replay.prices.on.tokenizer", { model: "gpt-5.5" }),
  );
  await expect(cost).not.toHaveText(before);
  await expect(model, "another model can be typed").toBeFocused();
  await page.waitForLoadState("networkidle");
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual(
    expect.arrayContaining(["/api/prices", "/api/prices?model=gpt-5.5"]),
  );
  expect(asked.filter((path) => path.includes("model="))).toHaveLength(1);
  asked.length = 0;

  await session.panel.getByRole("combobox", { name: words.of("replay.prices.ttl.label") }).click();
  await page.getByRole("option", { name: words.of("replay.prices.ttl.1h") }).click();
  await session.panel.getByRole("combobox", { name: words.of("replay.prices.date.label") }).click();
  await page.getByRole("option", { name: words.of("replay.prices.date.today") }).click();
  await expect(page).toHaveURL(/ttl=1h/);
  await expect(page).toHaveURL(/priceDate=today/);
  const chosen = await cost.innerText();
  await session.drag(session.slider("triggerShare"), 0.2);
  await expect(cost).not.toHaveText(chosen);
  // The first list that is opened brings what draws it.
  const ofServer = asked.filter((path) => !path.startsWith("/_next/static/"));
  expect(ofServer, "nothing is asked of the server").toEqual([]);
  await serious(page, "the panel with its prices", { within: "aside" });

  await session.panel.getByRole("button", { name: words.of("replay.panel.reset"), exact: true }).click();
  await expect(page).not.toHaveURL(/on=|ttl=|priceDate=/);

  // The palette's command takes back as much.
  await session.panel.getByRole("combobox", { name: words.of("replay.prices.ttl.label") }).click();
  await page.getByRole("option", { name: words.of("replay.prices.ttl.1h") }).click();
  await expect(page).toHaveURL(/ttl=1h/);
  await page.keyboard.press("Control+k");
  await page
    .getByRole("combobox", { name: words.of("common.palette.title") })
    .fill(words.of("common.palette.command.reset"));
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/ttl=/);
});

test("a model without a price leaves the recorded models' prices in force, and says so", async ({
  page,
  session,
  words,
}) => {
  await session.open(ENGLISH, "?policy=custom");
  const cost = await page.locator('[data-result="costUsd"]').innerText();
  await session.open(ENGLISH, "?policy=custom&on=nobody-1");
  await expect(page.getByTestId("price-remark")).toContainText(
    words.filled("replay.prices.on.unknown", { model: "nobody-1" }),
  );
  await expect(page.locator('[data-result="costUsd"]')).toHaveText(cost, { useInnerText: true });
});

test("a list of one's own holds in the page, and one that is wrong is named with its line", async ({ page, words }) => {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-prices-"));
  const file = join(folder, "mine.json");
  const row = { model: "claude-opus-4-6", input: 0, output: 1000, read: 0, write5m: 0, write1h: 0 };
  writeFileSync(file, JSON.stringify({ rows: [row] }));
  const fill = (to: string) => copySamples(to, [ENGLISH]);
  const good = await startApp({ fill, env: { CONTEXT_REPLAY_PRICES: file } });
  try {
    const opened = new SessionPage(page, good, words);
    await opened.visit(ENGLISH, "?lens=cost");
    await expect(page.getByTestId("cost")).toContainText("your own list of prices");
    await expect(page.getByTestId("cost-total")).toContainText("$0.00");
    await expect(page.locator('[data-compared="read"]').getByRole("cell").first()).toHaveText("$0.00");
  } finally {
    // The page listens to its server as long as it is open.
    await page.goto("about:blank");
    await good.stop();
  }
  writeFileSync(file, '{"rows": [\n{"model": "claude-opus-4-6", "input": "dear", "output": 1}]}');
  const bad = await startApp({ fill, env: { CONTEXT_REPLAY_PRICES: file } });
  try {
    await page.goto(bad.origin);
    await expect(page.getByTestId("prices-problem")).toContainText("mine.json: line 2: rows[0].input");
  } finally {
    await page.close();
    await bad.stop();
    rmSync(folder, { recursive: true });
  }
});
