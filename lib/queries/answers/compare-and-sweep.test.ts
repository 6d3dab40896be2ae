import { beforeAll, describe, expect, it } from "vitest";
import { processorMs } from "@/lib/core/testing/processor-time";
import * as contract from "@/lib/queries/contract/schemas";
import { put } from "@/lib/server/testing/files";
import { ask, post, routeOf } from "@/lib/server/testing/routes";
import { idOf, servedSamples } from "@/lib/server/testing/serving";

const compare = routeOf("POST", "/api/sessions/{id}/compare");
const replay = routeOf("POST", "/api/sessions/{id}/replay");
const sweeps = routeOf("POST", "/api/sweeps");

const FILES = ["codex-sliding-window.jsonl", "claude-code-report-timezone.jsonl"] as const;
const mounted = servedSamples(FILES);
beforeAll(() => put(mounted, "text.jsonl", "not a session\n"));

async function eventsOf(response: Response): Promise<contract.SweepEvent[]> {
  const data = (await response.text()).matchAll(/^data: (.*)$/gm);
  return Array.from(data, ([, json]) => contract.sweepEvent.parse(JSON.parse(json ?? "")));
}

it("a replay, a comparison and a sweep use a policy's first preset if none is named", async () => {
  const id = await idOf(FILES[0]);
  const presetsOf = async (policy: { policy: string; preset?: string }) => {
    const { preset } = contract.replayResult.parse(await (await ask(replay, "/", { id }, post(policy))).json());
    const body = post({ runs: [policy, { policy: "none" }] });
    const answer = contract.compareAnswer.parse(await (await ask(compare, "/", { id }, body)).json());
    return [preset, answer.runs[0]?.preset];
  };
  expect(await presetsOf({ policy: "codex" })).toEqual(["as-documented", "as-documented"]);
  expect(await presetsOf({ policy: "codex", preset: "current" })).toEqual(["current", "current"]);
  // Only the rules of `current` have this setting.
  const vary = [{ key: "retainedTokens", from: 1000, to: 2000, step: 1000 }];
  const refused = await ask(sweeps, "/", {}, post({ sessions: [id], policy: "codex", vary }));
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("unknown setting retainedTokens") });
});

describe("compare", () => {
  const CUSTOM = { policy: "custom", settings: { triggerShare: 0.3 } };

  it("returns each run's replay, and the differences between the runs", async () => {
    const id = await idOf(FILES[0]);
    const runs = [{ policy: "recorded" }, CUSTOM, { policy: "codex", preset: "current", window: 100_000 }];
    const answer = contract.compareAnswer.parse(await (await ask(compare, "/", { id }, post({ runs }))).json());
    const alone = await Promise.all(runs.map(async (run) => (await ask(replay, "/", { id }, post(run))).json()));
    expect(answer.runs).toEqual(alone.map(({ series: _, band: _band, ...run }) => ({ ...run, schedule: "own" })));
    const sent = answer.difference.find(({ metric }) => metric === "tokensSent");
    expect(sent?.values).toEqual(answer.runs.map(({ totals }) => totals.tokensSent));
    expect(sent?.best).toBe(sent?.values.indexOf(Math.min(...(sent?.values ?? []).map(Number))));
  });

  it("returns a policy's hindsight optimum, from which regret is measured, and never marks it best", async () => {
    const id = await idOf(FILES[0]);
    const runs = [{ policy: "recorded" }, CUSTOM, { policy: "none" }, { ...CUSTOM, schedule: "best" }];
    const answer = contract.compareAnswer.parse(await (await ask(compare, "/", { id }, post({ runs }))).json());
    const [, own, , best] = answer.runs;
    expect(answer.runs.map(({ schedule }) => schedule)).toEqual(["own", "own", "own", "best"]);
    expect(best).toMatchObject({ settings: own?.settings, thresholdTokens: null, totals: { regret: 0 } });
    expect(best?.totals.costUsd?.total).toBe(own?.totals.bestUsd);
    expect(answer.difference.map((row) => row.best)).not.toContain(3);
    expect(answer.remarks).toContainEqual({
      id: "hindsight",
      runs: [3],
      text: expect.stringContaining("No real policy could know this timing"),
    });
  });

  it.each([
    [{ runs: [CUSTOM, { policy: "recorded", schedule: "best" }] }],
    [{ runs: [CUSTOM, { policy: "gemini-cli", schedule: "best" }] }],
    [{ runs: [CUSTOM, { ...CUSTOM, schedule: "now" }] }],
    [{ runs: [CUSTOM] }],
    [{ runs: Array.from({ length: 7 }, () => CUSTOM) }],
    [{ runs: [CUSTOM, { policy: "nope" }] }],
    [{ runs: [CUSTOM, { policy: "custom", settings: { triggerShare: 7 } }] }],
  ])("%j is rejected", async (body) => {
    expect((await ask(compare, "/", { id: await idOf(FILES[0]) }, post(body))).status).toBe(400);
  });
});

