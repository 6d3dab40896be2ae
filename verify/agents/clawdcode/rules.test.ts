import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCount, retainCount } from "@/lib/agents/clawdcode/base/constants";
import { presetFor } from "@/lib/agents/clawdcode/base/presets";
import { clawdcodeFastEstimator, createClawdcodeEstimator } from "@/lib/agents/clawdcode/estimator";
import { encodingOf } from "@/lib/agents/clawdcode/messages/encodings";
import { estimateTokens } from "@/lib/agents/clawdcode/messages/token-counter";
import { clawdcodePolicy } from "@/lib/agents/clawdcode/policy/policy";
import { pathsInText } from "@/lib/agents/clawdcode/summary/file-analyzer";
import { withoutOrphans } from "@/lib/agents/clawdcode/summary/retain";
import { processorMs } from "@/lib/core/testing/processor-time";
import type { CounterFor } from "@/lib/core/tokens/encodings";
import { bpeOf } from "@/lib/server/tokens/tables";
import { compact, withinMemory } from "./compaction";
import { rejectingSpecialTokens } from "./encodings";
import { countTokens, remainingTokens, shouldCompact, truncateMessages } from "./token-counter";

/** The project's counters for the encodings that it carries. */
const counterFor: CounterFor = (encoding) => bpeOf(encoding === "o200k_base" ? "o200k" : "cl100k").count;
const count = counterFor("cl100k_base");

describe("the program's rules over numbers", () => {
  it("compact at the threshold, and reserve a part of the window for the answer", () => {
    expect([799, 800, 801].map((tokens) => shouldCompact(tokens, 1000, 0.8))).toEqual([false, true, true]);
    expect(shouldCompact(800, 1001, 0.8)).toBe(true);
    expect(remainingTokens(1000, 128_000)).toBe(128_000 - 4096 - 1000);
    expect(remainingTokens(1000, 2000, 500)).toBe(500);
    expect(remainingTokens(2000, 2000, 500)).toBe(0);
  });

  it("count only 一 to 龥 as Chinese in the rough estimate", () => {
    expect(["一一一", "龥龥龥", "\u4dff".repeat(4), "\u9fa6".repeat(4), ""].map(estimateTokens)).toEqual([
      2, 2, 1, 1, 0,
    ]);
  });
});

describe("compaction", () => {
  const messageOf = (role: string, content?: string) => ({ role, ...(content === undefined ? {} : { content }) });
  const messages = [
    messageOf("user", "Sort."),
    messageOf("assistant"),
    messageOf("user", "And?"),
    messageOf("assistant", "Sorted."),
  ];

  it.each(["as-documented", "current"] as const)(
    "%s: fails for a message without content under any summariser",
    async (preset) => {
      for (const summarize of [undefined, async () => "Sorted."]) {
        const result = await compact(messages, { count, preset, ...(summarize === undefined ? {} : { summarize }) });
        expect(result).toMatchObject({
          success: false,
          error: "Cannot read properties of undefined (reading 'length')",
        });
        expect(result.compactedMessages).toHaveLength(1 + 2);
      }
    },
  );

  it("writes contents that are not text as JSON", async () => {
    const prompts: string[] = [];
    const summarize = async (prompt: string) => {
      prompts.push(prompt);
      return "Done.";
    };
    const empty = { role: "assistant", content: null };
    expect(await compact([messageOf("user", "Go."), empty], { count, preset: "current", summarize })).toMatchObject({
      success: true,
    });
    expect(prompts[0]).toContain("[1] user: Go.\n\n[2] assistant: null\n");
  });
});

describe("retention", () => {
  it("identifies an orphaned result by its role and id alone", () => {
    const calls = { role: "assistant", tool_calls: [{ id: "a" }, null, { id: "" }, "b"] };
    const result = (id: unknown) => ({ role: "tool", tool_call_id: id });
    const other = { role: "user", tool_call_id: "gone" };
    expect(withoutOrphans([calls, result("a"), result("b"), result(""), other])).toEqual([
      calls,
      result("a"),
      result(""),
      other,
    ]);
    expect(withoutOrphans([{ ...calls, role: "user" }, result("a")])).toHaveLength(1);
  });

  it("keeps a fifth or three tenths of up to 400 messages, rounded up exactly", () => {
    for (let messages = 0; messages <= 400; messages++) {
      expect(retainCount(messages, 0.2)).toBe(Math.floor((messages + 4) / 5));
      expect(retainCount(messages, 0.3)).toBe(Math.floor((3 * messages + 9) / 10));
    }
  });

  it("computes the same memory size as adding messages one by one", () => {
    for (let most = 1; most <= 30; most++) {
      let memory: readonly number[] = [];
      for (let added = 1; added <= 100; added++) {
        memory = withinMemory([...memory, added], most);
        expect(memoryCount(added, most)).toBe(memory.length);
      }
    }
  });

  it("drops only results without their call", () => {
    const message = fc.oneof(
      fc.record({ role: fc.constant("tool"), tool_call_id: fc.constantFrom("a", "b", "") }),
      fc.record({
        role: fc.constantFrom("assistant", "user"),
        tool_calls: fc.array(fc.record({ id: fc.constantFrom("a", "b", "") })),
      }),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const kept = new Set(withoutOrphans(messages));
        for (const one of messages) {
          const id = "tool_call_id" in one ? one.tool_call_id : "";
          const called = messages.some(
            (other) =>
              other.role === "assistant" && "tool_calls" in other && other.tool_calls.some((call) => call.id === id),
          );
          expect(kept.has(one)).toBe(id === "" || called);
        }
      }),
    );
  });
});

