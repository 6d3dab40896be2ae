import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { hasPartialOutput } from "@/lib/core/cost/bill";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawRequests } from "@/lib/core/testing/draw-requests";
import type { Cost } from "@/lib/queries/contract/types";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { put, temporaryFolder } from "@/lib/server/testing/files";
import { summarise } from "../boundaries/summarise";
import { costOfSummary, toCost } from "./cost";
import { ReplayCosts } from "./simulated-cost";

/** Cases that other tools get wrong, from the file to the amount; docs/prices.md has the rule for each. */
const folder = temporaryFolder();

/** A session without an agent. */
const DRAWN = {
  file: "drawn",
  sessionId: null,
  agent: null,
  agentVersion: null,
  formatVersion: null,
  endedAt: null,
  compactions: [],
};

const NO_AGENT = { agent: null, links: { agentId: null, parents: [], subagents: [] } };

function costOf(path: string): Cost {
  const { transcript } = readTranscript(path);
  return toCost(summarise(transcript, basename(path)), columnsFromTranscript(transcript), LISTED_PRICES);
}

function fixture(agent: string, name: string): string {
  return join(process.cwd(), "lib", "agents", agent, "fixtures", name);
}

describe("a response on several lines", () => {
  it("counts once, by its last record", () => {
    const lines = readFileSync(fixture("claude-code", "one-response-many-lines.jsonl"), "utf8").split("\n");
    const usages = lines.filter((line) => line.includes("output_tokens")).length;
    const { requests } = costOf(fixture("claude-code", "one-response-many-lines.jsonl"));
    expect(requests).toBeLessThan(usages);
    // Streamed: 1, then 40 tokens of the subagent's response.
    const { sidechains } = costOf(fixture("claude-code", "sidechain-copies.jsonl"));
    expect(sidechains?.costUsd.output).toBeCloseTo((40 + 10) * 25e-6, 9);
  });
});

/** Lines of a Claude Code response, each with the output that the stream had counted until then. */
function streamed(id: string, parent: string, outputs: readonly number[], stopReason: string | null) {
  const common = { isSidechain: false, sessionId: "s-1", version: "2.1.180", cwd: "/home/ada/shop" };
  const time = "2026-02-21T09:00:05.000Z";
  const prompt = { type: "user", uuid: `${id}-u`, parentUuid: parent, message: { role: "user", content: "Read a." } };
  const lines = outputs.map((output, at) => ({
    type: "assistant",
    uuid: `${id}-${at}`,
    parentUuid: at === 0 ? `${id}-u` : `${id}-${at - 1}`,
    message: {
      ...{ id, type: "message", role: "assistant", model: "claude-sonnet-4-5-20250929" },
      content: [{ type: "text", text: `Part ${at} of what it says.` }],
      stop_reason: at === outputs.length - 1 ? stopReason : null,
      usage: { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 5000, output_tokens: output },
    },
  }));
  return [prompt, ...lines].map((record) => JSON.stringify({ ...common, timestamp: time, ...record }));
}

describe("a cost with streamed outputs", () => {
  const cost = (name: string, lines: readonly string[]) => {
    const path = put(folder, name, lines.join("\n"));
    const { transcript } = readTranscript(path);
    const columns = columnsFromTranscript(transcript);
    const session = summarise(transcript, basename(path));
    const sums = costOfSummary(session, columns, LISTED_PRICES).costUsd;
    const replayed = new ReplayCosts({ columns }, LISTED_PRICES).ofRecording();
    return { columns, output: sums.output, bounds: [toCost(session, columns, LISTED_PRICES).costUsd, sums, replayed] };
  };

  it("is not a lower bound if the last row of each response states the final output", () => {
    const lines = [
      ...streamed("msg_1", "", [1, 1, 210], "tool_use"),
      ...streamed("msg_2", "msg_1-2", [1, 520], "end_turn"),
    ];
    const { output, bounds } = cost("final.jsonl", lines);
    expect(output).toBeCloseTo(730 * 15e-6, 9);
    expect(bounds.map((one) => one?.lowerBound)).toEqual([false, false, false]);
  });

  it("is a lower bound if a response lacks its final output", () => {
    const lines = [...streamed("msg_1", "", [1, 210], "tool_use"), ...streamed("msg_2", "msg_1-1", [1, 1], null)];
    const { columns, bounds } = cost("beginning.jsonl", lines);
    expect(bounds.map((one) => one?.lowerBound)).toEqual([true, true, true]);
    expect([0, 1].map((request) => hasPartialOutput(columns, request))).toEqual([false, true]);
  });
});

