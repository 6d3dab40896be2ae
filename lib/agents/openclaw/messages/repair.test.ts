import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairPairing } from "./repair";

interface Call {
  readonly id: string;
  readonly name: string | undefined;
}

/** The rule, applied to the whole list at once. Source: README.md, "Pairs". */
function byDefinition(messages: readonly unknown[]) {
  const object = (index: number) => (messages[index] ?? {}) as Record<string, unknown>; // The arbitrary makes objects.
  const isAssistant = (index: number) => object(index).role === "assistant";
  const isResult = (index: number) => object(index).role === "toolResult";
  const callsAt = (index: number): readonly Call[] => {
    const blocks = isAssistant(index) ? (object(index).content as { type: string; id?: string; name?: string }[]) : [];
    return blocks.flatMap(({ type, id, name }) =>
      ["toolCall", "toolUse", "functionCall"].includes(type) && typeof id === "string" && id !== ""
        ? [{ id, name }]
        : [],
    );
  };
  const indices = messages.map((_, index) => index);
  /** The last response before a message; −1 if there is none. */
  const owner = (index: number) => indices.filter((at) => at < index && isAssistant(at)).at(-1) ?? -1;
  const idOf = (index: number) => {
    const { toolCallId, toolUseId } = object(index);
    return [toolCallId, toolUseId].find((id) => typeof id === "string" && id !== "");
  };
  const isCalled = (index: number) => callsAt(owner(index)).some(({ id }) => id === idOf(index));
  const wasCalledBefore = (frame: number, id: unknown) =>
    indices.some((at) => at < frame && callsAt(at).some((call) => call.id === id));

  const results = indices.filter(isResult);
  const orphans = results.filter((index) => !isCalled(index));
  const late = results.filter((index) => isCalled(index) && wasCalledBefore(owner(index), idOf(index)));
  const answers = (frame: number, id: string) =>
    results.filter((index) => owner(index) === frame && isCalled(index) && idOf(index) === id && !late.includes(index));

  const frames = indices.filter((index) => callsAt(index).length > 0);
  const slots = frames.flatMap((frame) =>
    callsAt(frame).map((call, place) => ({
      frame,
      call,
      answer: answers(frame, call.id)[0],
      again: wasCalledBefore(frame, call.id) || callsAt(frame).findIndex(({ id }) => id === call.id) < place,
    })),
  );
  const standIn = ({ id, name }: Call) => ({
    role: "toolResult",
    toolCallId: id,
    toolName: name ?? "unknown",
    isError: true,
    content: [
      {
        type: "text",
        text: "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.",
      },
    ],
    details: expect.anything(),
  });
  const added = slots.filter(({ answer }) => answer === undefined).map(({ call }) => standIn(call));
  const duplicates = late.length + slots.filter(({ again }) => again).length;
  const isMoved = frames.some(
    (frame) =>
      slots.some((slot) => slot.frame === frame && slot.answer !== undefined) &&
      indices.some((index) => owner(index) === frame && !isResult(index) && !isAssistant(index)),
  );
  const changed = added.length > 0 || duplicates > 0 || orphans.length > 0 || isMoved;
  const repaired = indices
    .filter((index) => !isResult(index))
    .flatMap((index) => [
      messages[index],
      ...slots
        .filter(({ frame, again }) => frame === index && !again)
        .map(({ call, answer }) => (answer === undefined ? standIn(call) : messages[answer])),
    ]);
  return { messages: changed ? repaired : messages, added, duplicates, orphans: orphans.length, changed };
}

const id = fc.constantFrom("x", "y", "z");
const block = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom("toolCall", "toolUse", "functionCall"),
      id,
      name: fc.constantFrom("exec", undefined),
    }),
  },
  fc.constantFrom({ type: "text", text: "x", id: "x" }, { type: "toolCall", id: "" }, { type: "toolCall" }),
);
const result = fc.oneof(
  id.map((toolCallId) => ({ role: "toolResult", toolCallId, content: [] })),
  id.map((toolUseId) => ({ role: "toolResult", toolUseId, content: [] })),
  id.map((toolUseId) => ({ role: "toolResult", toolCallId: "", toolUseId, content: [] })),
  fc.constant({ role: "toolResult", content: [] }),
);
/** Only a response can make calls. */
const POSED = { role: "user", content: [{ type: "toolCall", id: "x", name: "exec" }] };
const message = fc.oneof(
  { weight: 3, arbitrary: fc.array(block, { maxLength: 3 }).map((content) => ({ role: "assistant", content })) },
  { weight: 4, arbitrary: result },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, "text", 7, { role: "user", content: "hi" }, { role: "custom" }, POSED),
  },
);

describe("a repaired history", () => {
  it("matches the definition's history and counts", () => {
    const property = fc.property(fc.array(message, { maxLength: 14 }), (messages) => {
      const repaired = repairPairing(messages);
      expect(repaired).toEqual(byDefinition(messages));
      expect(repaired.messages === messages).toBe(!repaired.changed);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("keeps values that are not messages", () => {
    const odd = [null, "toolResult", 7, ["toolResult"], undefined, { role: "assistant" }, { content: "x" }];
    expect(repairPairing(odd)).toEqual({ messages: odd, added: [], duplicates: 0, orphans: 0, changed: false });
  });

  it("leaves a repeated result next to its call, if nothing else is wrong", () => {
    const call = { role: "assistant", content: [{ type: "toolCall", id: "x", name: "exec" }] };
    const twice = [call, { role: "toolResult", toolCallId: "x" }, { role: "toolResult", toolCallId: "x" }];
    expect(repairPairing(twice).messages).toBe(twice);
    expect(repairPairing([...twice, { role: "toolResult", toolCallId: "y" }])).toMatchObject({
      messages: twice.slice(0, 2),
      orphans: 1,
      duplicates: 0,
    });
  });

  it("moves a result before the messages between it and its call", () => {
    const call = { role: "assistant", content: [{ type: "toolCall", id: "x", name: "exec" }] };
    const typed = { role: "user", content: "wait" };
    const answer = { role: "toolResult", toolCallId: "x" };
    expect(repairPairing([call, typed, answer])).toMatchObject({ messages: [call, answer, typed], changed: true });
    // Messages after it count as moved too, though they stay in place.
    expect(repairPairing([call, answer, typed])).toMatchObject({ messages: [call, answer, typed], changed: true });
  });
});
