import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tokens } from "@/lib/core/base/units";
import { runs } from "@/lib/core/testing/runs";
import { failedSummaryTokens } from "@/verify/agents/openclaw/failed-summary-tokens";
import { planningTokens } from "../messages/estimate";
import { type AgentMessage, isFailed, toolCallsOf } from "../messages/message";
import type { PlannedMessage } from "./planned-messages";
import { failedAttempts } from "./release-2026.9.6";

/** Messages without calls and answers. */
const plain = (...sizes: readonly Tokens[]): readonly PlannedMessage[] => sizes.map((tokens) => ({ tokens }));
const response = (tokens: Tokens, ...calls: readonly number[]): PlannedMessage => ({ tokens, calls });
const result = (tokens: Tokens, answers: number): PlannedMessage => ({ tokens, answers });

const base = { turnPrefix: [], window: 100_000, maxHistoryShare: 0.5, tokensBefore: 0, previousSummary: 0 };

describe("a summary whose calls all fail", () => {
  it("is tried three times, and then abandoned", () => {
    expect(failedAttempts({ ...base, history: plain(100, 200) })).toEqual({ calls: 3, tokens: 900 });
  });

  it("is abandoned after the first chunk of the older half", () => {
    // Calls take 40,000 minus 4,096, with a margin of 1.2: 29,920 each.
    const history = plain(...Array.from({ length: 10 }, () => 8000));
    expect(failedAttempts({ ...base, history })).toEqual({ calls: 3, tokens: 3 * 24_000 });
  });

  it("is tried three more times without oversized messages, if any are left", () => {
    const history = plain(10, 60_000, 20);
    expect(failedAttempts({ ...base, window: 130_000, history })).toEqual({ calls: 6, tokens: 3 * (10 + 30) });
    expect(failedAttempts({ ...base, window: 130_000, history: plain(60_000) })).toEqual({ calls: 3, tokens: 180_000 });
  });

  it("omits an oversized result together with its call", () => {
    const history = [response(20, 1), result(60_000, 1), ...plain(30)];
    // The call and its result are a chunk of their own; after that only the prompt that follows them is left.
    expect(failedAttempts({ ...base, window: 130_000, history })).toEqual({ calls: 6, tokens: 3 * (60_020 + 30) });
  });

  it("keeps the other messages in the group of an oversized message", () => {
    const given = { ...base, window: 130_000 };
    const between = [response(20, 1), ...plain(30), result(60_000, 1)];
    expect(failedAttempts({ ...given, history: between })).toEqual({ calls: 6, tokens: 3 * (60_050 + 30) });
    const large = [response(20, 1), ...plain(60_000), result(40, 1)];
    expect(failedAttempts({ ...given, history: large })).toEqual({ calls: 6, tokens: 3 * (60_060 + 60) });
  });

  it("begins with the separately summarised part, then the history, then the turn", () => {
    const much = { ...base, tokensBefore: 200_000, history: plain(30_000, 30_000), turnPrefix: plain(7) };
    expect(failedAttempts(much).tokens).toBe(3 * 30_000);
    expect(failedAttempts({ ...base, history: plain(5), turnPrefix: plain(7), previousSummary: 1 }).tokens).toBe(3 * 6);
    expect(failedAttempts({ ...base, history: [], turnPrefix: plain(7), previousSummary: 1 }).tokens).toBe(3 * 7);
  });

  it("includes results whose call is summarised separately, and results without a call", () => {
    const much = { ...base, window: 54_000, maxHistoryShare: 0.1, tokensBefore: 64_000 };
    // A result without an id closes all calls: the results after it are groups of their own.
    const parted = [response(174, 1, 2, 3), result(313, -1), result(160, 1), result(5525, 2), result(1107, 3)];
    expect(failedAttempts({ ...much, history: parted }).tokens).toBe(3 * (174 + 313 + 160 + 5525 + 1107));
    const late = (...calls: readonly number[]) => [
      ...plain(3000),
      response(100, ...calls),
      result(3000, 1),
      result(50, calls.at(-1) ?? -1),
    ];
    expect(failedAttempts({ ...much, history: late(1, 2) }).tokens).toBe(3 * 3000);
    // A second result of one call is omitted.
    expect(failedAttempts({ ...much, history: late(1) }).tokens).toBe(3 * 3050);
    const unknown = [...late(1, 2).slice(0, 3), result(50, -1)];
    expect(failedAttempts({ ...much, history: unknown }).tokens).toBe(3 * 3050);
  });
});

