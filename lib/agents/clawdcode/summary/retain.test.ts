import fc from "fast-check";
import { expect, it } from "vitest";
import { retainCandidates, retained, withoutOrphans } from "./retain";

/** Defines the kept messages by index, over messages of any shape. Source: README.md, "Kept messages". */

const id = fc.constantFrom("a", "b", "", undefined, null);
const call = fc.oneof(fc.record({ id }), fc.constantFrom(null, "a", ["a"]));
const message = fc.record(
  {
    role: fc.constantFrom("tool", "tool", "assistant", "user"),
    tool_call_id: id,
    tool_calls: fc.oneof(fc.array(call, { maxLength: 2 }), fc.constantFrom(undefined, "a", { id: "a" }, null)),
  },
  { requiredKeys: ["role"] },
);

it("a compaction keeps the newest share of messages, without results of dropped calls", () => {
  const property = fc.property(
    fc.array(message, { maxLength: 12 }),
    fc.constantFrom(0.2, 0.3, 0.5, 1),
    (all, share) => {
      const first = all.findIndex((_, index) => all.length - index <= Math.ceil(all.length * share));
      const newest = all.filter((_, index) => index >= first);
      const isCalled = (wanted: unknown) =>
        newest.some(
          ({ role, tool_calls }) =>
            role === "assistant" &&
            Array.isArray(tool_calls) &&
            tool_calls.some((one) => one !== null && typeof one === "object" && "id" in one && one.id === wanted),
        );
      const kept = newest.filter(
        ({ role, tool_call_id: own }) => role !== "tool" || own === "" || own == null || isCalled(own),
      );
      expect(retainCandidates(all, share)).toEqual(newest);
      expect(withoutOrphans(newest)).toEqual(kept);
      expect(retained(all, share)).toEqual(kept);
    },
  );
  fc.assert(property, { numRuns: 1000 });
});

it("a compaction keeps all messages if the share would keep none", () => {
  const messages = [{ role: "user" }, { role: "assistant" }];
  expect(retainCandidates(messages, 0)).toEqual(messages);
});
