import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetScale } from "@/lib/agents/openclaw/base/constants";
import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import type { SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { repairFrames } from "@/lib/agents/openclaw/messages/pairing-frames";
import { repairPairing } from "@/lib/agents/openclaw/messages/repair";
import { stringChars } from "@/lib/agents/openclaw/messages/string-chars";
import { endsWithin, maximumEnds, pruneSizes, shareEnds } from "@/lib/agents/openclaw/policy/chunk-sizes";
import { isContextOverflow, isLikelyContextOverflow } from "@/lib/agents/openclaw/read/overflow-errors";
import { resultChars } from "@/lib/agents/openclaw/sent/result-budget";
import { splitByShare } from "@/lib/agents/openclaw/summary/chunks";
import { sumOf } from "@/lib/core/base/numbers";
import { processorMs } from "@/lib/core/testing/processor-time";
import { contextOf } from "./entry";
import { summaryChunks } from "./planning";
import { prepareCompaction } from "./prepare-compaction";
import { prunableTools } from "./prune";
import { durationMs } from "./pruning-settings";
import { reducibleResultChars, truncateResult } from "./result-budget";

/** Compares rules that search or count with definitions of their own. */

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.stringMatching(/^[a-z中文あ한😀\ud83d \n]{0,200}$/u),
  fc.tuple(fc.constantFrom("ab\n", "中", "😀", "x"), fc.integer({ min: 0, max: 3000 })).map(([s, n]) => s.repeat(n)),
);

describe("truncation of results", () => {
  it("divides a limit among the texts of a result", () => {
    const texts = fc.array(text, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 200, max: 8000 }), (samples, limit) => {
        const content = samples.map((sample) => ({ type: "text", text: sample }));
        const message: AgentMessage = { role: "toolResult", content };
        const cut = truncateResult(message, limit);
        if (resultChars(message) <= limit) expect(cut).toBe(message);
        else expect(resultChars(cut)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it("reduces a single result to its limit", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20_000 }), (sample, window) => {
        const message: AgentMessage = { role: "toolResult", content: [{ type: "text", text: sample }] };
        const limit = Math.max(1, Math.floor(window * 0.3) * 4);
        const reduced = reducibleResultChars([{ role: "user", content: "x" }, message], window);
        const remaining =
          stringChars(sample) <= limit
            ? stringChars(sample)
            : resultChars(truncateResult(message, limit, { minKeepChars: 0 }));
        expect(reduced).toBe(stringChars(sample) - remaining);
      }),
      { numRuns: 60 },
    );
  });
});

const sizes = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 30 });

describe("chunks", () => {
  it("are in order and complete", () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 6 }), (list, most, parts) => {
        for (const ends of [shareEnds(list, parts), maximumEnds(list, most), endsWithin(list, most, parts)]) {
          expect([...ends]).toEqual([...new Set(ends)].sort((a, b) => a - b));
          expect(ends.at(-1) ?? 0).toBe(list.length);
        }
        expect(shareEnds(list, parts).length).toBeLessThanOrEqual(Math.min(parts, Math.max(1, list.length)));
      }),
    );
  });

  it("stay within a maximum, or are a single message", () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 900 }), (list, most) => {
        maximumEnds(list, most).forEach((end, index, ends) => {
          const chunk = list.slice(ends[index - 1] ?? 0, end);
          expect(sumOf(chunk) <= most || chunk.filter((size) => size > 0).length === 1 || chunk.length === 1).toBe(
            true,
          );
        });
      }),
    );
  });

  it("of a pruned history are the newest messages that fit, or one part", () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 9000 }), (list, window) => {
        const { from, budget } = pruneSizes(list, window, 0.5);
        const remaining = list.slice(from);
        expect(
          sumOf(remaining) <= budget || shareEnds(remaining, Math.min(2, Math.max(1, list.length))).length <= 1,
        ).toBe(true);
        if (from > 0) expect(sumOf(list)).toBeGreaterThan(budget);
      }),
    );
  });

  it("divide equal messages into equal halves", () => {
    const messages = Array.from({ length: 8 }, () => ({ role: "user", content: "u".repeat(400) }));
    expect(splitByShare(messages).map((part) => part.length)).toEqual([4, 4]);
  });
});

const ids = fc.constantFrom("a", "b", "c");
const call = ids.map(
  (id): AgentMessage => ({ role: "assistant", content: [{ type: "toolCall", id, name: "exec", arguments: {} }] }),
);
const result = ids.map((id): AgentMessage => ({ role: "toolResult", toolCallId: id, toolName: "exec", content: [] }));
const plain = fc.constantFrom<AgentMessage>({ role: "user", content: "hi" }, { role: "assistant", content: [] });
const history = fc.array(fc.oneof(call, result, plain), { maxLength: 14 });

