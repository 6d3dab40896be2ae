import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serious } from "./support/axe";
import { ENGLISH, sampleLines } from "./support/files";
import { expect, test } from "./support/fixtures";
import { sessionId, startApp } from "./support/server";

test("another model's prices are loaded once, sliders send nothing, and a missing price is reported", async ({
  page,
  session,
  words,
}) => {
  const late = session.lateAnswers();
  await session.open(ENGLISH, "?policy=custom");
  const cost = page.locator('[data-result="costUsd"]');
  await expect(cost).toContainText("$");
  await late;
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
  // The first opened list loads its code.
  const ofServer = asked.filter((path) => !path.startsWith("/_next/static/"));
  expect(ofServer, "nothing is asked of the server").toEqual([]);
  await serious(page, "the panel with its prices", { within: "aside" });

  await session.panel.getByRole("button", { name: words.of("replay.panel.reset"), exact: true }).click();
  await expect(page).not.toHaveURL(/on=|ttl=|priceDate=/);

  // The palette's command undoes the same.
  await session.panel.getByRole("combobox", { name: words.of("replay.prices.ttl.label") }).click();
  await page.getByRole("option", { name: words.of("replay.prices.ttl.1h") }).click();
  await expect(page).toHaveURL(/ttl=1h/);
  await page.keyboard.press("Control+k");
  await page
    .getByRole("combobox", { name: words.of("common.palette.title") })
    .fill(words.of("common.palette.command.reset"));
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/ttl=/);

  await test.step("selecting a model without a price keeps the recorded models' prices, with a remark", async () => {
    const asRecorded = await cost.innerText();
    await model.fill("nobody-1");
    await model.press("Enter");
    await expect(page.getByTestId("price-remark")).toContainText(
      words.filled("replay.prices.on.unknown", { model: "nobody-1" }),
    );
    await expect(cost).toHaveText(asRecorded, { useInnerText: true });
  });
});

test("a total without a model's price names the model and the row that adds its price", async ({ page }) => {
  const file = "unpriced.jsonl";
  const app = await startApp({
    fill: (folder) => {
      const text = sampleLines(ENGLISH).join("\n");
      writeFileSync(join(folder, file), text.replaceAll(/"model":"claude-[^"]+"/g, '"model":"house-9"'));
    },
  });
  try {
    for (const path of ["/", "/insights", `/sessions/${await sessionId(app, file)}?tab=cost`]) {
      await page.goto(`${app.origin}${path}`);
      await expect(page.getByTestId("unpriced-models").first()).toContainText(
        '{"model": "house-9", "input": …, "output": …}',
      );
    }
    await serious(page, "the cost tab with a model without a price", { within: '[data-testid="cost"]' });
  } finally {
    await page.close();
    await app.stop();
  }
});
