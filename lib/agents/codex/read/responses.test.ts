import { describe, expect, it } from "vitest";
import { contextOf } from "@/lib/core/transcript/totals";
import { readTranscript } from "@/verify/support/read";
import { codexReader } from "./reader";

const RECORDS: Readonly<Record<string, readonly [type: string, payload: object]>> = {
  typed: ["response_item", message("user", "input_text")],
  text: ["response_item", message("assistant", "output_text")],
  call: ["response_item", { type: "function_call", name: "ls", arguments: "{}", call_id: "call_a" }],
  output: ["response_item", { type: "function_call_output", call_id: "call_a", output: "blue" }],
  context: ["response_item", { ...message("developer", "input_text") }],
  aborted: ["event_msg", { type: "turn_aborted", reason: "interrupted" }],
};

function message(role: string, type: string): object {
  return { type: "message", role, content: [{ type, text: "blue" }] };
}

/** A rollout written as words; a number is a count of that input, and the same number again is a repeated count. */
function rollout(words: string, version?: string): string {
  let total = 0;
  let last = 0;
  const usage = (tokens: number) => ({ input_tokens: tokens, output_tokens: 5, total_tokens: tokens + 5 });
  const records = words.split(" ").map((word): readonly [string, object] => {
    const input = Number(word);
    if (Number.isNaN(input)) return RECORDS[word] ?? ["unknown", {}];
    if (input !== last) total += input;
    last = input;
    const info = { total_token_usage: usage(total), last_token_usage: usage(input), model_context_window: 258_400 };
    return ["event_msg", { type: "token_count", info }];
  });
  const header = ["session_meta", { id: "a", ...(version === undefined ? {} : { cli_version: version }) }] as const;
  return [header, ...records].map(([type, payload]) => JSON.stringify({ type, payload })).join("\n");
}

/** Every response: its context (0 without usage), then its items and the following ones, by their first letters. */
function responses(words: string, version?: string): string {
  const { requests, messages } = readTranscript(new TextEncoder().encode(rollout(words, version)), codexReader);
  return requests
    .map((point, index) => {
      const items = messages.slice(point.message, requests[index + 1]?.message);
      return [contextOf(point), ...items.map(({ origin, blocks }) => letterOf(origin, blocks[0]?.kind))].join("");
    })
    .join(" ");
}

function letterOf(origin: string, kind: string | undefined): string {
  return origin === "response" ? (kind === "tool_call" ? "c" : "t") : origin === "tool" ? "o" : "-";
}

describe("the response of a token count", () => {
  it.each([
    [
      "when its count comes before its items, as in 0.58",
      "typed 10 call output 10 20 text call output 20 30 text typed 40 text",
      "10co 20tco 30t- 40t",
    ],
    ["when outputs are between its calls", "typed 10 text call output call output 10 20 text", "10tcoco 20t"],
    [
      "when its count is between its calls and their outputs",
      "typed text call 10 output 10 text call 20 output 20 text 30",
      "10tco 20tco 30t",
    ],
    ["when its count comes after the outputs", "typed text call output 10 call output 20 text 30", "10tco 20co 30t"],
  ])("is found %s", (_where, words, expected) => {
    expect(responses(words)).toBe(expected);
  });

  it("may have no items if other responses come before their counts", () => {
    expect(responses("typed text 10 20 text 30")).toBe("10t 20 30t");
    expect(responses("typed 10 text 20 output call 30 output")).toBe("10 20to 30co");
    expect(responses("10 output text call 20 output 20 text 30")).toBe("10o 20tco 30t");
  });

  it("may have no items if other responses come after their counts", () => {
    expect(responses("typed 10 call output 20 30 text")).toBe("10co 20 30t");
    expect(responses("typed 10 call output context 20 aborted text typed 30 text")).toBe("10co- 20 0t- 30t");
  });

  it("has its items before its count in every file of 0.104 and later", () => {
    const words = "typed 10 call output 20 call output 30";
    expect(responses(words, "0.103.0")).toBe("10co 20co 30");
    expect(responses(words, "0.104.0")).toBe("10 20co 30co");
  });

  it("ends with an interruption", () => {
    expect(responses("typed 10 call output 20 call aborted text")).toBe("10co 20c 0t");
  });
});

/** A rollout of two responses followed by the given usage records; every record is a second later than the one before. */
function recorded(...responses: readonly (readonly object[])[]): Uint8Array {
  const lines: object[] = [
    { type: "session_meta", payload: { id: "a", cli_version: "0.153.3" } },
    { type: "turn_context", payload: { model: "gpt-5.6-terra" } },
  ];
  for (const usages of responses) {
    lines.push({ type: "response_item", payload: message("user", "input_text") });
    lines.push({ type: "response_item", payload: message("assistant", "output_text") }, ...usages);
  }
  const stamped = lines.map((line, index) =>
    JSON.stringify({ timestamp: new Date(Date.UTC(2026, 8, 17) + index * 1000).toISOString(), ...line }),
  );
  return new TextEncoder().encode(stamped.join("\n"));
}

const usageOf = (input: number) => ({
  input_tokens: input,
  cached_input_tokens: 0,
  output_tokens: 5,
  total_tokens: input + 5,
});

function usageRecord(input: number, total: number, rest: object = {}): object {
  const payload = { response_id: `resp_${total}`, usage: usageOf(input), thread_token_usage: usageOf(total), ...rest };
  return { type: "token_usage_record", payload };
}

function count(input: number, total: number, rest: object = {}): object {
  const info = { total_token_usage: usageOf(total), last_token_usage: usageOf(input), model_context_window: 258_400 };
  return { type: "event_msg", payload: { type: "token_count", info, ...rest } };
}