const ids = fc.integer({ min: 0, max: 3 });
const text = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 20_000 })).map((n) => "x".repeat(n));

/** The elements of a history. A result names its call by the number of calls between them. */
const element = fc.oneof(
  fc.record({ role: fc.constant("assistant" as const), text, calls: fc.integer({ min: 0, max: 3 }), fails: fc.nat(9) }),
  fc.record({ role: fc.constant("toolResult" as const), text, back: fc.option(ids) }),
  fc.record({ role: fc.constantFrom("user" as const, "custom" as const), text }),
);
type Element = typeof element extends fc.Arbitrary<infer T> ? T : never;

/** A history as OpenClaw has it. A result without an id has another tool than any call, so that it belongs to none. */
function messagesOf(elements: readonly Element[]): readonly AgentMessage[] {
  let count = 0;
  return elements.map((one): AgentMessage => {
    const content = [{ type: "text", text: one.text }];
    if (one.role === "assistant") {
      const calls = Array.from({ length: one.calls }, () => `c${count++}`);
      const blocks = calls.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} }));
      return {
        role: "assistant",
        content: [...content, ...blocks],
        ...(one.fails === 0 ? { stopReason: "error" } : {}),
      };
    }
    if (one.role !== "toolResult") return { role: one.role, content };
    const call = count - 1 - (one.back ?? count);
    return {
      role: "toolResult",
      content,
      ...(call < 0 ? { toolName: "other" } : { toolCallId: `c${call}`, toolName: "read" }),
    };
  });
}

function plannedOf(message: AgentMessage): PlannedMessage {
  const tokens = planningTokens(message, "current");
  const number = (id: unknown) => Number(String(id).slice(1));
  if (message.role === "assistant") {
    return { tokens, calls: toolCallsOf(message).map(({ id }) => number(id)), isFailed: isFailed(message) };
  }
  if (message.role !== "toolResult") return { tokens };
  return { tokens, answers: message.toolCallId === undefined ? -1 : number(message.toolCallId) };
}

it("a failed summary sends the same tokens by numbers as by messages, in any order of calls", () => {
  let apart = 0;
  const given = fc.record({
    elements: fc.array(element, { minLength: 1, maxLength: 40 }),
    prefix: fc.nat(6),
    window: fc.constantFrom(4000, 20_000, 60_000),
    maxHistoryShare: fc.constantFrom(0.1, 0.3, 0.5),
    stays: fc.constantFrom(0, 4000, 60_000),
    previous: fc.constantFrom(0, 40),
  });
  const property = fc.property(given, ({ elements, prefix, window, maxHistoryShare, stays, previous }) => {
    const all = messagesOf(elements);
    const [messages, turnPrefix] = [all.slice(0, all.length - prefix), all.slice(all.length - prefix)];
    const planned = [messages, turnPrefix].map((some) => some.map(plannedOf));
    const tokensBefore = all.reduce((sum, message) => sum + planningTokens(message, "current"), 0) + stays;
    const previousSummary = previous === 0 ? undefined : "s".repeat(4 * previous);
    const exact = failedSummaryTokens(
      { messages, turnPrefix, tokensBefore, previousSummary },
      { window, maxHistoryShare },
    );
    const [history = [], rest = []] = planned;
    const sizes = { window, maxHistoryShare, tokensBefore, previousSummary: previous };
    expect(failedAttempts({ history, turnPrefix: rest, ...sizes }).tokens).toBe(exact);
    if (stays === 60_000) apart += 1;
  });
  fc.assert(property, { numRuns: runs(200) });
  expect(apart).toBeGreaterThan(30);
});
