import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { compare } from "@/lib/cli/commands/compare";
import { replay as replayCommand } from "@/lib/cli/commands/replay";
import { sweep as sweepCommand } from "@/lib/cli/commands/sweep";
import * as contract from "@/lib/queries/contract/schemas";
import { openApi } from "@/lib/queries/openapi";
import { QUERIES } from "@/lib/queries/table";
import { printed } from "./testing/printed";
import { ask, post, routeOf } from "./testing/routes";
import { idOf, servedSamples } from "./testing/serving";

const compareRoute = routeOf("POST", "/api/sessions/{id}/compare");
const replayRoute = routeOf("POST", "/api/sessions/{id}/replay");
const sweepsRoute = routeOf("POST", "/api/sweeps");

/** A metric of the registry appears in every answer and output; an absent value is never taken for 0. */
vi.mock("@/lib/core/metrics/registry", async (original) => {
  const actual = await original<typeof import("@/lib/core/metrics/registry")>();
  const { MADE_UP_METRICS } = await import("@/lib/core/testing/made-up-metrics");
  return { ...actual, METRICS: [...actual.METRICS, ...MADE_UP_METRICS] };
});

// The threads of the built program have the real registry.
vi.mock("@/lib/server/threads/pool", async () => {
  const { LocalRunner } = await import("./threads/local-runner");
  return { PoolRunner: LocalRunner.bind(undefined, undefined, {}) };
});

const FILE = "codex-sliding-window.jsonl";
const PATH = join("public", "samples", FILE);
servedSamples([FILE]);

/** Large enough that the policy fires at some of the points below, and at others never. */
const window = 300_000;
const VARY = [
  { key: "triggerShare", from: 0.3, to: 1, step: 0.35 },
  { key: "keepRecentTokens", from: 5000, to: 10_000, step: 5000 },
];
const CUSTOM = { policy: "custom", settings: { triggerShare: 0.3 } };

type Metrics = Readonly<Record<string, number | null>>;
type Listed = readonly { readonly droppedItems: number; readonly request: number }[];

/** The values of the metrics, from a replay's compactions. */
function expected(compactions: Listed): Metrics {
  const itemsDropped = compactions.reduce((sum, one) => sum + one.droppedItems, 0);
  return { itemsDropped, firstActedAt: compactions[0]?.request ?? null };
}

const aTotal = {
  requests: 1,
  peak: 1,
  final: 1,
  tokensSent: 1,
  summaryCallTokens: 0,
  tokensRewritten: 0,
  requestsOverWindow: 0,
  costUsd: null,
  regret: null,
  bestUsd: null,
  neededAgain: null,
  neededAgainTokens: null,
};

let id = "";
beforeAll(async () => {
  id = await idOf(FILE);
});

describe("a newly registered metric", () => {
  it("is in the contract, and nullable only if it may be absent", () => {
    const totals = JSON.stringify(openApi(QUERIES));
    expect(totals).toContain('"itemsDropped":{"type":"integer"');
    expect(totals).toContain('"firstActedAt":{"anyOf":[{"type":"integer"');
    const known = { ...aTotal, itemsDropped: 3, firstActedAt: null };
    expect(contract.replayTotals.safeParse(known).success).toBe(true);
    expect(contract.replayTotals.safeParse({ ...known, itemsDropped: null }).success).toBe(false);
    expect(contract.replayTotals.safeParse(aTotal).success).toBe(false);
  });

  it("is in the answer of a replay", async () => {
    for (const request of [CUSTOM, { policy: "none" }, { policy: "recorded" }]) {
      const answer = await (await ask(replayRoute, "/", { id }, post(request))).json();
      const { totals, compactions } = contract.replayResult.parse(answer);
      expect(totals).toMatchObject(expected(compactions));
    }
  });

  it("is in a comparison, where an absent value is not the lowest", async () => {
    const body = post({ runs: [{ policy: "none" }, CUSTOM, { policy: "codex" }] });
    const { runs, difference } = contract.compareAnswer.parse(
      await (await ask(compareRoute, "/", { id }, body)).json(),
    );
    const rows = Object.fromEntries(difference.map((row) => [row.metric, row]));
    const values = runs.map(({ compactions }) => expected(compactions));
    expect(rows.itemsDropped).toMatchObject({ values: values.map((one) => one.itemsDropped), best: 0 });
    expect(rows.firstActedAt?.values).toEqual(values.map((one) => one.firstActedAt));
    expect(rows.firstActedAt?.values[0]).toBeNull();
    expect([1, 2]).toContain(rows.firstActedAt?.best);
  });

  it("is in every row of a sweep", async () => {
    const body = post({ sessions: [id], policy: "custom", window, vary: VARY, regret: true });
    const text = await (await ask(sweepsRoute, "/", {}, body)).text();
    const events = Array.from(text.matchAll(/^data: (.*)$/gm), ([, json]) =>
      contract.sweepEvent.parse(JSON.parse(json ?? "")),
    );
    const rows = events.flatMap((one) => (one.type === "rows" ? one.rows : []));
    expect(rows).toHaveLength(6);
    for (const { set, totals } of rows) {
      const alone = await ask(replayRoute, "/", { id }, post({ policy: "custom", window, settings: set }));
      const { totals: own } = contract.replayResult.parse(await alone.json());
      expect(totals).toEqual(own);
    }
    const first: readonly unknown[] = rows.map(({ totals }) => new Map(Object.entries(totals)).get("firstActedAt"));
    expect(first).toContain(null);
    expect(first.some((value) => Number(value) > 0)).toBe(true);
  });

  it("is printed by replay, in words and as JSON", async () => {
    const options = { policy: "custom", set: CUSTOM.settings };
    const result = contract.replayResult.parse(
      JSON.parse(await printed(() => replayCommand(PATH, { ...options, json: true }))),
    );
    const { itemsDropped, firstActedAt } = expected(result.compactions);
    expect(result.totals).toMatchObject({ itemsDropped, firstActedAt });
    const text = await printed(() => replayCommand(PATH, options));
    expect(text.replaceAll(",", "")).toMatch(
      RegExp(`items dropped ${itemsDropped}\\sfirst acted at ${firstActedAt}\n`),
    );
    expect(await printed(() => replayCommand(PATH, { policy: "none" }))).toContain("first acted at n/a\n");

    const two = [{ policy: "none", settings: {} }, { ...CUSTOM }] as const;
    const table = await printed(() => compare(PATH, two, {}));
    expect(table.replaceAll(",", "")).toMatch(new RegExp(`\\nitems dropped +0 \\* +${itemsDropped}\\n`));
    expect(table).toMatch(new RegExp(`\\nfirst acted at +n/a +${firstActedAt}\\n`));
    const lines = (await printed(() => compare(PATH, two, { json: true }))).trim().split("\n");
    expect(lines.at(-1)).toContain(`{"metric":"firstActedAt","values":[null,${firstActedAt}]`);
  });

  it("is printed by sweep for every point", async () => {
    const swept = await printed(() => sweepCommand([PATH], { policy: "custom", window, vary: VARY }));
    expect(swept).toMatch(/dropped [1-9][\d,]*, first at \d+/);
    expect(swept).toMatch(/compactions 0, .*dropped 0, first at n\/a/);
    const rows = (await printed(() => sweepCommand([PATH], { policy: "custom", window, vary: VARY, json: true })))
      .trim()
      .split("\n");
    expect(rows.map((row) => contract.sweepRow.parse(JSON.parse(row)).totals)).toEqual(
      rows.map(() => expect.objectContaining({ itemsDropped: expect.any(Number) })),
    );
  });
});
