import { expect, test } from "vitest";
import { TranscriptBuilder } from "./builder";
import type { Transcript } from "./model";

function transcript(origin: "typed" | "context"): Transcript {
  const builder = new TranscriptBuilder({ keepChars: 0, byteLength: (text) => text.length });
  builder.message({ role: "user", origin, line: 1, blocks: [] });
  return builder.finish("a-format", null);
}

const getterOf = (one: Transcript) => Object.getOwnPropertyDescriptor(one, "messages")?.get;

test("each transcript creates its messages once, through a getter shared by all transcripts", () => {
  const [first, second] = [transcript("typed"), transcript("context")];
  expect(first.messages).toBe(first.messages);
  expect([first, second].map(({ messages }) => messages.map(({ origin }) => origin))).toEqual([["typed"], ["context"]]);
  expect({ ...first }.messages).toEqual(first.messages);
  expect(getterOf(first)).toBe(getterOf(second));
});
