import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentMessage, missingResult } from "./message";
import { pairedResults, repairFrames } from "./pairing-frames";

/**
 * Histories in a test notation: `A:x,y` a response that calls x and y, `F:x` one that failed, `a` one without calls, `r:x` a result for x, `m:x` a
 * stand-in for it, `u` a user message.
 */
function historyOf(text: string): AgentMessage[] {
  const parts = text.split(" ").filter((part) => part !== "");
  return parts.map((part, index) => messageOf(part.slice(0, 1), part.slice(2), `${part} at ${index}`));
}

function messageOf(kind: string, ids: string, mark: string): AgentMessage {
  const calls = ids.split(",").map((id) => ({ type: "toolCall", id, name: "exec" }));
  switch (kind) {
    case "A":
      return { role: "assistant", content: calls, mark };
    case "F":
      return { role: "assistant", content: calls, stopReason: "aborted", mark };
    case "a":
      return { role: "assistant", content: [{ type: "text", text: "done" }], mark };
    case "r":
      return { role: "toolResult", toolCallId: ids, toolName: "exec", content: [], isError: true, mark };
    case "m":
      return { ...missingResult({ id: ids, name: "exec" }), mark };
    default:
      return { role: "user", content: "hi", mark };
  }
}

const id = fc.constantFrom("x", "y", "z");
const part = fc.oneof(
  fc.tuple(fc.constantFrom("A", "A", "F"), fc.array(id, { minLength: 1, maxLength: 3 })),
  fc.tuple(
    fc.constantFrom("r", "r", "r", "m"),
    id.map((one) => [one]),
  ),
  fc.tuple(fc.constantFrom("a", "u"), fc.constant([])),
);
const history = fc
  .array(part, { maxLength: 14 })
  .map((parts) => parts.map(([kind, ids]) => (ids.length > 0 ? `${kind}:${ids.join(",")}` : kind)).join(" "));

/** A call, by its frame and its place there, and the result that it finally gets. */
interface Slot {
  readonly id: string;
  readonly frame: number;
  answer?: AgentMessage;
}

const isStandIn = ({ mark }: AgentMessage) => String(mark).startsWith("m");
const isCalling = ({ mark }: AgentMessage) => /^[AF]/.test(String(mark));

/** The result of each call, in call order, defined frame by frame and id by id. Source: README.md, "Pairs". */
function answersOf(messages: readonly AgentMessage[]): readonly Slot[] {
  const frameAt = (index: number) => messages.slice(0, index + 1).filter(isCalling).length - 1;
  const slots: Slot[] = messages.filter(isCalling).flatMap(
    ({ content }, frame) => (content as { id: string }[]).map((call) => ({ id: call.id, frame })), // `historyOf` made these contents.
  );
  const results = messages.flatMap((message, index) =>
    message.role === "toolResult" ? [{ message, id: String(message.toolCallId), frame: frameAt(index) }] : [],
  );
  const within = (one: Slot, { id: other, frame }: { id: string; frame: number }) =>
    one.id === other && one.frame === frame;
  // Within a frame: first the first results in call order; then later real results for the stand-ins among these, again in call order.
  for (const slot of slots) {
    const place = slots.filter((one) => within(one, slot)).indexOf(slot);
    const own = results.filter((one) => within(slot, one)).map(({ message }) => message);
    const calls = slots.filter((one) => within(one, slot)).length;
    const [taken, later] = [own.slice(0, calls), own.slice(calls).filter((one) => !isStandIn(one))];
    const before = taken.slice(0, place).filter(isStandIn).length;
    const first = taken[place];
    const answer = first !== undefined && isStandIn(first) ? (later[before] ?? first) : first;
    if (answer !== undefined) slot.answer = answer;
  }
  // Across frames: only if exactly one earlier call waits for it.
  for (const { message, id: wanted, frame } of results) {
    if (slots.some((slot) => slot.id === wanted && slot.frame === frame)) continue;
    const waiting = slots.filter(
      (slot) =>
        slot.id === wanted &&
        slot.frame < frame &&
        (slot.answer === undefined || (isStandIn(slot.answer) && !isStandIn(message))),
    );
    if (waiting.length === 1) for (const slot of waiting) slot.answer = message;
  }
  return slots;
}

