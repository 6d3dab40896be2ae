import fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK_KINDS } from "./block-list";
import { MESSAGE_ORIGINS, MESSAGE_ROLES, MessageList } from "./message-list";
import type { Block, Message } from "./model";

const size = fc.nat({ max: 2 ** 28 });
const name = fc.constantFrom("", "a", "b", "__proto__", "工具");

const block: fc.Arbitrary<Block> = fc.record(
  {
    kind: fc.constantFrom(...BLOCK_KINDS),
    text: fc.record(
      { chars: size, bytes: size, value: fc.string() },
      { noNullPrototype: true, requiredKeys: ["chars", "bytes"] },
    ),
    source: fc.record(
      { line: size, offset: fc.nat({ max: 2 ** 40 }), length: size, part: fc.nat() },
      { noNullPrototype: true },
    ),
    callId: name,
    tool: name,
    file: name,
    isError: fc.constant(true),
  },
  { noNullPrototype: true, requiredKeys: ["kind", "text", "source"] },
);

const message: fc.Arbitrary<Message> = fc.record(
  {
    role: fc.constantFrom(...MESSAGE_ROLES),
    origin: fc.constantFrom(...MESSAGE_ORIGINS),
    line: size,
    at: fc.integer({ min: 0, max: Date.UTC(2100, 11, 31) }),
    blocks: fc.array(block, { maxLength: 4 }),
    recordedOnly: fc.constant(true),
    initialContext: fc.constant(true),
    notResumed: fc.constant(true),
  },
  { noNullPrototype: true, requiredKeys: ["role", "origin", "line", "blocks"] },
);

function listOf(messages: readonly Message[]): MessageList {
  const list = new MessageList();
  for (const one of messages) list.push(one);
  return list;
}

test("messages are read back unchanged, even after the columns have grown", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), fc.integer({ min: 1, max: 200 }), (messages, times) => {
      const many = Array.from({ length: times }, () => messages).flat();
      const list = listOf(many);
      expect(list.toArray()).toStrictEqual(many);
      expect(list.firstBlock(list.length)).toBe(many.reduce((sum, { blocks }) => sum + blocks.length, 0));
    }),
    { numRuns: 50 },
  );
});

test("extending a list adds blocks to its last message", () => {
  fc.assert(
    fc.property(message, fc.array(block), (one, later) => {
      const list = listOf([one, one]);
      list.extendLast(later);
      expect(list.toArray()).toStrictEqual([one, { ...one, blocks: [...one.blocks, ...later] }]);
    }),
  );
});

test("a long list returns the same messages if read between additions, copied or continued", () => {
  const source = { line: 1, offset: 2 ** 40, length: 3, part: 0 };
  const blockOf = (chars: number): Block => ({ kind: "text", text: { chars, bytes: chars * 2 }, source });
  const list = new MessageList();
  const pushed = (from: number, to: number) => {
    for (let at = from; at < to; at++) list.push({ role: "user", origin: "typed", line: at, blocks: [blockOf(at)] });
  };
  const sizes = (one: MessageList) => Array.from(one.blocks.chars.subarray(0, one.blocks.length));
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
  pushed(0, 20_000);
  expect(list.blocks.block(19_999)).toEqual(blockOf(19_999));
  expect(list.blocks.charsAt(8192)).toBe(8192);
  expect(sizes(list)).toEqual(upTo(20_000));
  pushed(20_000, 30_000);
  const copy = list.copy();
  pushed(30_000, 45_000);
  copy.push({ role: "user", origin: "typed", line: 0, blocks: [blockOf(7)] });
  expect(sizes(list)).toEqual(upTo(45_000));
  expect(sizes(copy)).toEqual([...upTo(30_000), 7]);
  expect(list.blocks.block(44_999)).toEqual(blockOf(44_999));
  expect(list.line(44_999)).toBe(44_999);
});
