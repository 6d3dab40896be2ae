import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compactionThreshold,
  countTokens,
  estimateMessagesTokens,
  remainingTokens,
  shouldCompact,
  truncateMessages,
} from "@/verify/agents/clawdcode/token-counter";
import { estimateTokens, messageTokens } from "./token-counter";

/** Both counts as README.md, "Tokens" defines them, over messages of any shape. */

/** A count that gives texts of different lengths different sizes, and the empty text a size of its own. */
const count = (text: string) => 2 * text.length + 1;

const falsy = fc.constantFrom(undefined, null, "", 0, false);
const field = fc.oneof(falsy, fc.string({ maxLength: 6 }), fc.constantFrom(7, { a: "中" }, ["x"]));
const called = fc.record({ name: field, arguments: field }, { requiredKeys: [] });
const call = fc.oneof(
  fc.record({ id: field, function: fc.oneof(called, falsy) }, { requiredKeys: [] }),
  fc.constantFrom(null, "call", 7, ["x"]),
);
const message = fc.record(
  {
    role: fc.oneof(fc.constantFrom("user", "assistant", "tool"), field),
    content: fc.oneof(field, fc.stringMatching(/^[a一龥\u4dff\u9fa6]{0,9}$/)),
    tool_calls: fc.oneof(fc.array(call, { maxLength: 3 }), falsy, fc.constantFrom("calls", { id: "x" })),
    tool_call_id: field,
    name: field,
    reasoning_content: field,
  },
  { requiredKeys: [] },
);
type Message = typeof message extends fc.Arbitrary<infer T> ? T : never;

/** The counted texts: every truthy value, as JSON if it is not a text. */
function textsOf(...values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => (value ? [typeof value === "string" ? value : JSON.stringify(value)] : []));
}

function countByDefinition(messages: readonly Message[]): number {
  let n = 0;
  for (const { role, content, tool_calls } of messages) {
    n += 4;
    for (const text of textsOf(role, content)) n += count(text);
    for (const one of Array.isArray(tool_calls) ? tool_calls : []) {
      // A value that is not an object has no fields of a call.
      const { id, function: named } = (one !== null && typeof one === "object" && !Array.isArray(one) ? one : {}) as {
        id?: unknown;
        function?: unknown;
      };
      const { name, arguments: args } = (named || {}) as { name?: unknown; arguments?: unknown };
      n += 4;
      for (const text of textsOf(id, name, args)) n += count(text);
    }
  }
  return n;
}

function estimateByDefinition(text: string): number {
  const chinese = [...text.matchAll(/[\u4e00-\u9fa5]/g)].length;
  return Math.ceil(chinese / 1.5 + (text.length - chinese) / 4);
}

describe("messages of any shape", () => {
  const messages = fc.array(message, { maxLength: 4 });

  it("are counted one by one by the program's rule", () => {
    const property = fc.property(messages, (list) => {
      expect(countTokens(list, count)).toBe(countByDefinition(list));
      for (const one of list) expect(messageTokens(one, count)).toBe(countByDefinition([one]));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("are estimated by their content and the JSON of their calls", () => {
    const property = fc.property(messages, (list) => {
      const each = list.map(({ content, tool_calls }) => {
        const [text = ""] = textsOf(content);
        return 4 + estimateByDefinition(text) + (tool_calls ? estimateByDefinition(JSON.stringify(tool_calls)) : 0);
      });
      expect(estimateMessagesTokens(list)).toBe(each.reduce((sum, one) => sum + one, 0));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("are cut to the longest tail within a budget", () => {
    const property = fc.property(messages, fc.nat(80), (list, budget) => {
      const tails = list.map((_, from) => list.slice(from));
      const fitting = tails.find((tail) => countByDefinition(tail) <= budget);
      expect(truncateMessages(list, budget, count)).toEqual(fitting ?? []);
      // A budget of exactly the tail's size keeps the tail.
      const [, ...rest] = list;
      expect(truncateMessages(list, countByDefinition(rest), count)).toEqual(rest);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

it("the counter estimates a text by its Chinese characters and its other UTF-16 units", () => {
  const text = fc.stringMatching(/^[a😀一中龥\u4dff\u9fa6]{0,20}$/u);
  fc.assert(
    fc.property(text, (one) => {
      expect(estimateTokens(one)).toBe(estimateByDefinition(one));
    }),
  );
});

it("compaction fires at the threshold, which is rounded down", () => {
  expect([compactionThreshold(1001, 0.8), compactionThreshold(128_000, 0.8)]).toEqual([800, 102_400]);
  expect([799, 800].map((tokens) => shouldCompact(tokens, 1001, 0.8))).toEqual([false, true]);
});

it("the tokens left for input exclude the answer and the messages", () => {
  expect([remainingTokens(10, 5000), remainingTokens(10, 5000, 90), remainingTokens(4911, 5000, 90)]).toEqual([
    894, 4900, 0,
  ]);
});
