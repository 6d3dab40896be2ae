import { describe, expect, it } from "vitest";
import { filterCompacted, prunedParts, recordedTokens } from "@/verify/agents/opencode/conformance";
import { contextPanel } from "@/verify/agents/opencode/context-panel";
import { isOverflow, isOverflowOf2025 } from "@/verify/agents/opencode/overflow";
import { randomNumbers } from "@/verify/support/random";
import { messageId } from "./messages/message";
import { textTokens } from "./messages/tokens";
import { usable } from "./policy/overflow";
import { tailStart } from "./policy/tail";
import { serializedMessage, truncatedToolOutput } from "./summary/summary-prompt";

describe("tailStart", () => {
  it("is the earliest start within the newest turns from which the messages fit", () => {
    const random = randomNumbers(5);
    for (let round = 0; round < 500; round++) {
      const sizes = Array.from({ length: random(16) }, () => random(60));
      const starts = sizes.map(() => random(3) === 0);
      const [turns, budget] = [1 + random(4), random(200)];
      const size = (from: number, to: number) => sizes.slice(from, to).reduce((sum, value) => sum + value, 0);
      // Sizes are additive here, so whole turns and a part of one are simply the longest end that fits.
      const first = starts.flatMap((begins, index) => (begins ? [index] : [])).slice(-turns)[0];
      const fitting = sizes.findIndex(
        (_, index) => first !== undefined && index >= first && size(index, sizes.length) <= budget,
      );
      const expected = fitting <= 0 ? undefined : fitting;
      expect(tailStart(starts, size, budget, { turns })).toBe(expected);
    }
  });

  it("is undefined if no turn may be kept", () => {
    expect(tailStart([true, true], () => 1, 100, { turns: 0 })).toBeUndefined();
    expect(tailStart([], () => 1, 100, {})).toBeUndefined();
  });
});