describe("pairing", () => {
  const repaired = (messages: readonly AgentMessage[], rule: string) =>
    rule === "older" ? (repairPairing(messages).messages as readonly AgentMessage[]) : repairFrames(messages).messages;

  it.each(["older", "newer"])("puts each result after its call, and adds missing ones: the %s rule", (rule) => {
    fc.assert(
      fc.property(history, (messages) => {
        const out = repaired(messages, rule);
        // The older rule ignores a result that is repeated next to its call: if nothing else is wrong, it returns the given list.
        if (rule === "older" && out === messages) return;
        let open: unknown[] = [];
        for (const message of out) {
          if (message.role === "toolResult") {
            expect(open).toContain(message.toolCallId);
            open = open.filter((id) => id !== message.toolCallId);
          } else {
            // The older rule drops a result whose id already had one.
            if (rule === "newer") expect(open).toEqual([]);
            const content = message.role === "assistant" && Array.isArray(message.content) ? message.content : [];
            open = content.map((block) => block.id);
          }
        }
        expect(out.filter((one) => one.role !== "toolResult")).toEqual(
          messages.filter((one) => one.role !== "toolResult"),
        );
      }),
    );
  });

  it("changes nothing when repeated", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const once = repairFrames(messages);
        expect(repairFrames(once.messages)).toEqual({ messages: once.messages, discarded: [] });
      }),
    );
  });

  it("keeps each call in the chunk of its result", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const whole = repairFrames(messages).messages;
        const chunks = summaryChunks(whole, 1);
        expect(chunks.flat()).toEqual(whole);
        for (const chunk of chunks) expect(repairFrames(chunk).messages).toEqual(chunk);
      }),
    );
  });
});

const user = (tokens: number): AgentMessage => ({ role: "user", content: "u".repeat(tokens * 4) });
const role = fc.constantFrom("user", "assistant", "toolResult", "custom_message", "custom");
const entries = fc.array(fc.tuple(role, fc.integer({ min: 0, max: 60 })), { minLength: 1, maxLength: 25 }).map((list) =>
  list.map(([kind, size], index): SessionEntry => {
    const content = "x".repeat(size * 4);
    const id = `e${index}`;
    if (kind === "custom") return { type: "custom", id };
    if (kind === "custom_message") return { type: "custom_message", id, content };
    return {
      type: "message",
      id,
      message: { role: kind, content: kind === "user" ? content : [{ type: "text", text: content }] },
    };
  }),
);

describe("cut points", () => {
  it("assign each entry either to the summary or to the kept part", () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 300 }), (list, keep) => {
        const prepared = prepareCompaction(list, keep, "as-documented");
        if (prepared === undefined) return;
        const kept = contextOf(list.slice(prepared.firstKept), "as-documented").map(({ message }) => message);
        const all = contextOf(list, "as-documented").map(({ message }) => message);
        expect([...prepared.messages, ...prepared.turnPrefix, ...kept]).toEqual(all);
      }),
    );
  });

  it("lose the part that the first compaction kept, in 2026.2.1", () => {
    const message = (id: string, tokens: number): SessionEntry => ({ type: "message", id, message: user(tokens) });
    const compaction: SessionEntry = { type: "compaction", id: "c", summary: "S", firstKeptEntryId: "b" };
    const branch = [message("a", 9), message("b", 9), compaction, message("d", 9), message("e", 9)];
    const names = (preset: OpenClawPreset) =>
      prepareCompaction(branch, 9, preset)?.messages.map((one) => branch.find((entry) => entry.message === one)?.id);
    expect(names("release-2026-02")).toEqual(["d"]);
    expect(names("as-documented")).toEqual(["b", "d"]);
    expect(names("release-2026-05")).toEqual(["b", "d"]);
    expect(names("current")).toEqual(["b", "d"]);
  });

  it("shrink the budget by the provider's larger count, to at least one token", () => {
    expect(budgetScale(180_000, 150_000, 20_000)).toBeCloseTo(1.2);
    expect(budgetScale(100, 150_000, 20_000)).toBe(1);
    expect(budgetScale(1e9, 1, 20_000)).toBe(20_000);
    expect(budgetScale(5, 0, 20_000)).toBe(1);
  });
});

describe("parsing of patterns and durations", () => {
  it("matches prunable tools like a regular expression", () => {
    const pattern = fc.stringMatching(/^[ab*.]{1,6}$/);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab.\n]{0,8}$/), (glob, name) => {
        const escaped = glob.trim().replace(/[.]/g, "\\$&").replaceAll("*", ".*");
        const expected = glob === "*" || new RegExp(`^${escaped}$`).test(name.trim());
        expect(prunableTools({ allow: [glob] })(name)).toBe(expected);
      }),
    );
  });

  it("takes linear time on hostile text", () => {
    const started = processorMs();
    prunableTools({ allow: [`${"a*".repeat(5000)}b`] })("a".repeat(50_000));
    isLikelyContextOverflow("context window prompt ".repeat(50_000));
    expect(processorMs() - started).toBeLessThan(1000);
  });

  it("matches overflow errors like the program's expressions", () => {
    const hint =
      /context.*overflow|context window.*(too (?:large|long)|exceed|over|limit|max(?:imum)?|requested|sent|tokens)|(?:prompt|request|input).*(too (?:large|long)|exceed|over|limit|max(?:imum)?)/i;
    const small = /context window.*(too small|minimum is)/i;
    const words = fc.constantFrom(
      "context",
      " window",
      "overflow",
      "too ",
      "large",
      "small",
      "Prompt",
      "exceed",
      "limit",
      "minimum is",
      "\n",
      "sent",
      " ",
    );
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 8 }).map((list) => list.join("")),
        (sample) => {
          const expected = sample !== "" && !small.test(sample) && (isContextOverflow(sample) || hint.test(sample));
          expect(isLikelyContextOverflow(sample)).toBe(expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("reads a duration with a unit, or a number of minutes, and rejects any other text", () => {
    const read = ["500ms", "90s", "5m", "1.5h", "2d", "0", " 7 ", "1H"].map(durationMs);
    expect(read).toEqual([500, 90_000, 300_000, 5_400_000, 172_800_000, 0, 420_000, 3_600_000]);
    for (const odd of ["", "-1m", "1h30m", "1 h", ".5h", "1e3", undefined]) expect(durationMs(odd)).toBeUndefined();
  });
});
