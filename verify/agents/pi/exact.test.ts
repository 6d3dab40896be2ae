import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PI_PRESETS } from "@/lib/agents/pi/base/presets";
import { messageTokens } from "@/lib/agents/pi/estimator";
import { type PiEntry, toEntry } from "@/lib/agents/pi/messages/entry";
import { type PiMessage, toMessage } from "@/lib/agents/pi/messages/message";
import { serializeConversation } from "@/lib/agents/pi/summary/summary-prompt";
import { processorMs } from "@/lib/core/testing/processor-time";
import { compactionEntry, prepareCompaction, summaryCalls, summaryText } from "./compaction";
import { isContextOverflow } from "./conformance";
import { sessionContext, sessionPath } from "./projection";
import { migrateSession, parseSessionFile } from "./session-file";
import { estimateContext, shouldCompact, usageTokens } from "./usage";

const SETTINGS = { enabled: true, reserveTokens: 100, keepRecentTokens: 30 };
const user = (text: string) => ({ type: "message", message: { role: "user", content: text } });
const response = (text: string, calls: object[] = []) => ({
  type: "message",
  message: { role: "assistant", content: [{ type: "text", text }, ...calls] },
});

function linear(entries: readonly object[]): PiEntry[] {
  return entries.map((entry, index) =>
    toEntry({ id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}`, ...entry }),
  );
}

describe("sessionContext", () => {
  it("contains the summary, the kept part and everything after, and no kept part for an unknown id", () => {
    const path = (first: string) =>
      linear([
        user("one"),
        response("two"),
        user("three"),
        { type: "compaction", summary: "S", firstKeptEntryId: first },
        user("four"),
      ]);
    const roles = (first: string) =>
      sessionContext(path(first), "current").entries.flatMap(({ messages }) => messages.map((message) => message.role));
    expect(roles("e1")).toEqual(["compactionSummary", "assistant", "user", "user"]);
    expect(roles("nowhere")).toEqual(["compactionSummary", "user"]);
  });

  it("ends a path at a missing parent or a cycle", () => {
    const circle = [toEntry({ id: "a", parentId: "b" }), toEntry({ id: "b", parentId: "a" })];
    expect(sessionPath(circle).map((entry) => entry.id)).toEqual(["a", "b"]);
    expect(sessionPath([toEntry({ id: "a", parentId: "?" })]).map((entry) => entry.id)).toEqual(["a"]);
  });
});

describe("estimates", () => {
  const reply = (usage: object, stopReason = "stop"): PiMessage =>
    toMessage({ role: "assistant", content: [], usage, stopReason });
  const text = toMessage({ role: "user", content: "x".repeat(40) });

  it("use the last usage and the messages after it, and zeros as usage only in 0.51", () => {
    const zeros = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
    const used = { input: 5, output: 1, cacheRead: 4, cacheWrite: 0, totalTokens: 10 };
    const messages = [text, reply(used), text, reply(zeros), text];
    expect(estimateContext(messages, "current")).toMatchObject({ tokens: 30, usageTokens: 10, lastUsageIndex: 1 });
    expect(estimateContext(messages, "v0.51.0")).toMatchObject({ tokens: 10, usageTokens: 0, lastUsageIndex: 3 });
    expect(estimateContext([text, reply(used, "aborted")], "current")).toMatchObject({ tokens: 10, usageTokens: 0 });
  });

  it("sum the parts if the total is 0, null or missing", () => {
    const parts = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const total = (totalTokens: unknown) => usageTokens({ ...parts, totalTokens });
    expect([total(0), total(null), total(undefined), total(7)]).toEqual([10, 10, 10, 7]);
  });

  it("trigger a compaction only above the threshold, and never if compaction is off", () => {
    expect(shouldCompact(900, 1000, SETTINGS)).toBe(false);
    expect(shouldCompact(901, 1000, SETTINGS)).toBe(true);
    expect(shouldCompact(999, 1000, { ...SETTINGS, enabled: false })).toBe(false);
  });

  it("give any message a size without an exception", () => {
    const property = fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (content, other, role) => {
      for (const name of ["user", "assistant", "toolResult", "bashExecution", "system", "compactionSummary", role]) {
        const message = toMessage({
          role: name,
          content,
          sections: other,
          toolsAdded: other,
          command: other,
          summary: content,
        });
        for (const preset of PI_PRESETS) expect(messageTokens(message, preset)).toBeGreaterThanOrEqual(0);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe("a compaction", () => {
  const read = { type: "toolCall", id: "1", name: "read", arguments: { path: "a.ts" } };
  const edit = { type: "toolCall", id: "2", name: "edit", arguments: { path: "b.ts" } };

  it("summarises the history and the beginning of a split turn", () => {
    const path = linear([
      user("x".repeat(80)),
      response("ok"),
      user("go"),
      response("r", [read, edit]),
      response("x".repeat(200)),
    ]);
    const prepared = prepareCompaction(path, SETTINGS, "current");
    expect(prepared).toMatchObject({ firstKeptEntryId: "e4", isSplitTurn: true, previousSummary: undefined });
    expect(prepared?.messagesToSummarize.map(({ entry }) => entry.id)).toEqual(["e0", "e1"]);
    expect(prepared?.turnPrefix.map(({ entry }) => entry.id)).toEqual(["e2", "e3"]);
    if (prepared === undefined) return;
    expect(summaryText(prepared, { history: "H", turnPrefix: "T" }, "current")).toBe(
      "H\n\n---\n\n**Turn Context (split turn):**\n\nT\n\n<read-files>\na.ts\n</read-files>\n\n<modified-files>\nb.ts\n</modified-files>",
    );
  });

  it("loses the previous summary in 0.51 if only a turn's beginning is summarised", () => {
    const compaction = { type: "compaction", summary: "PREVIOUS", firstKeptEntryId: "none" };
    const path = linear([user("old"), compaction, user("go"), response("x".repeat(200)), response("x".repeat(200))]);
    const text = (preset: "current" | "v0.51.0") => {
      const prepared = prepareCompaction(path, SETTINGS, preset);
      if (prepared === undefined) throw new Error("nothing prepared");
      expect(summaryCalls(prepared)).toEqual({ history: false, turnPrefix: true });
      return summaryText(prepared, { turnPrefix: "T" }, preset);
    };
    const turn = "\n\n---\n\n**Turn Context (split turn):**\n\nT";
    expect(text("current")).toBe(`PREVIOUS${turn}`);
    expect(text("v0.51.0")).toBe(`No prior history.${turn}`);
  });

  it("appends an entry from which the context can be rebuilt", () => {
    const path = linear([user("x".repeat(80)), response("ok"), user("go"), response("x".repeat(200))]);
    const prepared = prepareCompaction(path, SETTINGS, "current");
    if (prepared === undefined) throw new Error("nothing prepared");
    const entry = compactionEntry(prepared, "S", { id: "c", parentId: path.at(-1)?.id });
    const kept = sessionContext([...path, entry], "current").entries.map((one) => one.entry.id);
    expect(kept).toEqual(["c", "e3"]);
    expect(prepareCompaction([...path, entry], SETTINGS, "current")).toBeUndefined();
  });
});

describe("overflow detection", () => {
  const failed = (errorMessage: string, provider = "anthropic") => {
    const message = toMessage({ role: "assistant", stopReason: "error", errorMessage, provider, usage: {} });
    return PI_PRESETS.map((preset) => message.role === "assistant" && isContextOverflow(message, 1000, preset));
  };

  it.each([
    ["prompt is too long: 9 tokens", [true, true]],
    ["Prompt too long", [true, false]],
    ["the input token count (5) exceeds the maximum number", [true, true]],
    ["the input token count (5)\nexceeds the maximum number", [false, false]],
    ["413: body too large", [true, false]],
    ["proxy API error (413): x", [true, false]],
    ["4130 apples", [false, false]],
    ["400 status code (no body)", [false, true]],
    ["Throttling error: Too many tokens", [false, true]],
    ["rate limit: context_length_exceeded", [false, true]],
    ["overloaded", [false, false]],
  ])("judges the error: %s", (text, expected) => {
    expect(failed(text)).toEqual(expected);
  });

  it("treats an answer without a body from Cerebras as an overflow in both releases", () => {
    expect(failed("400 (no body)", "cerebras")).toEqual([true, true]);
  });

  it("matches its patterns in linear time on hostile text", () => {
    const started = processorMs();
    failed("input token count ".repeat(50_000));
    failed("prompt has 1".repeat(50_000));
    failed(`${"a ".repeat(100_000)}API error`);
    expect(processorMs() - started).toBeLessThan(2000);
  });
});

describe("serialisation", () => {
  it("never splits a surrogate pair", () => {
    const result = (text: string) =>
      serializeConversation([toMessage({ role: "toolResult", content: [{ type: "text", text }] })], "current");
    const pair = `${"x".repeat(1999)}👍👍`;
    expect(result(pair)).toBe(`[Tool result]: ${"x".repeat(1999)}\n\n[... 3 more characters truncated]`);
    expect(result("x".repeat(2000))).not.toContain("truncated");
  });
});

describe("session files", () => {
  it("of the current version stay unchanged", () => {
    const values = parseSessionFile('{"type":"session","version":3}\n{"type":"message","id":"a"}');
    expect(migrateSession(values)).toBe(values);
  });

  it("of version 1 become a chain, whatever their ids", () => {
    const values = parseSessionFile(
      '{"type":"session"}\n{"type":"label","id":"z"}\n\n{"type":"compaction","firstKeptEntryIndex":1}',
    );
    const [, first, second] = migrateSession(values);
    expect(first).toMatchObject({ id: "00000002", parentId: null });
    expect(second).toMatchObject({ id: "00000003", parentId: "00000002", firstKeptEntryId: "00000002" });
    expect(second).not.toHaveProperty("firstKeptEntryIndex");
  });
});