const settings = (tier: unknown): object => ({
  type: "event_msg",
  payload: { type: "thread_settings_applied", thread_settings: { service_tier: tier } },
});

describe("a response named by a compaction record", () => {
  const compacted = (id: string) => ({
    type: "compacted",
    payload: { message: "", replacement_history: [], compaction_response_id: id },
  });
  const after = [usageRecord(10, 10), count(10, 10)];
  const read = (...between: readonly object[]) => {
    const { requests, extraRequests } = readTranscript(
      recorded([...after, ...between], [usageRecord(30, 90)]),
      codexReader,
    );
    const calls = extraRequests.map(({ kind, boundary, usage }) => [kind, boundary, usage?.input, usage?.output]);
    return { inputs: requests.map(({ usage }) => usage?.input), calls };
  };
  const expected = { inputs: [10, 30], calls: [["compaction", 0, 50, 5]] };

  it.each([
    ["comes right before it", [usageRecord(50, 60), compacted("resp_60")]],
    ["follows its count", [count(50, 60), usageRecord(50, 60), compacted("resp_60")]],
    ["precedes its count", [usageRecord(50, 60), count(50, 60), compacted("resp_60")]],
    ["has its count after the compaction", [usageRecord(50, 60), compacted("resp_60"), count(50, 60)]],
  ])("is the compaction's own call, not a request, if it %s", (_where, between) => {
    expect(read(...between)).toEqual(expected);
  });

  it("stays a request if the record names another response, or none", () => {
    const kept = { inputs: [10, 50, 30], calls: [] };
    expect(read(usageRecord(50, 60), compacted("resp_9"))).toEqual(kept);
    expect(read(usageRecord(50, 60), { type: "compacted", payload: { message: "", replacement_history: [] } })).toEqual(
      kept,
    );
  });

  it("stays a request if a message is between it and the compaction", () => {
    const typed = { type: "response_item", payload: message("user", "input_text") };
    expect(read(usageRecord(50, 60), typed, compacted("resp_60"))).toEqual({ inputs: [10, 50, 30], calls: [] });
  });

  it("stays a request if the response has items in the history", () => {
    expect(read(compacted("resp_10"))).toEqual({ inputs: [10, 30], calls: [] });
  });
});

describe("usage stated in two kinds of records", () => {
  const read = (...responses: readonly (readonly object[])[]) => readTranscript(recorded(...responses), codexReader);
  const inputs = (...responses: readonly (readonly object[])[]) =>
    read(...responses).requests.map(({ usage }) => usage?.input);

  it.each([
    ["only records", [[usageRecord(10, 10)], [usageRecord(20, 30)]]],
    [
      "the record before its count",
      [
        [usageRecord(10, 10), count(10, 10)],
        [usageRecord(20, 30), count(20, 30)],
      ],
    ],
    [
      "the count before its record",
      [
        [count(10, 10), usageRecord(10, 10)],
        [count(20, 30), usageRecord(20, 30)],
      ],
    ],
    [
      "other running totals",
      [
        [usageRecord(10, 510), count(10, 10)],
        [usageRecord(20, 530), count(20, 30)],
      ],
    ],
    [
      "repeated records and counts",
      [
        [usageRecord(10, 10), count(10, 10), usageRecord(10, 10), count(10, 10)],
        [count(20, 30), count(20, 30), usageRecord(20, 30)],
      ],
    ],
    ["one kind each", [[usageRecord(10, 10)], [count(20, 30)]]],
  ])("counts once with %s", (_case, responses) => {
    expect(inputs(...responses)).toEqual([10, 20]);
  });

  it("counts separately for distinct responses of the same size", () => {
    expect(inputs([usageRecord(10, 10), count(10, 10)], [usageRecord(10, 20), count(10, 20)])).toEqual([10, 10]);
    expect(inputs([usageRecord(10, 10)], [usageRecord(10, 20)])).toEqual([10, 10]);
    const later = [settings(null), settings(null), settings(null), settings(null)];
    expect(inputs([usageRecord(10, 10), ...later], [count(10, 20)])).toEqual([10, 10]);
  });

  it("causes no problem reports", () => {
    expect(read([usageRecord(10, 10), count(10, 10), settings("priority")]).problems).toEqual([]);
  });

  it("without an input is reported as a problem", () => {
    const damaged = { type: "token_usage_record", payload: { usage: { input_tokens: "many" }, response_id: {} } };
    expect(read([damaged]).problems.map(({ detail }) => detail)).toContain("token_usage_record");
  });

  it("has the service tier of its record, else of the thread's settings", () => {
    const tiers = (...responses: readonly (readonly object[])[]) =>
      read(...responses).requests.map(({ terms }) => terms?.serviceTier);
    const priority = { service_tier: "priority" };
    expect(tiers([usageRecord(10, 10, priority)], [usageRecord(20, 30)])).toEqual(["priority", undefined]);
    expect(tiers([count(10, 10, priority)], [count(20, 30, { service_tier: "default" })])).toEqual([
      "priority",
      undefined,
    ]);
    expect(tiers([usageRecord(10, 10), count(10, 10, priority)])).toEqual(["priority"]);
    expect(tiers([count(10, 10), usageRecord(10, 10, priority)])).toEqual(["priority"]);
    expect(
      tiers([count(10, 10), settings("priority")], [count(20, 30)], [count(30, 60), settings(null)], [count(40, 100)]),
    ).toEqual([undefined, "priority", "priority", undefined]);
    expect(tiers([settings("priority")], [usageRecord(10, 10, { service_tier: "flex" })])[1]).toBe("flex");
  });
});