describe("the token counter", () => {
  const message = fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.string({ maxLength: 30 }) });

  it("truncates to the longest tail that fits", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.nat(120), (messages, budget) => {
        const tails = messages
          .map((_, from) => messages.slice(from))
          .filter((tail) => countTokens(tail, count) <= budget);
        expect(truncateMessages(messages, budget, count)).toEqual(tails[0] ?? []);
      }),
    );
  });

  it("matches a rough estimate made character by character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        let thirds = 0;
        for (const unit of text.split("")) thirds += unit >= "一" && unit <= "龥" ? 8 : 3;
        expect(Math.abs(estimateTokens(text) - Math.ceil(thirds / 12))).toBeLessThanOrEqual(thirds % 12 === 0 ? 1 : 0);
      }),
    );
  });

  it("treats special tokens as text in the product, while the program throws", () => {
    const text = "a <|endoftext|> b";
    expect(createClawdcodeEstimator(counterFor).text(text)).toBeGreaterThan(3);
    expect(() => rejectingSpecialTokens("cl100k_base", count)(text)).toThrow("<|endoftext|>");
  });

  it("uses the encoding of the model's name", () => {
    expect(["gpt-4.1", "claude-x", "GLM-5", "o4-mini", "O1", "davinci", "deepseek"].map(encodingOf)).toEqual([
      "cl100k_base",
      "cl100k_base",
      "cl100k_base",
      "o200k_base",
      "cl100k_base",
      "r50k_base",
      "cl100k_base",
    ]);
  });

  it("divides a message among its blocks without a remainder", () => {
    const blocks = ["text", "tool_call", "thinking", "image", "tool_result", "image", "text"] as const;
    const source = { line: 1, offset: 0, length: 1, part: 0 };
    const message = {
      role: "assistant" as const,
      origin: "response" as const,
      line: 1,
      blocks: blocks.map((kind) => ({ kind, text: { chars: 9, bytes: 9 }, source, callId: "call_1", tool: "Read" })),
    };
    const contents = blocks.map((kind) => ({ text: `${kind} 文件`, record: {} }));
    const native = [
      {
        role: "assistant",
        content: "text 文件",
        tool_calls: [{ id: "call_1", function: { name: "Read", arguments: "tool_call 文件" } }],
      },
      { role: "tool", content: "tool_result 文件" },
      { role: "assistant", content: "text 文件" },
    ];
    const exact = createClawdcodeEstimator(counterFor).blocks(message, contents, "claude-code");
    expect(exact.reduce((sum, size) => sum + size, 0)).toBe(countTokens(native, count));
    expect([exact[2], exact[3], exact[5]]).toEqual([0, 0, 0]);
    expect(clawdcodeFastEstimator.blocks(message, contents, "claude-code").every((size) => size >= 0)).toBe(true);
  });
});

describe("file paths in a text", () => {
  it("are found in linear time in long hostile texts", () => {
    const texts = ["a/", ".", "./", "a.b", "/", '"a/', " a/b.", "```1:2:a", "`", "a/b.c:"];
    const at = processorMs();
    for (const text of texts) pathsInText(text.repeat(100_000));
    expect(processorMs() - at).toBeLessThan(5000);
  });
});

describe("settings", () => {
  it("have a threshold of 102,400 in the documented version, and 100,000 in the program", () => {
    const settingsOf = (preset: string) => clawdcodePolicy.settings(preset, { window: 128_000, agent: null });
    const values = (preset: string) => Object.fromEntries(settingsOf(preset).map((spec) => [spec.key, spec.default]));
    expect(
      clawdcodePolicy.threshold?.({ preset: "as-documented", window: 128_000, settings: values("as-documented") }),
    ).toBe(102_400);
    expect(clawdcodePolicy.threshold?.({ preset: "current", window: 128_000, settings: values("current") })).toBe(
      100_000,
    );
    expect(values("as-documented")).toMatchObject({
      rule: "context",
      compressionThreshold: 6000,
      retain: 0.2,
      fallbackRetain: 0.3,
    });
    expect(values("current")).toMatchObject({ rule: "session", compressionThreshold: 100_000, maxMessages: 1000 });
    for (const spec of settingsOf("current")) expect(spec.source.text ?? spec.source.notes?.[0]).toMatch(/\w{5}/);
  });

  it("come from the preset of the recording's version", () => {
    expect([undefined, "0.1.0", "1.8.0", "x"].map(presetFor)).toEqual([
      "as-documented",
      "as-documented",
      "current",
      "as-documented",
    ]);
  });
});

it("memory keeps four fifths when it exceeds its size, and everything at a size of one", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  expect(withinMemory(numbers(10), 10)).toEqual(numbers(10));
  expect(withinMemory(numbers(11), 10)).toEqual(numbers(11).slice(3));
  expect(withinMemory(numbers(2), 1)).toEqual(numbers(2));
  expect(withinMemory(numbers(9), 4)).toEqual([6, 7, 8]);
});
