import { predictorVerdict } from "@/lib/core/refetch/verdict";
import { fidelityAnswer } from "@/lib/queries/contract/fidelity";
import { ledger } from "@/lib/queries/contract/ledger";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import { sessionId } from "./support/server";
import { WHOLE } from "./support/whole";

test("the accuracy tab checks the agent's policy at every compaction, and scores the re-fetch rule", async ({
  page,
  app,
  session,
  words,
}) => {
  const asked = `${app.origin}/api/sessions/${await sessionId(app, ENGLISH)}`;
  const { fidelity } = fidelityAnswer.parse(await (await page.request.get(`${asked}/fidelity`)).json());
  const [boundary] = fidelity?.boundaries ?? [];
  const prediction = boundary?.reanchored.prediction;
  expect(prediction).toBeTruthy();

  await page.setViewportSize({ width: 360, height: 800 });
  await session.visit(ENGLISH, "?tab=accuracy");
  await test.step("on a phone the selected tab is scrolled into view", async () => {
    await expect(page.getByRole("tab", { selected: true })).toBeInViewport(WHOLE);
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  const own = page.getByTestId("own-policy");
  await expect(own.locator("[data-own-policy=recorded]")).toHaveCount(fidelity?.recorded ?? 0);
  await expect(own.locator("[data-metric=reanchored]")).toContainText(
    words.filled("session.fidelity.of", { hits: fidelity?.reanchored.hits ?? 0, all: fidelity?.recorded ?? 0 }),
  );
  const row = own.locator("[data-own-policy=recorded]").first();
  await expect(row).toContainText((prediction?.tokensBefore ?? 0).toLocaleString("en"));
  await expect(row).toContainText((boundary?.lastRecorded ?? 0).toLocaleString("en"));

  const answer = await page.request.post(`${asked}/ledger`, { data: {} });
  const { predictor, needs: refetches } = ledger.parse(await answer.json());
  const { precision = null, recall = null } = predictor ?? {};
  const summary = refetches?.[0]?.summary;
  expect(summary).toBeTruthy();
  const percent = (share: number | null) => `${Math.round((share ?? Number.NaN) * 100)} %`;
  const score = page.getByTestId("needs-score");
  const verdict = predictorVerdict({ precision, recall });
  await expect(score.locator(`[data-verdict=${verdict}]`)).toHaveText(
    words.filled(`session.ledger.score.${verdict}`, { precision: percent(precision), recall: percent(recall) }),
  );
  await expect(score).toContainText(words.filled("session.ledger.summaryPaths", { ...summary?.paths }));
});

test("the accuracy tab says that an agent without a known policy has none to compare its compactions with", async ({
  page,
  session,
  words,
}) => {
  await page.route(/\/fidelity$/, (route) => route.fulfill({ json: { fidelity: null } }));
  await session.visit(ENGLISH, "?tab=accuracy");
  await expect(page.getByTestId("own-policy")).toContainText(words.of("session.fidelity.noPolicy"));
});