describe("the results of a history", () => {
  it("are paired with calls as defined, and unpaired ones are discarded in order", () => {
    const property = fc.property(history, (text) => {
      const messages = historyOf(text);
      const slots = answersOf(messages);
      const answers = new Set(slots.flatMap(({ answer }) => answer ?? []));
      expect(pairedResults(messages)).toEqual(answers);
      const expected = messages.filter((one) => one.role !== "toolResult" && !isCalling(one));
      const { messages: out, discarded } = repairFrames(messages);
      expect(discarded).toEqual(messages.filter((one) => one.role === "toolResult" && !answers.has(one)));
      expect(out.filter((one) => one.role !== "toolResult" && !isCalling(one))).toEqual(expected);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("come after their calls, with stand-ins for missing ones, and before any other message", () => {
    const property = fc.property(history, (text) => {
      const messages = historyOf(text);
      const slots = answersOf(messages);
      const others = messages.filter((one) => one.role !== "toolResult");
      const callings = others.filter(isCalling);
      const expected = others.flatMap((message) => {
        const frame = callings.indexOf(message);
        const failed = String(message.mark).startsWith("F");
        const results = slots
          .filter((slot) => slot.frame === frame)
          .flatMap(({ id: called, answer }) => answer ?? (failed ? [] : missingResult({ id: called, name: "exec" })));
        return [message, ...results];
      });
      expect(repairFrames(messages).messages).toEqual(expected);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

describe("examples", () => {
  const marks = (text: string) => {
    const { messages, discarded } = repairFrames(historyOf(text));
    const name = (message: AgentMessage) => String(message.mark ?? "missing");
    return [messages.map(name).join(", "), discarded.map(name).join(", ")];
  };

  it("a result takes the first free call with its id", () => {
    expect(marks("A:x,x r:x r:x r:x")).toEqual(["A:x,x at 0, r:x at 1, r:x at 2", "r:x at 3"]);
  });

  it("a late result moves to the only call that waits for it, never to one of several", () => {
    expect(marks("A:x A:y r:y r:x")).toEqual(["A:x at 0, r:x at 3, A:y at 1, r:y at 2", ""]);
    expect(marks("A:x A:x A:y r:x")).toEqual(["A:x at 0, missing, A:x at 1, missing, A:y at 2, missing", "r:x at 3"]);
  });

  it("a result that comes before all calls answers no call", () => {
    expect(marks("r:x u A:x")).toEqual(["u at 1, A:x at 2, missing", "r:x at 0"]);
    expect(marks("u r:x")).toEqual(["u at 0", "r:x at 1"]);
  });

  it("a real result replaces a stand-in of the same or an earlier frame", () => {
    expect(marks("A:x m:x r:x")).toEqual(["A:x at 0, r:x at 2", "m:x at 1"]);
    expect(marks("A:x m:x A:y r:x")).toEqual(["A:x at 0, r:x at 3, A:y at 2, missing", "m:x at 1"]);
    expect(marks("A:x m:x m:x")).toEqual(["A:x at 0, m:x at 1", "m:x at 2"]);
    expect(marks("A:x m:x A:y m:x")).toEqual(["A:x at 0, m:x at 1, A:y at 2, missing", "m:x at 3"]);
    expect(marks("A:x,x m:x r:x r:x")).toEqual(["A:x,x at 0, r:x at 3, r:x at 2", "m:x at 1"]);
  });

  it("only a response can make calls", () => {
    const posed = { role: "user", content: [{ type: "toolCall", id: "x", name: "exec" }] };
    const result = { role: "toolResult", toolCallId: "x", toolName: "exec", content: [] };
    expect(repairFrames([posed, result])).toEqual({ messages: [posed], discarded: [result] });
  });

  it("a failed response gets no stand-ins", () => {
    expect(marks("F:x,y r:y")).toEqual(["F:x,y at 0, r:y at 1", ""]);
  });
});

describe("a result without an id", () => {
  const legacy = (name: string | undefined, called: string | undefined, more: readonly string[] = []) => {
    const calls = ["c1", ...more].map((one) => ({ type: "toolCall", id: one, name: called }));
    const result: AgentMessage = { role: "toolResult", toolName: name, content: [], mark: "own" };
    const { messages, discarded } = repairFrames([{ role: "assistant", content: calls }, result]);
    return discarded.length > 0 ? undefined : messages[1];
  };

  it("belongs to the only call, as an error, and gets that call's name if it has none", () => {
    expect(legacy("read", "read")).toEqual({
      role: "toolResult",
      toolName: "read",
      content: [],
      mark: "own",
      toolCallId: "c1",
      isError: true,
    });
    expect(legacy(undefined, "read")).toMatchObject({ mark: "own", toolName: "read", toolCallId: "c1" });
    expect(legacy(" ", "read")).toMatchObject({ mark: "own", toolName: "read" });
    expect(legacy("read", undefined)).toMatchObject({ mark: "own", toolName: "read" });
    expect(legacy(" read", "read ")).toMatchObject({ mark: "own", toolName: "read" });
  });

  it("belongs to no call if there are several, or one with another name", () => {
    expect(legacy("read", "write")).toBeUndefined();
    expect(legacy("read", "read", ["c2"])).toBeUndefined();
  });
});

it.each([
  ["read", "exec", "read"],
  [" read\n", "exec", "read"],
  ["", "exec", "exec"],
  [undefined, " exec ", "exec"],
  ["  ", " ", "unknown"],
  ["", undefined, "unknown"],
  [7, undefined, 7],
  [undefined, undefined, undefined],
])("a result named %j for a call named %j is sent as %j", (own, called, expected) => {
  const call = { type: "toolCall", id: "x", name: called };
  const result: AgentMessage = { role: "toolResult", toolCallId: "x", toolName: own, content: [] };
  const out = repairFrames([{ role: "assistant", content: [call] }, result]).messages[1];
  expect(out).toEqual({ ...result, toolName: expected });
  // A result that needs no other name is the same message.
  expect(out === result).toBe(own === expected);
});

it("the repair recognises stand-ins by their mark or their text, and only among errors", () => {
  const { content, details } = missingResult({ id: "x", name: undefined });
  const call: AgentMessage = { role: "assistant", content: [{ type: "toolCall", id: "x", name: "exec" }] };
  const real: AgentMessage = { role: "toolResult", toolCallId: "x", toolName: "exec", content: [], isError: true };
  const kept = (first: AgentMessage) => repairFrames([call, { ...real, ...first }, real]).discarded[0] === real;
  expect(kept({ content: [] })).toBe(true);
  expect(kept({ details })).toBe(false);
  expect(kept({ content })).toBe(false);
  expect(kept({ content, details, isError: false })).toBe(true);
});
