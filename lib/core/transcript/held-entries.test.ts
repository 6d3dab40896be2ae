import fc from "fast-check";
import { expect, test } from "vitest";
import { TranscriptBuilder } from "./builder";
import { HeldEntries, type NewEntry, ROOT } from "./held-entries";
import type { Block } from "./model";

interface Facts {
  readonly name: string;
}

const id = fc.constantFrom(undefined, "a", "b", "c");
const size = fc.nat({ max: 1_000_000 });

const block: fc.Arbitrary<Block> = fc.record(
  {
    kind: fc.constantFrom("text", "tool_call", "tool_result"),
    text: fc.record({ chars: size, bytes: size }, { noNullPrototype: true }),
    source: fc.record({ line: size, offset: size, length: size, part: size }, { noNullPrototype: true }),
    callId: fc.constantFrom("x", "y"),
  },
  { noNullPrototype: true },
);

const entry: fc.Arbitrary<NewEntry<Facts>> = fc.record({
  line: size,
  at: fc.option(size, { nil: undefined }),
  id,
  parent: fc.option(id, { nil: null }),
  facts: fc.record({ name: fc.constantFrom("one", "two") }, { noNullPrototype: true }),
  usage: fc.option(
    fc.record(
      { input: size, cacheRead: size, cacheWrite: size, output: size, reasoning: size },
      { noNullPrototype: true, requiredKeys: ["input"] },
    ),
    { nil: undefined },
  ),
  blocks: fc.array(block, { maxLength: 3 }),
});

const newBuilder = () => new TranscriptBuilder({ keepChars: 0, byteLength: (text) => text.length });

test("entries and their messages are read back unchanged", () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), fc.boolean(), (entries, shared) => {
      const builder = newBuilder();
      const held = new HeldEntries<Facts>(builder.heldBlocks());
      const indices = entries.map((one) => held.push(shared ? { ...one, key: one.facts.name } : one));
      expect(indices).toEqual(entries.map((_, index) => index));
      const parentOf = (parent: string | null | undefined) =>
        parent === null ? ROOT : parent === undefined ? -1 : held.ids.find(parent);
      for (const [index, one] of entries.entries()) {
        expect([held.line(index), held.at(index), held.usage(index)]).toEqual([one.line, one.at, one.usage]);
        expect(held.facts(index)).toEqual(one.facts);
        expect(held.id(index)).toBe(one.id === undefined ? -1 : held.ids.find(one.id));
        expect(held.parent(index)).toBe(parentOf(one.parent));
        builder.messageOfRows({ role: "user", origin: "typed", line: one.line }, held.blocks, held.rows(index));
      }
      expect(held.namesNoParents).toBe(entries.every(({ parent }) => parent === undefined));
      const { messages } = builder.finish("a-format", null);
      expect(messages.map(({ blocks }) => blocks)).toEqual(entries.map(({ blocks }) => blocks));
    }),
    { numRuns: 200 },
  );
});

test("a builder rejects rows of a list that does not share its names", () => {
  const held = newBuilder().heldBlocks();
  const facts = { role: "user", origin: "typed", line: 1 } as const;
  expect(() => newBuilder().messageOfRows(facts, held, { firstBlock: 0, endBlock: 0 })).toThrow("share their names");
});
