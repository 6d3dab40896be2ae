import { sweepEvent, sweepRequest } from "@/lib/queries/contract/schemas";
import { ENGLISH, ROLLOUT } from "./support/files";
import { expect, test } from "./support/fixtures";

const GRID = "vary=triggerShare=0.2:0.8:0.1~keepRecentTokens=5000:20000:5000";

test("a sweep is shown as a map, opened in the panel, narrowed to a curve, and explained if flat", async ({
  page,
  session,
  words,
}) => {
  await session.visit(ENGLISH, `?policy=custom&tab=sweep&${GRID}&set.triggerShare=0.95`);
  const sweep = page.getByTestId("sweep");
  const map = page.getByTestId("heat-map");
  const cell = map.locator('[data-cell="5"]');
  const dots = page.getByTestId("pareto").locator("[data-front]");
  const curve = page.getByTestId("curve").locator("[data-front]");
  const table = page.getByTestId("points-table");
  const rows = table.locator("tbody tr");
  const shownMetric = sweep.getByRole("combobox", { name: words.of("sweep.map.metric"), exact: true }).first();
  const showMetric = async (name: string) => {
    await shownMetric.click();
    await page.getByRole("option", { name: words.of(`metrics.name.${name}`), exact: true }).click();
  };
  await expect(map.locator("[data-cell]")).toHaveCount(28);
  await expect(dots).toHaveCount(28);
  expect(await map.locator('[data-front="true"]').count()).toBeGreaterThan(1);
  await expect(page.getByTestId("sweep-status")).toContainText("28");
  await expect(map.locator('[aria-current="true"]')).toHaveCount(0);
  await sweep.getByRole("button", { name: words.like("sweep.table.showAll") }).click();
  await expect(rows).toHaveCount(28);

  await test.step("pointing at a point shows its metrics, and highlights it in the other chart", async () => {
    const readout = page.getByTestId("point-readout");
    const metrics = await rows.nth(5).locator("[data-metric]").allInnerTexts();
    expect(metrics).toHaveLength(10);

    await cell.hover();
    await expect(page.locator('[data-point="5"]')).toHaveAttribute("data-pointed", "true");
    expect(await readout.locator("dd").allInnerTexts()).toEqual(metrics);
    await page.mouse.move(0, 0);
    await expect(page.locator('[data-pointed="true"]')).toHaveCount(0);

    // The map is one Tab stop. The first cell is at the top left, with the smallest first value and the largest second value.
    await expect(map.locator('[tabindex="0"]')).toHaveCount(1);
    await map.locator('[tabindex="0"]').focus();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await expect(cell).toBeFocused();
    await expect(page.locator('[data-point="5"]')).toHaveAttribute("data-pointed", "true");
    expect(await readout.locator("dd").allInnerTexts()).toEqual(metrics);
  });

  await test.step("Enter opens a point, and arrow keys continue from there", async () => {
    await page.keyboard.press("ArrowUp");
    await expect(map.locator('[data-cell="6"]')).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/set\.triggerShare=0\.3/);
    await expect(page).toHaveURL(/set\.keepRecentTokens=15000/);
    await expect(map.locator('[data-cell="6"]')).toHaveAttribute("aria-current", "true");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await expect(map.locator('[data-cell="26"]')).toBeFocused();
  });

  await test.step("a point of the Pareto chart is opened, too", async () => {
    // Opening a point may change the charts' width, and the points move.
    await expect(async () => dots.first().click({ force: true, timeout: 1000 })).toPass();
    await expect(map.locator('[data-cell="6"]')).not.toHaveAttribute("aria-current", "true");
    await expect(map.locator('[aria-current="true"]')).toHaveCount(1);
  });

  await test.step("opening a point sets the replay panel, gives the same metrics, and changes the address", async () => {
    // The first setting varies slowest, so the sixth point has the second value of both settings.
    await cell.click();
    await expect(page).toHaveURL(/set\.triggerShare=0\.3/);
    await expect(page).toHaveURL(/set\.keepRecentTokens=10000/);
    await expect(session.slider("triggerShare")).toHaveValue("0.3");
    await expect(session.slider("keepRecentTokens")).toHaveValue("10000");
    await expect(cell).toHaveAttribute("aria-current", "true");
    const swept = async (metric: string) =>
      Number((await rows.nth(5).locator(`[data-metric="${metric}"]`).innerText()).replace(/\D/g, ""));
    expect(await swept("compactions")).toBe(await session.simulated("compactions"));
    expect(await swept("peak")).toBe(await session.simulated("peak"));
    expect(await swept("compactions")).toBeGreaterThan(0);
    await showMetric("tokensSent");
    await expect(page).toHaveURL(/metric=tokensSent/);
    await page.reload();
    await expect(cell).toHaveAttribute("aria-current", "true");
    await expect(shownMetric).toHaveText(words.of("metrics.name.tokensSent"));
  });

  await test.step("a single axis is shown as a curve", async () => {
    await sweep.getByRole("combobox", { name: words.of("sweep.controls.second") }).click();
    await page.getByRole("option", { name: words.of("sweep.controls.nothing") }).click();
    await expect(curve).toHaveCount(7);
    await expect(page).toHaveURL(/vary=triggerShare=0\.2:0\.8:0\.1(&|$)/);
  });

  await test.step("costs are shown with the hindsight optimum as a line, and other metrics without one", async () => {
    const line = page.getByTestId("best-line");
    await showMetric("costUsd");
    await expect(line).toContainText("$");
    const shown = (await line.innerText()).match(/\$[\d.]*\d/)?.[0] ?? "";
    await sweep.getByRole("button", { name: words.like("sweep.table.showAll") }).click();
    const cells = (metric: string) => table.locator(`tbody [data-metric="${metric}"]`);
    await expect(cells("bestUsd")).toHaveCount(7);
    for (const best of await cells("bestUsd").allInnerTexts()) expect(best).toContain(shown);
    const regrets = (await cells("regret").allInnerTexts()).map(Number.parseFloat);
    expect([regrets.length, regrets.every((share) => share >= 0)]).toEqual([7, true]);
    expect(new Set(regrets).size).toBeGreaterThan(1);

    await showMetric("peak");
    await expect(line).toHaveCount(0);
    await expect(cells("regret")).toHaveCount(0);
  });

  await test.step("an invalid range is reported", async () => {
    const from = sweep.getByRole("textbox", { name: words.of("sweep.controls.from"), exact: true });
    await from.fill("90");
    await from.press("Enter");
    await expect(sweep.getByRole("alert").filter({ hasText: words.of("sweep.controls.problem.none") })).toBeVisible();
    await from.fill("10");
    await from.press("Enter");
    await expect(curve).toHaveCount(8);
  });

  await test.step("a sweep whose points are all equal states the reason", async () => {
    // A window this large never fills up.
    const wide = "window=1000000&vary=triggerShare=0.95:1:0.01~summaryTokens=1000:3000:1000";
    await session.follow(ENGLISH, `?policy=custom&tab=sweep&${wide}`);
    const alike = page.getByTestId("pareto-alike");
    await expect(alike).toHaveText(words.of("sweep.pareto.noneCompacts"));
    await expect(map.locator("[data-cell]")).toHaveCount(18);
    await expect(map.locator('[data-front="true"]')).toHaveCount(0);

    // The kept content does not depend on the size of the summary.
    await session.follow(ENGLISH, "?policy=custom&tab=sweep&set.triggerShare=0.65&vary=summaryTokens=1000:3000:500");
    await expect(curve).toHaveCount(5);
    const tokens = await table.locator('[data-metric="keptTokens"]').first().innerText();
    expect(tokens).toMatch(/[1-9]/);
    await expect(alike).toHaveText(words.filled("sweep.pareto.sameKept", { tokens, spent: "costUsd" }));
  });

  await test.step("the recorded policy shows that it has nothing to vary", async () => {
    await session.choosePolicy(words.of("replay.policy.recorded"));
    await expect(page.getByText(words.of("sweep.nothingTitle"))).toBeVisible();
  });
});

