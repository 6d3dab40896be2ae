import { describe, expect, it } from "vitest";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { pruneGroupedHistory, stageSplit, summaryChunks, withoutOversized } from "./planning";

const chars = (tokens: number) => "x".repeat(tokens * 4);
/** A prompt of the given number of tokens. */
const user = (tokens: number): AgentMessage => ({ role: "user", content: chars(tokens) });
/** A response of the given number of tokens, not counting its calls with these ids. */
const assistant = (ids: readonly string[] = [], tokens = 10, rest: AgentMessage = {}): AgentMessage => ({
  role: "assistant",
  content: [{ type: "text", text: chars(tokens) }, ...ids.map((id) => call(id))],
  ...rest,
});
const call = (id: string) => ({ type: "toolCall", id, name: "r", arguments: {} });
const result = (id: string | undefined, tokens = 10): AgentMessage => ({
  role: "toolResult",
  toolName: "r",
  content: [{ type: "text", text: chars(tokens) }],
  ...(id === undefined ? {} : { toolCallId: id }),
});

/** The number of messages in each chunk. */
const counts = (chunks: readonly (readonly unknown[])[] | undefined) => chunks?.map((chunk) => chunk.length);

describe("groups of messages", () => {
  /** A maximum of one token divides at every allowed place. */
  const groups = (...messages: readonly AgentMessage[]) => counts(summaryChunks(messages, 1));

  it("contain a call and all its results", () => {
    expect(groups(user(9), assistant(["a", "b"]), result("a"), result("b"), user(9))).toEqual([1, 3, 1]);
    expect(groups(assistant(["a", "b"]), result("a"), user(9), result("b"), user(9))).toEqual([4, 1]);
  });

  it("stay open after another call's result, and end at a result without an id", () => {
    expect(groups(assistant(["a"]), result("z"), result("a"), user(9))).toEqual([3, 1]);
    expect(groups(assistant(["a", "b"]), result(undefined), user(9))).toEqual([2, 1]);
    expect(groups(assistant(["a", "b"]), result("b"), result("b"), result("a"), user(9))).toEqual([4, 1]);
  });

  it("do not stay open for calls of a failed response", () => {
    expect(groups(assistant(["a"], 10, { stopReason: "error" }), user(9), user(9))).toEqual([1, 1, 1]);
    expect(groups(assistant(["a"], 10, { stopReason: "aborted" }), user(9))).toEqual([1, 1]);
    expect(groups(assistant(["a"]), user(9), user(9))).toEqual([3]);
    expect(groups()).toEqual([]);
  });
});

describe("the chunks of a summary", () => {
  it("stay within the maximum minus the margin", () => {
    // 120 / 1.2 = 100.
    expect(counts(summaryChunks([user(50), user(50), user(1)], 120))).toEqual([2, 1]);
    expect(counts(summaryChunks([user(50), user(51), user(1)], 120))).toEqual([1, 2]);
  });

  it("exclude messages that are never summarised", () => {
    const hidden = { role: "custom", customType: "openclaw.runtime-context", content: "x" };
    const other = { role: "custom", customType: "other", content: "x" };
    const odd = { role: "user", customType: "openclaw.runtime-context", content: "x" };
    expect(summaryChunks([hidden, other, user(1), odd], 1000).flat()).toEqual([other, user(1), odd]);
  });
});

describe("the parts of a summary", () => {
  it("do not exist if one call is enough", () => {
    const four = [user(10), user(10), user(10), user(10)];
    expect(stageSplit(four, 40)).toBeUndefined();
    expect(counts(stageSplit(four, 39))).toEqual([2, 2]);
    expect(stageSplit(four.slice(1), 1)).toBeUndefined();
    expect(counts(stageSplit(four.slice(1), 1, { minMessagesForSplit: 3 }))).toEqual([1, 2]);
    expect(stageSplit(four, 1, { minMessagesForSplit: 5 })).toBeUndefined();
    expect(stageSplit(four, 1, { parts: 1 })).toBeUndefined();
    expect(counts(stageSplit(four, 1, { parts: 9, minMessagesForSplit: 2 }))).toEqual([1, 1, 1, 1]);
    expect(stageSplit([user(10)], 1, { minMessagesForSplit: 0 })).toBeUndefined();
  });

  it("do not exist if everything is one group", () => {
    expect(stageSplit([assistant(["a"]), user(10), user(10), user(10)], 1)).toBeUndefined();
  });
});

describe("messages too large for a summary", () => {
  it("exceed half of the window with the margin added, and are replaced by a note", () => {
    // 500 tokens with the margin are 600, half of 1,200.
    expect(withoutOversized([user(500), user(1)], 1200)).toEqual({ messages: [user(500), user(1)], notes: [] });
    expect(withoutOversized([user(501), user(1)], 1200)).toEqual({
      messages: [user(1)],
      notes: ["[Large user (~1K tokens) omitted from summary]"],
    });
    const nameless = { content: chars(9000), role: "toolResult" };
    expect(withoutOversized([nameless, { ...nameless, role: 7 }], 100).notes).toEqual([
      "[Large toolResult (~9K tokens) omitted from summary]",
    ]);
  });

  it("are dropped with the calls and results of their group, but not the group's other messages", () => {
    const between = user(3);
    const messages = [assistant(["a", "b"]), result("a", 900), between, result("b"), user(5)];
    expect(withoutOversized(messages, 1200).messages).toEqual([between, user(5)]);
    const large = [assistant(["a"]), user(900), result("a"), user(5)];
    expect(withoutOversized(large, 1200).messages).toEqual([assistant(["a"]), result("a"), user(5)]);
  });
});

describe("pruning of the summarised messages", () => {
  it("drops the oldest part until the rest fits", () => {
    const messages = [user(10), user(20), user(30), user(40)];
    expect(pruneGroupedHistory(messages, 200, 0.5)).toMatchObject({ messages, dropped: [], droppedChunks: 0 });
    // Half of 100 tokens is 50: the first part is 10 and 20, then 30 and 40 are divided once more.
    expect(pruneGroupedHistory(messages, 198, 0.5)).toEqual({
      messages: [user(30), user(40)],
      dropped: [user(10), user(20)],
      droppedChunks: 1,
      droppedTokens: 30,
      keptTokens: 70,
      budget: 99,
    });
    expect(pruneGroupedHistory(messages, 100, 0.5)).toMatchObject({ messages: [user(40)], droppedChunks: 2 });
    expect(pruneGroupedHistory(messages, 0, 0.5)).toMatchObject({ budget: 1, messages: [user(40)] });
  });

  it("drops results of dropped calls, in the order of the history", () => {
    const early = assistant(["a"], 30, { stopReason: "error" });
    const [second, third, lost, last] = [user(30), user(31), result("a", 10), user(40)];
    const messages = [early, second, third, lost, last];
    // The first part contains the call, so its result is dropped too; then the third message is the oldest part.
    const { dropped, messages: kept, droppedChunks } = pruneGroupedHistory(messages, 100, 0.5);
    expect([kept, droppedChunks]).toEqual([[last], 2]);
    expect(dropped).toEqual([early, second, third, lost]);
  });
});
