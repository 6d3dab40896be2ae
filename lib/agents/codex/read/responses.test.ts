import { describe, expect, it } from "vitest";
import { contextOf } from "@/lib/core/transcript/totals";
import { readTranscript } from "../../testing/read";
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

/** A rollout drawn as words; a number is a count of that input, and the same number again is a repeated count. */
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

/** Every response: its context (0 without usage), then its items and what follows them, by their first letters. */
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

describe("the response that a count pays for", () => {
  it.each([
    [
      "before its items, as in 0.58",
      "typed 10 call output 10 20 text call output 20 30 text typed 40 text",
      "10co 20tco 30t- 40t",
    ],
    ["with the outputs between its calls", "typed 10 text call output call output 10 20 text", "10tcoco 20t"],
    [
      "between its calls and their outputs",
      "typed text call 10 output 10 text call 20 output 20 text 30",
      "10tco 20tco 30t",
    ],
    ["behind the outputs", "typed text call output 10 call output 20 text 30", "10tco 20co 30t"],
  ])("stands %s", (_where, words, drawn) => {
    expect(responses(words)).toBe(drawn);
  });

  it("may have no items at all where the others come before their counts", () => {
    expect(responses("typed text 10 20 text 30")).toBe("10t 20 30t");
    expect(responses("typed 10 text 20 output call 30 output")).toBe("10 20to 30co");
    expect(responses("10 output text call 20 output 20 text 30")).toBe("10o 20tco 30t");
  });

  it("may have no items where the others come after their counts", () => {
    expect(responses("typed 10 call output 20 30 text")).toBe("10co 20 30t");
    expect(responses("typed 10 call output context 20 aborted text typed 30 text")).toBe("10co- 20 0t- 30t");
  });

  it("comes after its items in every file of 0.104 and later", () => {
    const words = "typed 10 call output 20 call output 30";
    expect(responses(words, "0.103.0")).toBe("10co 20co 30");
    expect(responses(words, "0.104.0")).toBe("10 20co 30co");
  });

  it("ends with an interruption", () => {
    expect(responses("typed 10 call output 20 call aborted text")).toBe("10co 20c 0t");
  });
});
