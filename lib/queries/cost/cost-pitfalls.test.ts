import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { type DrawnRequest, drawRequests } from "@/lib/core/testing/draw-requests";
import type { Cost } from "@/lib/queries/contract/types";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { put, temporaryFolder } from "@/lib/server/testing/files";
import { summarise } from "../boundaries/summarise";
import { toCost } from "./cost";

/** Cost errors of other tools, one test each, with the reported amounts if there are any. */

const folder = temporaryFolder();
const MILLION = 1_000_000;

function drawn(requests: readonly DrawnRequest[], start?: string): Cost {
  const columns = drawRequests(requests, start === undefined ? undefined : Date.parse(start));
  const nobody = { agent: null, agentVersion: null, formatVersion: null, endedAt: null, compactions: [] };
  return toCost({ ...nobody, file: "drawn", sessionId: null }, columns, LISTED_PRICES);
}

/** The total of one request. */
function total(request: DrawnRequest, start?: string): number | null {
  return drawn([request], start).costUsd.total;
}

interface Line {
  readonly message: string;
  readonly usage: object;
  readonly request?: string;
  /** Of a subagent. */
  readonly agent?: string;
}

/** A Claude Code file with these response records in order. */
function claudeCode(name: string, lines: readonly Line[]): Cost {
  const shared = { sessionId: "s-1", version: "2.1.37", cwd: "/a", isSidechain: false };
  const user = { ...shared, type: "user", uuid: "u0", parentUuid: null, message: { role: "user", content: "Begin." } };
  const records = lines.map(({ message: id, usage, request = `r-${id}`, agent }, index) => ({
    ...shared,
    type: "assistant",
    uuid: `a${index}`,
    parentUuid: index === 0 ? "u0" : `a${index - 1}`,
    requestId: request,
    ...(agent === undefined ? {} : { isSidechain: true, agentId: agent }),
    timestamp: new Date(Date.parse("2026-02-01T09:00:00Z") + index * 1000).toISOString(),
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "claude-opus-4-5",
      content: [{ type: "text", text: `Part ${index}.` }],
      usage,
    },
  }));
  const path = put(folder, name, [user, ...records].map((record) => JSON.stringify(record)).join("\n"));
  const { transcript } = readTranscript(path);
  return toCost(summarise(transcript, basename(path)), columnsFromTranscript(transcript), LISTED_PRICES);
}

const usage = (read: number, write: number, output = 10) => ({
  input_tokens: 3,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write,
  output_tokens: output,
});

describe("counted requests", () => {
  it("1: a response on several lines counts once: summing lines gives 2.00 times as much", () => {
    const once = claudeCode("once.jsonl", [
      { message: "m1", usage: usage(0, 20_000) },
      { message: "m2", usage: usage(20_000, 500) },
    ]);
    const twice = claudeCode("twice.jsonl", [
      { message: "m1", usage: usage(0, 20_000) },
      { message: "m1", usage: usage(0, 20_000) },
      { message: "m2", usage: usage(20_000, 500) },
      { message: "m2", usage: usage(20_000, 500) },
    ]);
    expect([twice.requests, twice.costUsd]).toEqual([2, once.costUsd]);
  });

  it("2: the last snapshot of a subagent's response counts: a sum of both adds 62, 75 and 69 %", () => {
    const snapshots = [
      { message: "m1", usage: usage(69, 75), agent: "b1" },
      { message: "m1", usage: usage(100, 100, 40), agent: "b1" },
    ];
    const { sidechains, requests } = claudeCode("snapshots.jsonl", [
      { message: "m0", usage: usage(0, 10) },
      ...snapshots,
    ]);
    expect([requests, sidechains?.requests]).toEqual([1, 1]);
    expect(sidechains?.costUsd).toMatchObject({ read: 0.00005, write: 0.000625, output: 0.001 });
  });

  it("4: requests of subagents are listed beside the session's", () => {
    const { costUsd, sidechains } = claudeCode("subagent.jsonl", [
      { message: "m1", usage: usage(0, 8000) },
      { message: "m2", usage: usage(0, 4000), agent: "b1" },
    ]);
    expect([costUsd.write, sidechains?.costUsd.write]).toEqual([0.05, 0.025]);
  });

  it("5: a copy of a response under another request's id counts once, with the parent", () => {
    const copies = (agent: string) => [
      { message: "m1", usage: usage(0, 8000) },
      { message: "m1", request: "r-copy", usage: usage(0, 8000), agent },
      { message: "m2", usage: usage(8000, 800), agent },
    ];
    const { requests, costUsd, sidechains } = claudeCode("copies.jsonl", copies("b1"));
    expect([requests, costUsd.write]).toEqual([1, 0.05]);
    expect(sidechains).toMatchObject({ requests: 1, costUsd: { write: 0.005 } });
    const call = claudeCode("call.jsonl", copies("acompact-1"));
    expect([call.requests, call.costUsd.write, call.sidechains]).toEqual([1, 0.055, null]);
    expect(call.bill).toMatchObject({ own: { requests: 1 }, compactions: { requests: 1 }, subagents: null });
  });

  it("9: cache writes are not charged again as input", () => {
    expect(drawn([{ model: "gpt-5.6-terra", plain: 10_000, write: 30_000, read: 60_000 }]).costUsd).toMatchObject({
      plain: 0.02,
      write: 0.075,
      read: 0.012,
      total: 0.107,
    });
  });

  it("15: the file's own cost is shown beside ours, in no sum", () => {
    const { ownCost, costUsd } = drawn([{ plain: MILLION, usage: { ownCost: 4.2 } }]);
    expect([ownCost?.own, ownCost?.ours, costUsd.total]).toEqual([4.2, 5, 5]);
  });
});