describe("sweep", () => {
  const VARY = [
    { key: "triggerShare", from: 0.2, to: 0.4, step: 0.1 },
    { key: "keepRecentTokens", from: 5000, to: 10_000, step: 5000 },
  ];

  it("answers the rows of every session in order, equal to its replays, despite an unreadable one", async () => {
    const ids = await Promise.all([FILES[1], "text.jsonl", FILES[0]].map(idOf));
    const response = await ask(sweeps, "/", {}, post({ sessions: ids, policy: "custom", vary: VARY, regret: true }));
    expect([response.status, response.headers.get("content-type")]).toEqual([202, "text/event-stream"]);
    const events = await eventsOf(response);
    expect(
      events.filter(({ type }) => type !== "progress").map((one) => [one.type, "session" in one && one.session]),
    ).toEqual([
      ["rows", ids[0]],
      ["failed", ids[1]],
      ["rows", ids[2]],
      ["end", false],
    ]);
    expect(events.findLast(({ type }) => type === "progress")).toEqual({ type: "progress", done: 18, total: 18 });
    const rows = events.flatMap((one) => (one.type === "rows" ? one.rows : []));
    expect(rows.map(({ file }) => file)).toEqual([...Array(6).fill(FILES[1]), ...Array(6).fill(FILES[0])]);
    const last = rows.at(-1);
    expect(last?.set).toEqual({ triggerShare: 0.4, keepRecentTokens: 10_000 });
    const settings = last?.set;
    const alone = await ask(replay, "/", { id: ids[2] ?? "" }, post({ policy: "custom", settings }));
    const { totals, compactions } = contract.replayResult.parse(await alone.json());
    expect([last?.totals, last?.compactions]).toEqual([totals, compactions.length]);
    expect(totals.costUsd?.total).toBeGreaterThan(0);
    expect(compactions.length).toBeGreaterThan(0);
  });

  it("stops when the client disconnects", async () => {
    const abort = new AbortController();
    const vary = [{ key: "triggerShare", from: 0.05, to: 0.95, step: 0.0005 }];
    const body = { sessions: Array(50).fill(await idOf(FILES[0])), policy: "custom", vary };
    const response = await ask(sweeps, "/", {}, post(body, abort.signal));
    const reader = response.body?.getReader();
    await reader?.read();
    const started = processorMs();
    abort.abort();
    await reader?.cancel();
    // The sweep has 90,000 replays; another query is still answered at once.
    expect((await ask(replay, "/", { id: await idOf(FILES[1]) }, post({ policy: "none" }))).status).toBe(200);
    expect(processorMs() - started).toBeLessThan(5000);
  });

  it.each([
    [{ policy: "nope", vary: VARY }],
    [{ policy: "custom", vary: [] }],
    [{ policy: "custom", estimator: "nope", vary: VARY }],
    [{ policy: "custom", vary: [{ key: "triggerShare", from: 0.5, to: 0.1, step: 0.1 }] }],
    [{ policy: "custom", vary: [{ key: "triggerShare", from: 0.1, to: 0.9, step: 0.000001 }] }],
    [{ policy: "custom", vary: [{ key: "triggerShare", from: 0.1, to: 1.5, step: 0.1 }] }],
    [{ policy: "custom", vary: [{ key: "nope", from: 0, to: 1, step: 1 }] }],
    [{ policy: "custom", preset: "nope", vary: VARY }],
    [{ policy: "custom", settings: { summaryTokens: -1 }, vary: VARY }],
    [{ policy: "custom", set: { summaryTokens: 1 }, vary: VARY }],
  ])("%j is rejected at once", async (body) => {
    expect((await ask(sweeps, "/", {}, post({ sessions: ["a"], ...body }))).status).toBe(400);
  });

  it("is rejected at once, with one sentence, if it has too many replays", async () => {
    const vary = [
      { key: "triggerShare", from: 0.01, to: 1, step: 0.01 },
      { key: "keepRecentTokens", from: 100, to: 10_000, step: 100 },
    ];
    const response = await ask(sweeps, "/", {}, post({ sessions: Array(101).fill("a"), policy: "custom", vary }));
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    const { detail } = contract.httpProblem.parse(await response.json());
    expect(detail).toMatch(/^the sweep has 1,010,000 replays .* 1,000,000 are the most/);
  });

  it("reports invalid settings per session", async () => {
    const settings = { inputWithout: "tool:nope" };
    const body = { sessions: [await idOf(FILES[0])], policy: "custom", settings, vary: VARY };
    const events = await eventsOf(await ask(sweeps, "/", {}, post(body)));
    expect(events.find(({ type }) => type === "failed")).toMatchObject({
      detail: expect.stringContaining("inputWithout must be one of none"),
    });
  });
});