describe("prunedParts", () => {
  it("returns outputs older than two turns and beyond the protected sum", () => {
    const random = randomNumbers(3);
    for (let round = 0; round < 300; round++) {
      const messages = Array.from({ length: random(12) }, (_, message) => ({
        role: random(2) === 0 ? "user" : "assistant",
        summary: random(12) === 0,
        parts: Array.from({ length: random(4) }, (_, part) => ({
          id: `${message}.${part}`,
          tool: random(5) === 0 ? "skill" : "read",
          completed: random(6) !== 0,
          cleared: random(15) === 0,
          tokens: random(50),
        })),
      }));
      const users = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
      const limit = users.at(-2) ?? 0;
      const open = users.length < 2 ? [] : messages.slice(0, limit + 1);
      const stop = open.findLastIndex(({ role, summary }) => role === "assistant" && summary);
      const parts = open
        .slice(stop + 1)
        .flatMap((message) => message.parts)
        .filter((part) => part.completed && part.tool !== "skill");
      const eligible = parts.slice(parts.findLastIndex((part) => part.cleared) + 1);
      const newer = (index: number) => eligible.slice(index).reduce((sum, part) => sum + part.tokens, 0);
      const expected = eligible.filter((_, index) => newer(index) > 40).toReversed();
      const found = prunedParts(messages, 40, 20);
      expect(found.parts.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(found.applied).toBe(expected.reduce((sum, part) => sum + part.tokens, 0) > 20);
    }
  });
});

describe("overflow", () => {
  const tokens = { input: 100_000, output: 68_000, cacheRead: 0, cacheWrite: 0 };
  const limit = { context: 200_000, output: 64_000 };

  it("occurs at the limit, and in 2025 only above it", () => {
    expect(usable(limit, {})).toBe(168_000);
    expect(isOverflow(tokens, limit, {})).toBe(true);
    expect(isOverflow({ ...tokens, output: 67_999 }, limit, {})).toBe(false);
    expect(isOverflowOf2025(tokens, limit, {})).toBe(false);
    expect(isOverflowOf2025({ ...tokens, output: 68_001 }, limit, {})).toBe(true);
  });

  it("keeps a reserve only below an input limit", () => {
    expect(usable(limit, { reserved: 1 })).toBe(168_000);
    expect(usable({ ...limit, input: 272_000 }, {})).toBe(252_000);
    expect(usable({ ...limit, input: 272_000 }, { reserved: 0 })).toBe(272_000);
  });
});

it("the token rule rounds halves up", () => {
  expect([0, 1, 2, 3, 6, 10].map((chars) => textTokens("x".repeat(chars)))).toEqual([0, 0, 1, 1, 2, 3]);
});

it("usage values that are not numbers are recorded as 0", () => {
  const usage = { inputTokens: Number.NaN, outputTokens: -5, reasoningTokens: 3, cachedInputTokens: "many" };
  expect(recordedTokens(usage, {})).toMatchObject({ input: 0, output: 0, reasoning: 3, cache: { read: 0, write: 0 } });
  const metadata = { anthropic: { cacheCreationInputTokens: 30 } };
  expect(recordedTokens({ inputTokens: 100 }, metadata)).toMatchObject({ input: 70, cache: { write: 30 } });
});

describe("serializedMessage", () => {
  const tool = (state: unknown) => ({ info: { role: "assistant" }, parts: [{ type: "tool", tool: "bash", state }] });

  it("states the result of a call", () => {
    expect(serializedMessage(tool({ status: "error", input: {}, error: "no" }))).toContain("[Tool error]: no");
    expect(serializedMessage(tool({ status: "running", input: {} }))).toBe("[Assistant tool call]: bash({})");
    expect(serializedMessage(tool({ status: "pending", input: {}, raw: "" }))).toBe("[Assistant tool call]: bash({})");
  });

  it("writes a user message as one text, followed by its files", () => {
    const serialized = (...parts: readonly Record<string, unknown>[]) =>
      serializedMessage({ info: { role: "user" }, parts });
    const picture = { type: "file", mime: "image/png", filename: "a.png" };
    const texts = ["one", "", "two"].map((text) => ({ type: "text", text }));
    expect(serialized(...texts)).toBe("[User]: one\ntwo");
    expect(serialized(picture, ...texts)).toBe("[User]: one\ntwo\n[Attached image/png: a.png]");
    expect(serialized(picture, { type: "text", text: "gone", ignored: true })).toBe("[Attached image/png: a.png]");
  });

  it("omits compactions, and files in an answer", () => {
    expect(serializedMessage({ info: { role: "user" }, parts: [{ type: "compaction", auto: true }] })).toBe("");
    expect(serializedMessage({ info: { role: "assistant" }, parts: [{ type: "file", mime: "image/png" }] })).toBe("");
  });

  it("shows 'file' if a file has no name, and nothing if its name is empty", () => {
    const file = (filename: unknown) => ({
      info: { role: "user" },
      parts: [{ type: "file", mime: "image/png", filename }],
    });
    expect(serializedMessage(file(undefined))).toBe("[Attached image/png: file]");
    expect(serializedMessage(file(null))).toBe("[Attached image/png: file]");
    expect(serializedMessage(file(""))).toBe("[Attached image/png: ]");
  });

  it("names the files of a user message", () => {
    const parts = [{ type: "file", mime: "image/png", filename: "a.png" }, { type: "agent" }];
    expect(serializedMessage({ info: { role: "user" }, parts })).toBe("[Attached image/png: a.png]");
  });

  it("states the number of omitted characters", () => {
    expect(truncatedToolOutput("x".repeat(10), 4)).toBe(
      "xxxx\n[Tool output truncated for compaction: omitted 6 chars]",
    );
  });
});

describe("filterCompacted", () => {
  const user = (id: string, parts: readonly Record<string, unknown>[] = []) => ({ info: { id, role: "user" }, parts });
  const summary = (id: string, parentID: string, more = {}) => ({
    info: { id, parentID, role: "assistant", summary: true, finish: "stop", ...more },
    parts: [],
  });

  it("ignores a compaction that failed", () => {
    const messages = [user("1"), user("2", [{ type: "compaction" }]), summary("3", "2", { error: {} }), user("4")];
    expect(filterCompacted(messages).map(messageId)).toEqual(["1", "2", "3", "4"]);
  });

  it("keeps the messages between a compaction and its summary in place", () => {
    const compaction = user("3", [{ type: "compaction", tail_start_id: "2" }]);
    const messages = [user("1"), user("2"), compaction, user("4"), summary("5", "3"), user("6")];
    expect(filterCompacted(messages).map(messageId)).toEqual(["3", "4", "5", "2", "6"]);
  });

  it("drops messages before the tail of the newest compaction, even a failed one", () => {
    const compaction = (id: string, tail?: string) => user(id, [{ type: "compaction", tail_start_id: tail }]);
    const done = [user("1"), compaction("2"), summary("3", "2"), user("4")];
    const failed = [compaction("5", "4"), summary("6", "5", { error: {} }), user("7")];
    expect(filterCompacted([...done, ...failed]).map(messageId)).toEqual(["5", "6", "4", "7"]);
  });
});

describe("contextPanel", () => {
  it("sums to the input for any estimates", () => {
    const random = randomNumbers(17);
    for (let round = 0; round < 200; round++) {
      const text = (chars: number) => "x".repeat(random(chars));
      const messages = [
        { info: { role: "user" }, parts: [{ type: "text", text: text(900) }] },
        {
          info: { role: "assistant" },
          parts: [
            { type: "reasoning", text: text(900) },
            { type: "tool", state: { status: "completed", input: { a: 1, b: 2 }, output: text(900) } },
          ],
        },
      ];
      const input = 1 + random(900);
      const segments = contextPanel(messages, input, text(400));
      expect(segments.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(input);
      expect(segments.every(({ tokens }) => tokens > 0)).toBe(true);
    }
  });
});