describe("prices", () => {
  it("3: writes for an hour cost twice the input: $16.31, not the $12.31 of the five minutes' price", () => {
    const tokens = { read: 11_286_660, long: 1_066_667 };
    expect(total(tokens)).toBeCloseTo(16.31, 5);
    expect(total({ read: tokens.read, write: tokens.long })).toBeCloseTo(12.31, 5);
  });

  it("6, 7: a tier covers the whole request, and ends on its last day: $0.4025, then $0.2075", () => {
    const long = { model: "claude-opus-4-6", read: 240_000, write: 10_000, output: 1000 };
    expect(total(long, "2026-02-20T12:00:00Z")).toBe(0.4025);
    expect(total(long, "2026-03-12T23:59:00Z")).toBe(0.4025);
    expect(total(long, "2026-03-13T00:00:00Z")).toBe(0.2075);
    expect(total(long, "2026-04-20T12:00:00Z")).toBe(0.2075);
    // Each part alone would stay below the limit.
    expect(total({ model: "gpt-5.4", read: 200_000, plain: 100_000 })).toBe(0.1 + 0.5);
  });

  it("8: a one-hour write of Claude 3 costs twice its input, not 12 times or a fifth of that", () => {
    expect(total({ model: "claude-3-haiku-20240307", long: MILLION })).toBe(0.5);
    expect(total({ model: "claude-3-opus-20240229", long: MILLION })).toBe(30);
  });

  it("10: cache prices are not guessed: no write fee before GPT-5.6, reads at a twentieth if listed", () => {
    expect(total({ model: "gpt-5", write: MILLION })).toBe(1.25);
    expect(total({ model: "claude-opus-5-5", read: MILLION })).toBe(0.2);
    expect(total({ model: "claude-fable-5-1", read: MILLION })).toBe(0.25);
    expect(total({ model: "gpt-4o", read: MILLION })).toBe(1.25);
  });

  it("11: an unknown model has no price, neither 0 nor its neighbour's", () => {
    expect(total({ model: "claude-opus-99", plain: MILLION })).toBeNull();
    expect(total({ model: "gpt-5.99-codex", plain: MILLION })).toBeNull();
    // Cache reads at half the price of Sonnet 5.
    expect(total({ model: "claude-sonnet-5-5", read: MILLION })).toBe(0.1);
    expect(total({ model: "claude-sonnet-5", read: MILLION })).toBe(0.2);
  });

  it("12: a provider's new prefix of a model name changes nothing", () => {
    const [glm] = ["glm-4.6", "zhipuai/glm-4.6", "zai/glm-4.6"].map((model) => total({ model, plain: MILLION }));
    expect(glm).toBe(0.6);
    expect(total({ model: "zhipuai/glm-4.6", plain: MILLION })).toBe(glm);
    expect(total({ model: "zai/glm-4.6", plain: MILLION })).toBe(glm);
  });

  it("13: a price is a list price, with its source and day", () => {
    const { prices } = drawn([{ plain: 5 }]);
    expect(prices).toEqual([
      {
        model: "claude-opus-4-5",
        source: expect.stringMatching(/./),
        seen: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    ]);
  });

  it("14: another effort, model or speed sends everything uncached, and is named as the cause", () => {
    const first: DrawnRequest = { model: "claude-opus-5", write: 100_000, terms: { effort: "high" } };
    const next: DrawnRequest = { model: "claude-opus-5", write: 100_500, terms: { effort: "high" } };
    const changed: readonly DrawnRequest[] = [
      { ...next, terms: { effort: "low" } },
      { ...next, model: "claude-sonnet-5" },
      { ...next, terms: { effort: "high", speed: "fast" } },
    ];
    for (const one of changed)
      expect(drawn([first, one]).breaksByCause?.model).toMatchObject({ count: 1, tokens: 100_000 });
    expect(drawn([first, next]).breaksByCause?.model).toBeUndefined();
  });
});