test("the same sweep over other recordings can be stopped, reports failures, and shows sums", async ({
  page,
  session,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_FAILED/);
  await session.visit(ENGLISH, `?policy=custom&tab=sweep&set.summaryTokens=700&${GRID}`);
  const several = page.getByTestId("several");
  const start = several.getByRole("button", { name: words.like("sweep.several.start") });
  await several.getByRole("combobox", { name: words.of("sweep.several.scope") }).click();
  await page.getByRole("option", { name: words.like("sweep.several.scopes.all") }).click();

  await test.step("the sweep is stopped, and a failure is reported", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/sweeps", async (route) => {
      await held;
      await route.abort().catch(() => undefined);
    });
    await start.click();
    await expect(several.getByRole("progressbar", { name: words.of("sweep.several.running") })).toBeVisible();
    await several.getByRole("button", { name: words.of("sweep.several.stop") }).click();
    await expect(start).toBeVisible();
    await expect(several.getByRole("alert")).toHaveCount(0);
    release();
    await start.click();
    await expect(several.getByRole("alert")).toBeVisible();
    await page.unroute("**/api/sweeps");
  });

  const asked = page.waitForRequest("**/api/sweeps");
  await start.press("Enter");
  const body = sweepRequest.parse((await asked).postDataJSON());
  expect(body.sessions.length).toBeGreaterThan(1);
  expect(body).toMatchObject({ policy: "custom", settings: { summaryTokens: 700 } });
  await expect(page.getByTestId("several-status")).toContainText(String(body.sessions.length));

  const answer = await page.request.post(new URL("/api/sweeps", page.url()).href, { data: body });
  const events = Array.from((await answer.text()).matchAll(/^data: (.*)$/gm), ([, json]) =>
    sweepEvent.parse(JSON.parse(json ?? "")),
  );
  const rows = events.flatMap((event) => (event.type === "rows" ? [event.rows] : []));
  expect(rows.length).toBe(body.sessions.length);

  await test.step("the table shows the sums", async () => {
    await several.getByRole("button", { name: words.like("sweep.table.showAll") }).click();
    const shown = page.getByTestId("several-points-table").locator("tbody tr");
    await expect(shown).toHaveCount(28);
    const cells = async (metric: string) =>
      (await shown.locator(`[data-metric="${metric}"]`).allInnerTexts()).map((text) => Number(text.replace(/\D/g, "")));
    const sums = (rows[0] ?? []).map((_, at) => rows.reduce((sum, of) => sum + (of[at]?.totals.tokensSent ?? 0), 0));
    expect(await cells("tokensSent")).toEqual(sums);
    const peaks = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((of) => of[at]?.totals.peak ?? 0)));
    expect(await cells("peak")).toEqual(peaks);
    await shown.nth(5).getByRole("button").click();
    await expect(page).toHaveURL(/set\.triggerShare=0\.3/);
  });

  await test.step("each recording shows the server's row of the opened point, and links to its own sweep", async () => {
    const each = page.getByTestId("recordings-table").locator("tbody tr");
    await expect(each).toHaveCount(rows.length);
    const sent = rows.map((of) => of[5]?.totals.tokensSent ?? 0).sort((a, b) => b - a);
    const largest = rows.find((of) => of[5]?.totals.tokensSent === sent[0])?.[5];
    await expect(each.first().locator('[data-metric="peak"]')).toHaveText(
      (largest?.totals.peak ?? 0).toLocaleString("en"),
    );
    const address = (await each.first().getByRole("link").getAttribute("href")) ?? "";
    expect(new URL(address, page.url()).searchParams.get("set.triggerShare")).toBe("0.3");
  });

  await test.step("selecting another policy marks the sums as outdated", async () => {
    // The opened point changed only varied settings.
    const summed = { most: words.of("metrics.name.peak"), mean: words.of("metrics.name.keptTokens") };
    await expect(several.getByText(words.filled("sweep.several.summed", summed))).toBeVisible();
    await session.choosePolicy("Codex");
    await expect(several.getByText(words.of("sweep.several.stale"))).toBeVisible();
    await expect(page.getByTestId("several-points-table")).toHaveCount(0);
  });
});

