import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cost as costAnswer, type SessionSummary, sessionFacets, sessionSummary } from "@/lib/queries/contract/schemas";
import { commandLine } from "./testing/program";

/**
 * Small inputs from public bug reports about other tools, with correct values. They are in a folder next to the project; each kind of bug also has a test next to
 * the affected code.
 */
const CASES = join(process.cwd(), "../shared/cases");
const { run, folder } = commandLine();
const env = { HOME: join(folder, "home"), CONTEXT_REPLAY_DATA: join(folder, "data"), TZ: "UTC" };

async function inspected(path: string): Promise<SessionSummary> {
  const { out, err } = await run(["inspect", join(CASES, path), "--json"], "", env);
  expect(err).toBe("");
  return sessionSummary.parse(JSON.parse(out));
}

/** Requests, usage and cost of a session. */
function metrics({ requests, usage, costUsd }: SessionSummary) {
  const { input, cacheRead, cacheWrite, output } = usage;
  return { requests, input, cacheRead, cacheWrite, output, usd: costUsd?.total };
}

async function totals(path: string) {
  const { out } = await run(["stats", join(CASES, path), "--json"], "", env);
  const { requests, input, cacheRead, cacheWrite, output, costUsd } = sessionFacets.parse(JSON.parse(out)).total;
  return { requests, input, cacheRead, cacheWrite, output, usd: costUsd };
}