describe("subagents in the session's file", () => {
  it("are counted separately, and their copies of other responses count once", () => {
    const { requests, costUsd, sidechains } = costOf(fixture("claude-code", "sidechain-copies.jsonl"));
    expect(requests).toBe(2);
    expect(costUsd.read).toBeCloseTo(19_000 * 0.5e-6, 9);
    expect(sidechains).toMatchObject({ requests: 2, costUsd: { lowerBound: true } });
    expect(sidechains?.costUsd.read).toBeCloseTo(8500 * 0.5e-6, 9);
  });
});

describe("terms of requests", () => {
  it("change the price: one-hour writes, speed and region, a batch; searches are counted separately", () => {
    const { costUsd, webSearches, undividedWrites, breaksByCause } = costOf(
      fixture("claude-code", "terms-of-requests.jsonl"),
    );
    // Opus 5: 300 and 1,200; 200 at twice the price and a tenth more; 100 at half; 100 and 100 undivided; 11,000.
    const write = 300 * 6.25 + 1200 * 10 + 200 * 10 * 2.2 + (100 * 6.25) / 2 + 200 * 6.25 + 11_000 * 6.25;
    expect(costUsd.write).toBeCloseTo(write * 1e-6, 5);
    expect(webSearches).toEqual({ count: 2, usd: 0.02 });
    expect(undividedWrites).toBe(2);
    expect(breaksByCause?.recorded).toMatchObject({ count: 1, tokens: 11_000 });
  });
});

describe("Codex's service tiers", () => {
  const usage = { input_tokens: 100_000, cached_input_tokens: 80_000, output_tokens: 1000, total_tokens: 101_000 };
  const count = (tier: object) => ({
    type: "event_msg",
    payload: { type: "token_count", info: { total_token_usage: usage, last_token_usage: usage }, ...tier },
  });
  const record = (tier: object) => ({ type: "token_usage_record", payload: { response_id: "r", usage, ...tier } });
  const priority = { service_tier: "priority" };
  const settings = { type: "event_msg", payload: { type: "thread_settings_applied", thread_settings: priority } };
  const costWith = (model: string, ...lines: readonly object[]) => {
    const head = [
      { type: "session_meta", payload: { id: "tiers", cli_version: "0.153.3" } },
      { type: "turn_context", payload: { model } },
    ];
    const stamped = [...head, ...lines].map((line) =>
      JSON.stringify({ timestamp: "2026-09-10T08:00:00.000Z", ...line }),
    );
    return costOf(put(folder, "tiers.jsonl", stamped.join("\n")));
  };

  it.each([
    ["default", 0.068, [record({ service_tier: "default" }), count({ service_tier: "default" })]],
    ["a priority record and count", 0.136, [record(priority), count(priority)]],
    ["a priority count", 0.136, [count(priority)]],
    ["priority settings", 0.136, [settings, record({}), count({})]],
    ["a flex record", 0.034, [record({ service_tier: "flex" })]],
  ])("apply to the price once: %s", (_case, dollars, lines) => {
    const { requests, costUsd, unpricedTerms } = costWith("gpt-5.6-terra", ...lines);
    expect({ requests, total: costUsd.total }).toEqual({ requests: 1, total: dollars });
    expect(unpricedTerms).toEqual([]);
  });

  it("are reported if the model has no price for them", () => {
    const { costUsd, unpricedTerms } = costWith("gpt-5.2-codex", record(priority));
    expect(costUsd.total).toBeNull();
    expect(unpricedTerms).toEqual([{ model: "gpt-5.2-codex", terms: "priority" }]);
  });
});

