import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { describe, expect, it, vi } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import { recordingOf } from "@/lib/core/context/recording";
import { differences } from "@/lib/core/metrics/difference";
import { frontOf } from "@/lib/core/metrics/pareto";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import { sweepFront, sweepRange } from "@/lib/queries/replays/sweep";
import { sweepRows, writtenPoints } from "@/lib/queries/replays/swept-rows";
import { recordedRun, simulatedRun } from "./compare/compared-runs";
import { DifferenceTable } from "./compare/difference-table";
import { Results } from "./panel/results";
import { policyChoice, withSettings } from "./shared/state/replay-choice";
import { SWEEP_PARSERS, sweepAxes } from "./sweep/axes";
import { HeatMap } from "./sweep/heat-map";
import { MapHead } from "./sweep/map-head";
import { ParetoChart } from "./sweep/pareto-chart";
import { PointReadout } from "./sweep/point-charts";
import { PointedProvider } from "./sweep/pointed";
import { PointsTable } from "./sweep/points-table";
import { recordingRows } from "./sweep/recordings-table";
import { summedPoints } from "./sweep/use-several";

/** Adds made-up metrics to the registry: every table and chart must show them by their messages, and as n/a if absent. */
vi.mock("@/lib/core/metrics/registry", async (original) => {
  const actual = await original<typeof import("@/lib/core/metrics/registry")>();
  const { MADE_UP_METRICS } = await import("@/lib/core/testing/made-up-metrics");
  return { ...actual, METRICS: [...actual.METRICS, ...MADE_UP_METRICS] };
});

/** The parts of the session page that the views read. */
const page = vi.hoisted(() => ({ session: {}, recorded: {}, replay: {}, comparison: {}, sweep: {} }));
vi.mock("./shared/state/stores", async () => {
  const { createStore, storeHook } = await import("@/components/hooks/store");
  return {
    useSession: storeHook(() => createStore({ ...page.session, ...page.recorded })),
    useReplay: storeHook(() => createStore({ ...page.replay, costs, schedule: "pending" })),
  };
});
vi.mock("./compare/comparison", () => ({ useComparison: () => page.comparison }));
vi.mock("./sweep/sweep-data", () => ({ useSweepData: () => page.sweep }));

const { name, note } = MESSAGES.en.metrics;
const messages = {
  ...MESSAGES.en,
  metrics: {
    name: { ...name, itemsDropped: "Items dropped", firstActedAt: "First acted at" },
    note: { ...note, itemsDropped: "What went.", firstActedAt: "When it began." },
  },
};

function drawn(view: ReactNode): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={messages}>
      {view}
    </IntlProvider>,
  );
}

const WINDOW = 6000;
const columns = drawColumns("u100 a300 u100 c5 r300 a50 u400 a300 u20 a10".repeat(3));
const session = { ...unknownFacts(WINDOW), peakContext: null };
const recording = recordingOf(session, countedBySize(columns, "bytes-4"));

function chosen(policy: string, settings = {}) {
  const asked = { policy, preset: null, counting: null, window: null };
  const choice = withSettings(policyChoice(asked, "custom", recording), settings);
  return { choice, simulated: replayPrepared(choice, choice.counting, recording), over: recording };
}

const costs = new ReplayCosts(recording, LISTED_PRICES);
const recorded = recordedReplay(recording, WINDOW);
const fires = chosen("custom", { triggerShare: 0.2, keepRecentTokens: 200, summaryTokens: 50 });
const never = chosen("none");
const { compactions } = fires.simulated;
const dropped = compactions.reduce((sum, one) => sum + one.droppedItems, 0);
const first = compactions[0]?.request ?? -1;

/** The policy fires at the lower shares, and never at the highest one. */
const VARY = [
  { key: "triggerShare", from: 0.2, to: 1, step: 0.4 },
  { key: "keepRecentTokens", from: 200, to: 400, step: 200 },
];

const points = sweepRange({ policy: "custom", vary: VARY }, recording, costs, { from: 0, to: 6 });
const swept = { vary: VARY, points, front: sweepFront(points) };
const axes = sweepAxes(fires.choice, VARY);

/** The metrics of a point by their keys, including the made-up ones. */
function metricsOf({ metrics }: { readonly metrics: object }): Readonly<Record<string, number | null>> {
  return { ...metrics };
}

function sweepData(metric: string) {
  page.sweep = {
    axes,
    metric,
    setMetric: () => undefined,
    isCurrent: () => false,
    isOwn: () => false,
    open: () => undefined,
  };
}