test("a sweep that is too large is reported before it starts, with a way to reduce it", async ({
  page,
  session,
  words,
}) => {
  // The maximum number of recordings of a sweep: the same ones repeated under other ids.
  await page.route("**/api/sessions?*", async (route) => {
    const answer = await route.fetch();
    const list = await answer.json();
    const samples = list.sessions.filter(({ name }: { name: string }) => [ENGLISH, ROLLOUT].includes(name));
    const rows = Array.from({ length: 2000 }, (_, at) => {
      const row = samples[at % samples.length];
      return at < samples.length ? row : { ...row, id: `${row.id}-${at}`, related: [] };
    });
    await route.fulfill({ response: answer, json: { ...list, sessions: rows, nextCursor: null, total: rows.length } });
  });
  await session.visit(
    ENGLISH,
    "?policy=custom&tab=sweep&vary=triggerShare=0.2:0.95:0.03~keepRecentTokens=1000:20000:1000",
  );
  // The page below the map moves until the map is rendered.
  await expect(page.getByTestId("heat-map").locator("[data-cell]")).toHaveCount(520);
  const several = page.getByTestId("several");
  const start = several.getByRole("button", { name: /2000/ });
  await several.getByRole("combobox").click();
  await page.getByRole("option", { name: /2000/ }).click();
  await expect(start).toBeDisabled();
  const counts = { points: "520", recordings: "2,000", replays: "1,040,000", most: "1,000,000" };
  await expect(page.getByTestId("several-too-large")).toHaveText(words.filled("sweep.several.tooLarge", counts));

  await page.getByRole("combobox", { name: words.of("sweep.controls.second") }).click();
  await page.getByRole("option", { name: words.of("sweep.controls.nothing") }).click();
  await expect(start).toBeEnabled();
  await expect(page.getByTestId("several-too-large")).toHaveCount(0);
});