describe("OpenAI's counts", () => {
  it("include cached and written tokens in the input, which are charged once", () => {
    const count = (input: number, cached: number, written: number, output: number) => ({
      input_tokens: input,
      cached_input_tokens: cached,
      cache_write_input_tokens: written,
      output_tokens: output,
      total_tokens: input + output,
    });
    const line = (second: number, type: string, payload: object) =>
      JSON.stringify({ timestamp: `2026-09-01T09:00:0${second}.000Z`, type, payload });
    const info = (usage: object) => ({
      type: "token_count",
      info: { total_token_usage: usage, last_token_usage: usage },
    });
    const path = put(
      folder,
      "written.jsonl",
      [
        line(0, "session_meta", { id: "s-1", cwd: "/a", cli_version: "0.140.0" }),
        line(1, "turn_context", { cwd: "/a", model: "gpt-5.6-terra" }),
        line(2, "response_item", { type: "message", role: "user", content: [{ type: "input_text", text: "One." }] }),
        line(3, "response_item", {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Two." }],
        }),
        line(4, "event_msg", info(count(100_000, 60_000, 30_000, 1000))),
      ].join("\n"),
    );
    const { costUsd } = costOf(path);
    expect(costUsd).toMatchObject({ read: 0.012, write: 0.075, plain: 0.02, output: 0.012, lowerBound: false });
  });
});

describe("the file's own cost", () => {
  const cost = (requests: Parameters<typeof drawRequests>[0]) => toCost(DRAWN, drawRequests(requests), LISTED_PRICES);

  it("is returned separately, and not included in any sum", () => {
    const { ownCost, costUsd } = cost([{ plain: 1_000_000, usage: { ownCost: 7 } }, { plain: 1_000_000 }]);
    expect(ownCost).toEqual({ requests: 1, own: 7, ours: 5, reasoningTwice: false });
    expect(costUsd.total).toBe(10);
    expect(cost([{ plain: 5 }]).ownCost).toBeNull();
  });

  it("is reported if it includes reasoning twice", () => {
    const request = { model: "gpt-5", plain: 1_000_000, output: 200_000 };
    const usage = { reasoning: 100_000, ownCost: 1.25 + 2 + 1 };
    expect(cost([{ ...request, usage }]).ownCost).toMatchObject({ own: 4.25, ours: 3.25, reasoningTwice: true });
  });

  it("does not replace a missing price", () => {
    expect(cost([{ model: "coder-model", plain: 5, usage: { ownCost: 0 } }]).ownCost).toMatchObject({
      own: 0,
      ours: null,
    });
  });
});

describe("unknown amounts", () => {
  it("are null, in the session list too", () => {
    const columns = drawRequests([{ model: "coder-model", plain: 5 }]);
    expect(costOfSummary(NO_AGENT, columns, LISTED_PRICES).costUsd).toEqual({
      unpricedModels: ["coder-model"],
      read: null,
      write: null,
      plain: null,
      output: null,
      total: null,
      input: null,
      lowerBound: null,
    });
  });

  it("leave cache writes out of the parts and the total if the file states none", () => {
    const { costUsd, byModel } = costOf(fixture("gemini-cli", "document.json"));
    expect(costUsd.write).toBeNull();
    expect(Object.values(byModel).every(({ write }) => write === null)).toBe(true);
  });
});

