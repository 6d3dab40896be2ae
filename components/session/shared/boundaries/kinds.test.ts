import { describe, expect, it, test } from "vitest";
import { POLICIES, policyById } from "@/lib/agents/registry";
import { addedItem } from "@/lib/core/testing/policies";
import { asksForSummary, boundaryKind, type KindFacts } from "./entries";

const facts = (given: Partial<KindFacts>): KindFacts => ({ outcome: "summary", added: [], droppedItems: 0, ...given });
const turn = addedItem(80, { kind: "turn", category: "user" });

describe("the kind of a boundary", () => {
  it.each([
    [{ outcome: "summary" }, "compaction"],
    [{ outcome: "fallback" }, "compaction"],
    [{ outcome: "clear" }, "clearing"],
    [{ outcome: "trim", droppedItems: 4 }, "trimming"],
    [{ outcome: "trim" }, "truncation"],
    [{ outcome: "skipped", added: [turn] }, "flush"],
    [{ outcome: "skipped" }, "skip"],
    [{ outcome: "failed" }, "failure"],
    [{ outcome: "blocked" }, "refusal"],
  ] satisfies [Partial<KindFacts>, string][])("of %j is %s", (given, kind) => {
    expect(boundaryKind(facts(given), {})).toBe(kind);
  });

  it("has the agent's own name for its clearing", () => {
    const named = POLICIES.map((policy) => [policy.id, boundaryKind(facts({ outcome: "clear" }), policy)]);
    expect(Object.fromEntries(named)).toMatchObject({
      openclaw: "pruning",
      opencode: "pruning",
      "gemini-cli": "masking",
      "qwen-code": "clearing",
      custom: "clearing",
    });
    expect(boundaryKind(facts({ outcome: "summary" }), policyById("openclaw") ?? {})).toBe("compaction");
  });
});

test("a boundary has a prompt only if it asks for a summary", () => {
  expect(asksForSummary("compaction", 9_000)).toBe(true);
  expect(asksForSummary("failure", 9_000)).toBe(true);
  expect(asksForSummary("flush", 9_000)).toBe(false);
  expect(asksForSummary("clearing", 0)).toBe(false);
  expect(asksForSummary("trimming", 0)).toBe(false);
});