it("the new metric has a row in the replay panel's results, with n/a if the replay lacks it", () => {
  page.session = { columns, summary: session, answer: { summary: session } };
  page.recorded = { recorded, hasUsage: false };
  page.replay = fires;
  const rows = (html: string) =>
    [...html.matchAll(/<tr data-result="(\w+)".*?<\/tr>/g)].map(([row, key]) => [
      key,
      ...[...row.replace(/<th.*?title="(.*?)">(.*?)<\/th>/, "<td>$1|$2</td>").matchAll(/<td.*?>(.*?)<\/td>/g)].map(
        ([, cell]) => (cell ?? "").replaceAll(/<[^>]*>/g, ""),
      ),
    ]);
  const shown = rows(drawn(<Results />));
  expect(shown).toContainEqual(["itemsDropped", "What went.|Items dropped", "0", `${dropped}`, `+${dropped}`]);
  expect(shown).toContainEqual(["firstActedAt", "When it began.|First acted at", "n/a", `${first}`, "n/a"]);
  expect(drawn(<Results />)).not.toContain("inherited request");
  const bill = { inherited: { requests: 2 } };
  page.session = { columns, summary: session, answer: { summary: session, bill } };
  expect(drawn(<Results />)).toContain("All numbers here include 2 inherited requests, recorded and simulated alike.");
  page.replay = never;
  const unchanged = rows(drawn(<Results />));
  expect(unchanged).toContainEqual(["firstActedAt", "When it began.|First acted at", "n/a", "n/a", "n/a"]);
});

it("requests above the selected window are counted the same on the page and in replays", () => {
  // The requests send 970 and 1010 tokens. Codex fills 950 of a window of 1000.
  const facts = { ...unknownFacts(WINDOW), agent: "codex", peakContext: null };
  const own = recordingOf(facts, countedBySize(drawColumns("u970 a20 u20 a100"), "bytes-4"));
  const shownFor = (policy: string) => {
    const choice = withSettings(
      policyChoice({ policy, preset: null, counting: null, window: 1000 }, "custom", own),
      {},
    );
    const simulated = replayPrepared(choice, choice.counting, own);
    page.session = { columns: own.columns, summary: facts, answer: { summary: facts } };
    page.recorded = { recorded: recordedReplay(own, WINDOW), hasUsage: false };
    page.replay = { choice, simulated, over: own };
    const [row = ""] = drawn(<Results />).match(/<tr data-result="requestsOverWindow".*?<\/tr>/) ?? [];
    const cells = [...row.matchAll(/<td.*?>(.*?)<\/td>/g)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, ""));
    return [...cells, simulated.totals.requestsOverWindow];
  };
  // Policies that compact send other contexts; the recorded ones stay.
  for (const policy of ["recorded", "none", "codex", "custom"])
    expect([policy, shownFor(policy)[0]]).toEqual([policy, "1"]);
  for (const policy of ["recorded", "none"]) expect(shownFor(policy).slice(1)).toEqual(["1", expect.anything(), 1]);
});

describe("the new metric in a comparison", () => {
  const runs = [
    recordedRun(recorded, recording, undefined, costs),
    simulatedRun(never.choice, never.simulated, recording, costs),
    simulatedRun(fires.choice, fires.simulated, recording, costs),
  ];
  const difference = differences(runs);

  it("has a column, and a run that lacks it is not marked as best", () => {
    page.recorded = { hasUsage: false };
    page.comparison = { runs, difference, remarks: [], base: 2, setBase: () => undefined };
    const html = drawn(<DifferenceTable />);
    expect(html).toContain('title="When it began.">First acted at</th>');
    const cells = [...html.matchAll(/<td[^>]*data-metric="firstActedAt".*?<\/td>/g)].map(([cell]) =>
      cell.replaceAll(/<[^>]*>/g, "|").replaceAll(/\|+/g, "|"),
    );
    expect(cells).toEqual(["|n/a|–|", "|n/a|–|", expect.stringMatching(new RegExp(`^\\|${first} req\\.\\|base`))]);
  });

  it("has its lowest value marked as best among the runs that have it", () => {
    const late = chosen("custom", { triggerShare: 0.6, keepRecentTokens: 200, summaryTokens: 50 });
    const at = late.simulated.compactions[0]?.request ?? 0;
    expect(at).toBeGreaterThan(first);
    const rows = differences([...runs, simulatedRun(late.choice, late.simulated, recording, costs)]);
    const row = rows.find(({ metric }) => `${metric}` === "firstActedAt");
    expect(row).toMatchObject({ values: [null, null, first, at], best: 2 });
  });
});