describe.skipIf(!existsSync(CASES))("public cases", () => {
  it.each([
    ["01-spliced-line/session.jsonl", { requests: 3, input: 22, cacheRead: 2500, cacheWrite: 1700, output: 120 }],
    ["03-line-separators/session.jsonl", { requests: 2 }],
    ["07-codex-token-usage-record/rollout-both.jsonl", { requests: 2, input: 21_032, cacheRead: 19_968, output: 900 }],
    [
      "07-codex-token-usage-record/rollout-only-records.jsonl",
      { requests: 2, input: 21_032, cacheRead: 19_968, output: 900 },
    ],
    ["08-codex-priority-tier/rollout-default.jsonl", { usd: 0.068 }],
    ["08-codex-priority-tier/rollout-priority.jsonl", { usd: 0.136 }],
    ["09-codex-repeated-counts/rollout.jsonl", { requests: 2, input: 11_016, cacheRead: 9984, output: 500 }],
    ["10-codex-no-total-tokens/rollout.jsonl", { requests: 3, input: 12_136, cacheRead: 20_864, output: 650 }],
    ["11-codex-inclusive-counters/rollout.jsonl", { input: 24_000, cacheRead: 96_000, output: 2000, usd: 0.0868 }],
    [
      "14-streamed-rows-no-request-id/session.jsonl",
      { requests: 2, input: 6, cacheRead: 5000, cacheWrite: 5300, output: 730 },
    ],
    ["27-preserved-messages/session.jsonl", { requests: 3 }],
    [
      "27c-second-compact-replays/session.jsonl",
      { requests: 4, input: 12, cacheRead: 70_000, cacheWrite: 37_000, output: 400, usd: 0.165786 },
    ],
    ["29-streamed-output-captures/claude-stream-json.jsonl", { requests: 2, cacheRead: 20_000, output: 240 }],
    ["29-streamed-output-captures/codex-exec-json.jsonl", { input: 315, cacheRead: 24_448, output: 122 }],
    ["33-rewind-billed/session.jsonl", { requests: 2, usd: 0.183777 }],
    ["35-codex-model-switch/rollout.jsonl", { usd: 0.039372 }],
    ["38-torn-tail/session.jsonl", { requests: 1 }],
  ])("%s: metrics of the session", async (path, expected) => {
    expect(metrics(await inspected(path))).toMatchObject(expected);
  });

  it.each([
    ["05-codex-fork-restamped", { requests: 3, input: 12_136, cacheRead: 20_864, output: 650, usd: 0.033989 }],
    ["20-opencode-database/v1-fork", { requests: 3, input: 9, cacheRead: 60_500, cacheWrite: 30_900, output: 300 }],
    ["20-opencode-database/v1-diverged", { requests: 4, input: 12, output: 400 }],
    ["20-opencode-database/v2-upgraded", { requests: 4 }],
    ["31-codex-zst/only-zst", { requests: 2 }],
    ["31-codex-zst/both", { requests: 2 }],
    ["37-codex-empty-fork", { requests: 2 }],
    ["16-subagents-folder", { requests: 4, usd: 0.157149 }],
    ["17-resumed-copy", { requests: 3, input: 9, cacheRead: 30_000, cacheWrite: 61_500, output: 300, usd: 0.244152 }],
  ])("%s: totals of distinct requests", async (path, expected) => {
    expect(await totals(path)).toMatchObject(expected);
  });

  it("04: the context uses the last pass of a response, the cost uses all passes by model", async () => {
    const { peakContext, costUsd } = await inspected("04-advisor-iterations/session.jsonl");
    expect(peakContext).toEqual({ tokens: 107_304, request: 2 });
    expect(costUsd?.total).toBe(1.155491);
  });

  it("05, 37: a fork's own requests are separated from inherited ones", async () => {
    const fork = "sessions/2026/06/25/rollout-2026-06-25T10-00-00-01970000-0000-7000-8000-00000000000f.jsonl";
    const { bill } = await inspected(join("05-codex-fork-restamped", fork));
    expect(bill).toMatchObject({ own: { requests: 1, usage: { output: 150 } }, inherited: { requests: 2 } });
  });

  it("16: a session's cost is stated beside that of its subagents", async () => {
    const main = "16-subagents-folder/.claude/projects/-home-ada-shop/5e000000-0000-4000-8000-000000000016.jsonl";
    const { out } = await run(["cost", join(CASES, main), "--json"], "", env);
    const { costUsd, bill } = costAnswer.parse(JSON.parse(out));
    expect([costUsd.total, bill.subagents?.costUsd.total]).toEqual([0.126393, 0.030756]);
  });

  it("19: each request counts on its day in the viewer's time zone", async () => {
    const days = async (zone: string) => {
      const { out } = await run(["stats", join(CASES, "19-midnight"), "--by", "day", "--tz", zone, "--json"], "", env);
      return sessionFacets.parse(JSON.parse(out)).facets.day?.map(({ value, requests }) => [value, requests]);
    };
    expect(await days("UTC")).toEqual([
      ["2026-09-11", 1],
      ["2026-09-10", 1],
    ]);
    expect(await days("America/Los_Angeles")).toEqual([["2026-09-10", 2]]);
  });

  it("01, 27, 27c, 38: damaged lines and compactions are counted", async () => {
    const counts = async (path: string) => {
      const { records, compactions } = await inspected(path);
      return [records.damagedTotal, compactions.length];
    };
    expect(await counts("01-spliced-line/session.jsonl")).toEqual([1, 0]);
    expect(await counts("27-preserved-messages/session.jsonl")).toEqual([0, 1]);
    expect(await counts("27c-second-compact-replays/session.jsonl")).toEqual([0, 2]);
    expect(await counts("38-torn-tail/session.jsonl")).toEqual([1, 0]);
  });

  it("every case is named in this file", () => {
    const source = readFileSync(new URL(import.meta.url), "utf8");
    expect(readdirSync(CASES).filter((name) => !source.includes(`"${name}`))).toEqual([]);
  });

  it("12: models are priced under gateway names", async () => {
    const ids: Record<string, readonly [number, number] | "any" | null> = JSON.parse(
      readFileSync(join(CASES, "12-model-spellings/ids.json"), "utf8"),
    );
    for (const name of readdirSync(join(CASES, "12-model-spellings")).filter((file) => file.startsWith("id-"))) {
      const { models, costUsd } = await inspected(join("12-model-spellings", name));
      const price = ids[models[0] ?? ""];
      const total = costUsd?.total;
      if (price === null) expect([name, total]).toEqual([name, null]);
      else if (price === "any") expect([name, typeof total]).toEqual([name, "number"]);
      else if (price !== undefined) expect(total, name).toBeCloseTo((price[0] + price[1]) / 1000, 9);
    }
  });

  it("22b: current models have their windows", async () => {
    const windows = {
      "opus-4-8": 1e6,
      "opus-5": 1e6,
      "fable-5-1": 1e6,
      "opus-4-6-1m": 1e6,
      "sonnet-4-5-20250929": 2e5,
    };
    for (const [model, tokens] of Object.entries({ ...windows, "haiku-4-5-20251001": 2e5 })) {
      const { contextWindow } = await inspected(`22b-windows/claude-${model}.jsonl`);
      expect([model, contextWindow]).toMatchObject([model, { tokens, source: "known-model" }]);
    }
    expect((await inspected("22b-windows/claude-sonnet-4-6.jsonl")).contextWindow.source).toBe("assumed");
  });

  it("50: every query answers for hostile inputs", async () => {
    for (const name of readdirSync(join(CASES, "50-hostile-inputs")).filter((file) => file.endsWith(".jsonl"))) {
      const path = join(CASES, "50-hostile-inputs", name);
      for (const command of [["inspect"], ["breakdown"], ["ledger"], ["cost"], ["replay", "--policy", "custom"]]) {
        const [verb = "", ...rest] = command;
        const { err, code } = await run([verb, path, ...rest, "--json"], "", env);
        expect([name, command, code, err]).toEqual([name, command, 0, ""]);
      }
    }
  });
});