describe("cost of a compaction", () => {
  it("uses the recorded usage of the summary call, which counts once and outside the context", () => {
    const pi = costOf(fixture("pi", "compactions.jsonl"));
    expect(pi.bill.compactions).toMatchObject({ requests: 1, usage: { input: 900, output: 9 } });
    // 900 and 9 tokens at 3 and 15 dollars a million.
    expect(pi.boundaries[1]).toMatchObject({ callIsRecorded: true, callUsd: 0.002835 });
    expect(pi.boundaries[0]).toMatchObject({ callIsRecorded: false });
    const { bill, requests, costUsd, boundaries } = costOf(fixture("opencode", "compacted.json"));
    expect([requests, bill.own?.requests, bill.compactions?.requests]).toEqual([5, 5, 2]);
    const all = (bill.own?.costUsd.total ?? 0) + (bill.compactions?.costUsd.total ?? 0);
    expect(costUsd.total).toBeCloseTo(all, 9);
    expect(boundaries.map(({ callIsRecorded }) => callIsRecorded)).toEqual([true, true, false]);
  });

  const drawn = [
    { read: 100_000, write: 60_000 },
    { behind: "compaction" as const, read: 20_000, write: 30_000 },
  ];
  const compaction = { line: 1, trigger: "auto" as const, tokensBefore: null, tokensAfter: null, summaryLine: null };
  const cost = (agent: string | null, summaryTokens: number | null) =>
    toCost({ ...DRAWN, agent, compactions: [{ ...compaction, summaryTokens }] }, drawRequests(drawn), LISTED_PRICES);

  it("depends on the agent's kind of summary call", () => {
    expect(cost("claude-code", 2000).boundaries).toEqual([
      {
        request: 1,
        rewritingUsd: 0.1725,
        callUsd: 0.13,
        callIsRecorded: false,
        usd: 0.3025,
        neverPays: false,
        breakEven: expect.closeTo(5.5, 9),
      },
    ]);
    expect(cost("pi", 2000).boundaries[0]?.callUsd).toBe(0.85);
    expect(cost("claude-code", null).boundaries[0]).toMatchObject({ callUsd: null, usd: null, breakEven: null });
    expect(cost(null, 2000).boundaries[0]).toMatchObject({ rewritingUsd: 0.1725, callUsd: null });
  });

  it("is assumed for hypothetical compactions", () => {
    const { assumed } = cost("claude-code", 2000).whatIf.beforeBreaks ?? {};
    expect(assumed).toEqual({
      left: 50_000,
      leftIsRecorded: true,
      summary: 2000,
      summaryIsRecorded: true,
      sharesPrefix: true,
    });
    const plain = toCost(DRAWN, drawRequests([{ plain: 10_000 }]), LISTED_PRICES);
    expect(plain.whatIf.beforeBreaks?.assumed).toEqual({
      left: 31_500,
      leftIsRecorded: false,
      summary: 1500,
      summaryIsRecorded: false,
      sharesPrefix: false,
    });
  });
});

describe("the most expensive requests", () => {
  it("name the largest new item", () => {
    const { dearest: mostExpensive } = costOf(fixture("claude-code", "terms-of-requests.jsonl"));
    expect(mostExpensive).toHaveLength(3);
    for (const { usd, parts } of mostExpensive) {
      expect(parts.read + parts.again + parts.fresh + parts.output).toBeCloseTo(usd, 9);
    }
  });

  it("exclude the requests that a fork inherits", () => {
    const columns = drawRequests([{ plain: 900 }, { plain: 800 }, { plain: 70 }, { plain: 60 }]);
    columns.requests.inherited.fill(1, 0, 2);
    const { dearest: mostExpensive } = toCost(DRAWN, columns, LISTED_PRICES);
    expect(mostExpensive.map(({ request }) => request)).toEqual([2, 3]);
  });

  it("are absent if no request has a price", () => {
    expect(toCost(DRAWN, drawRequests([{ model: "coder-model", plain: 5 }]), LISTED_PRICES)).toMatchObject({
      dearest: [],
      whatIf: { beforeBreaks: null, lifetimes: null },
    });
  });
});