describe("the new metric in a sweep", () => {
  it("can be selected for the map", () => {
    expect(SWEEP_PARSERS.metric.parse("firstActedAt")).toBe("firstActedAt");
    sweepData("firstActedAt");
    expect(drawn(<MapHead shown={swept} />)).toMatch(/aria-label="Metric"[^>]*>(<[^>]*>)*First acted at</);
  });

  it("colours the cells of the map, and a cell without it shows n/a and has no colour", () => {
    sweepData("firstActedAt");
    const [one, other] = axes;
    if (one === undefined || other === undefined) throw new Error("two settings are varied");
    const html = drawn(
      <PointedProvider>
        <HeatMap shown={swept} first={one} second={other} testId="" />
      </PointedProvider>,
    );
    const cells = [...html.matchAll(/aria-label="([^"]*)"[^>]*data-cell="(\d+)"[^>]*data-step="(\w+)"/g)];
    const byIndex = new Map(cells.map(([, label = "", index, step = ""]) => [Number(index), { label, step }]));
    expect(byIndex.size).toBe(6);
    const lacking = points.flatMap((point, index) => (metricsOf(point).firstActedAt === null ? [index] : []));
    expect(lacking.length).toBeGreaterThan(0);
    expect(lacking.length).toBeLessThan(6);
    for (const [index, { label, step }] of byIndex) {
      expect([index, step === "none", label.includes("First acted at n/a")]).toEqual([
        index,
        ...Array(2).fill(lacking.includes(index)),
      ]);
    }
    expect(html.match(/repeating-linear-gradient/g)).toHaveLength(lacking.length);
    // The ramp begins with the lowest value.
    const least = Math.min(...points.flatMap((point) => metricsOf(point).firstActedAt ?? []));
    expect(drawn(<MapHead shown={swept} />)).toMatch(new RegExp(`text-t2">${least}<span`));
  });

  it("is shown in the table of points and in the readout", () => {
    sweepData("peak");
    const html = drawn(<PointsTable result={{ points, front: points.map(() => true) }} />);
    expect(html).toContain(">First acted at</th>");
    const cells = [...html.matchAll(/<td[^>]*data-metric="firstActedAt">(.*?)<\/td>/g)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]*>/g, ""),
    );
    expect(cells).toContain("n/a");
    expect(cells).not.toContain("0");
    page.sweep = { ...page.sweep, isCurrent: (point: object) => point === points.at(-1) };
    const readout = drawn(
      <PointedProvider>
        <PointReadout shown={swept} />
      </PointedProvider>,
    );
    expect(readout).toMatch(/data-metric="firstActedAt"><dt[^>]*>First acted at<\/dt><dd[^>]*><span[^>]*>n\/a</);
    expect(readout).toMatch(/data-metric="itemsDropped"><dt[^>]*>Items dropped<\/dt><dd[^>]*><span[^>]*>0</);
  });

  it("is summed over recordings, unless one of them lacks it", () => {
    const rows = [...sweepRows([writtenPoints("a.jsonl", points)])].map((row) => JSON.parse(row));
    const { points: sums, lacked } = summedPoints(VARY, [rows, rows]);
    expect(sums.map((sum) => metricsOf(sum).itemsDropped)).toEqual(
      points.map((point) => 2 * (metricsOf(point).itemsDropped ?? 0)),
    );
    expect(sums.map((sum) => metricsOf(sum).firstActedAt)).toEqual(
      points.map(({ metrics }) => {
        const at = metricsOf({ metrics }).firstActedAt ?? null;
        return at === null ? null : 2 * at;
      }),
    );
    expect(lacked.map(({ metric: { key }, always, sometimes }) => [key, always.size + sometimes])).toEqual([
      // The recordings have no price.
      ["costUsd", 2],
      // Their texts were not searched.
      ["neededAgain", 2],
      ["neededAgainTokens", 2],
      ["firstActedAt", 2],
    ]);
    const [recording] = recordingRows([{ session: "a", rows }], 5, []);
    expect(metricsOf(recording ?? { metrics: {} })).toMatchObject({ itemsDropped: 0, firstActedAt: null });
  });

  it("can be an axis of the front, which ignores points without it", () => {
    const metrics = [9, 4, null, 6].map((low, index) => [low, index] as const);
    expect(frontOf(metrics, ["firstActedAt", "keptTokens"] as never)).toEqual([false, true, false, true]);
    // Fewer dropped items and earlier compactions are both better: less is better.
    expect(
      frontOf(
        [
          [1, 5],
          [2, 4],
          [2, 6],
          [0, null],
        ],
        ["itemsDropped", "firstActedAt"] as never,
      ),
    ).toEqual([true, true, false, false]);
  });

  it("is not required by a front of other metrics, which counts the points that it leaves out", () => {
    sweepData("peak");
    const lacking = points.map((point, index) =>
      index < 2 ? { ...point, metrics: { ...point.metrics, keptTokens: null } } : point,
    );
    const shown = { vary: VARY, points: lacking, front: sweepFront(lacking) };
    expect(shown.front.slice(0, 2)).toEqual([false, false]);
    const html = drawn(<ParetoChart shown={shown} testId="" />);
    expect(html).toContain("2 points lack one of the two metrics and are not drawn.");
    expect(drawn(<ParetoChart shown={swept} testId="" />)).not.toContain("not drawn");
  });
});
