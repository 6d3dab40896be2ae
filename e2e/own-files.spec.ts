import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restated } from "@/lib/sandbox/testing/policies";
import { SessionPage } from "./pages/session";
import { serious } from "./support/axe";
import { copySamples, ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, sessionId, startApp } from "./support/server";

/** One of our policies, restated as a user policy, under a label with markup characters. */
const LABEL = "<b>Mine</b>";
const MINE = restated("@/lib/core/compaction/policies/custom", "customPolicy").replace(
  '"Custom"',
  JSON.stringify(LABEL),
);
const before = (body: string) =>
  `export default {\n  label: "Harm",\n  begin: () => ({\n    before(view) {\n      ${body}\n    },\n  }),\n};\n`;

const FILES = {
  "mine.mjs": MINE,
  "mine.test.mjs": "process.exit(1);",
  "loops.mjs": before("for (;;);"),
  "reaches.mjs": before('fetch("/api/sessions");'),
  "hoards.mjs": before("const all = []; for (;;) all.push(new ArrayBuffer(1e7));"),
  "impossible.mjs": before("if (view.items.length > 1) return { kept: [[1, 0]], outcome: 'trim' };"),
  "stuck.mjs": before("[].indexOf.call({ length: 1e15 }, 1);"),
  "broken.mjs": "this is not a policy",
};

/** A price list in which only output has a price. */
const PRICES = {
  rows: [{ model: "claude-opus-4-6", input: 0, output: 1000, read: 0, write5m: 0, write1h: 0 }],
};

const place = mkdtempSync(join(tmpdir(), "context-replay-own-"));
let app: App;
test.beforeAll(async () => {
  const policies = join(place, "policies");
  const prices = join(place, "prices.json");
  mkdirSync(policies);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(policies, name), text);
  writeFileSync(prices, JSON.stringify(PRICES));
  app = await startApp({
    fill: (folder) => copySamples(folder, [ENGLISH]),
    args: ["--policies", policies],
    env: { CONTEXT_REPLAY_PRICES: prices },
  });
});
test.afterAll(async () => {
  await app.stop();
  rmSync(place, { recursive: true });
});

test("a user policy is listed with its settings, and gives the same results as the policy it restates", async ({
  page,
  words,
}) => {
  const session = new SessionPage(page, app, words);
  const metrics = async () => {
    await expect(session.panel.getByTestId("own-failed")).toHaveCount(1);
    const rows = page.locator("[data-result]");
    // The hindsight optimum is computed after the rest, and texts are compared then.
    await expect(page.locator('[data-result="regret"]')).toContainText("%");
    await expect(page.locator('[data-result="neededAgain"]')).toContainText(/\d/);
    return rows.allInnerTexts();
  };
  await session.open(ENGLISH, "?policy=custom&set.triggerShare=0.4");
  const ours = await metrics();
  await session.choosePolicy(LABEL);
  await expect(page).toHaveURL(/policy=mine/);
  await session.follow(ENGLISH, "?policy=mine&set.triggerShare=0.4");
  await expect.poll(metrics).toEqual(ours);
  // Its labels are its own in any language, and stay text.
  await expect(session.panel.getByRole("slider", { name: "Trigger", exact: true })).toBeVisible();
  await expect(session.panel.getByText(LABEL)).toBeVisible();
  await session.drag(session.panel.getByRole("slider", { name: "Trigger", exact: true }), 0.2);
  await expect(page).not.toHaveURL(/triggerShare=0\.4/);
  await serious(page, "the panel with a policy of one's own", { within: "aside" });

  await session.tab("compare");
  await expect(page.locator('[data-run=B] [data-metric="tokensSent"]')).toBeVisible();
  await session.tab("sweep");
  await expect(page.getByTestId("sweep")).toBeVisible();

  await test.step("the user's own prices apply on the page", async () => {
    await session.tab("cost");
    await expect(page.getByTestId("cost")).toContainText("your own list of prices");
    await expect(page.getByTestId("cost-total")).toContainText("$0.00");
    await expect(page.locator('[data-compared="read"]').getByRole("cell").first()).toHaveText("$0.00");
  });
});

/** The sentence about each harmful policy. */
const SENTENCES = [
  ["loops", /loops\.mjs:[45]: the policy took longer than 1\.5 s before request 0, and was stopped\./],
  ["reaches", /reaches\.mjs:5: the policy threw before request 0: 'fetch' is not defined/],
  ["hoards", /hoards\.mjs:[45]: the policy (took more than 128 MB of memory|took longer|threw)/],
  ["stuck", /stuck\.mjs: the policy did too much within one built-in function before request 0, and was stopped\./],
  [
    "impossible",
    /impossible\.mjs:4: the policy's answer before request \d+ is invalid: kept\[0\] must be a range of positions/,
  ],
] as const;

test("a harmful policy is reported in one sentence, and the page keeps working", async ({ page, words }) => {
  const session = new SessionPage(page, app, words);
  const failed = session.panel.getByTestId("own-failed");
  await session.open(ENGLISH);
  for (const [name, sentence] of SENTENCES)
    await test.step(name, async () => {
      await session.follow(ENGLISH, `?policy=${name}`);
      await expect(failed.first()).toContainText(sentence);
      await expect(failed.last()).toContainText(/broken\.mjs:1: the policy threw while it was loaded/);
      await session.choosePolicy(words.of("replay.policy.custom"));
      await expect(session.result("peak").getByRole("cell").nth(1)).toHaveText(/\d/);
      // A policy that does not load cannot fail in a replay.
      await expect(failed).toHaveCount(1);
      await expect(page).toHaveURL(/policy=custom/);
    });
});

test("the API answers for a user policy as for a built-in one, and reports its failure in one sentence", async ({
  request,
}) => {
  const replay = async (body: object) => {
    const answer = await request.post(`${app.origin}/api/sessions/${await sessionId(app, ENGLISH)}/replay`, {
      data: body,
      headers: { Origin: app.origin },
    });
    return { status: answer.status(), body: await answer.json() };
  };
  const chosen = { settings: { triggerShare: 0.4 } };
  const [own, ours] = [await replay({ policy: "mine", ...chosen }), await replay({ policy: "custom", ...chosen })];
  expect({ ...own, body: { ...own.body, policy: "custom" } }).toEqual(ours);
  expect(ours.body.compactions.length).toBeGreaterThan(0);

  // The termination of a policy that does not return is tested with a shorter limit: own-policies.test.ts.
  expect(await replay({ policy: "reaches" })).toMatchObject({
    status: 400,
    body: { detail: "reaches.mjs:5: the policy threw before request 0: 'fetch' is not defined." },
  });
  expect((await replay({ policy: "mine", ...chosen })).body).toEqual(own.body);
});
