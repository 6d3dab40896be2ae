import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PI_PRESETS } from "../base/presets";
import { messagesTokens, messageTokens } from "../estimator";
import { toMessage } from "./message";

/**
 * A block of a message, with its counted units in a message of a user, a tool or an extension, and in a response. Source: README.md, "Message sizes".
 */
interface Sample {
  readonly block: unknown;
  readonly content: number;
  readonly response: number;
  readonly isImage?: boolean;
}

const text = fc.stringMatching(/^[a中😀]{0,9}$/u);
const sample: fc.Arbitrary<Sample> = fc.oneof(
  text.map((one) => ({ block: { type: "text", text: one }, content: one.length, response: one.length })),
  text.map((thinking) => ({ block: { type: "thinking", thinking }, content: 0, response: thinking.length })),
  fc.record({ name: text, args: fc.dictionary(text, text, { maxKeys: 2 }) }).map(({ name, args }) => ({
    block: { type: "toolCall", id: "counts nothing", name, arguments: args },
    content: 0,
    response: name.length + JSON.stringify(args).length,
  })),
  fc.constant({ block: { type: "image", data: "iVBO" }, content: 0, response: 0, isImage: true }),
  fc.constantFrom({ type: "redacted", text: "hidden" }, null, 7).map((block) => ({ block, content: 0, response: 0 })),
);
const samples = fc.array(sample, { maxLength: 6 });

describe.each(PI_PRESETS)("%s", (preset) => {
  it("a message counts a quarter of its blocks' lengths, rounded up once", () => {
    const property = fc.property(samples, (list) => {
      const images = list.filter(({ isImage }) => isImage === true).length * 4800;
      const content = list.reduce((sum, one) => sum + one.content, 0);
      const response = list.reduce((sum, one) => sum + one.response, 0);
      const of = (role: string) => messageTokens(toMessage({ role, content: list.map(({ block }) => block) }), preset);
      expect(of("user")).toBe(Math.ceil((content + (preset === "current" ? images : 0)) / 4));
      expect([of("toolResult"), of("custom")]).toEqual(Array(2).fill(Math.ceil((content + images) / 4)));
      expect(of("assistant")).toBe(Math.ceil(response / 4));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("a prompt counts its text, sections and added tools, but only in 1.5.2", () => {
    const sections = { rules: "12345", gone: null };
    const toolsAdded = [{ name: "read" }];
    const of = (fields: object) => messageTokens(toMessage({ role: "system", content: "abc", ...fields }), preset);
    const json = JSON.stringify(toolsAdded).length;
    const chars = [of({}), of({ sections }), of({ toolsAdded }), of({ sections, toolsAdded })];
    const expected = [3, 8, 3 + json, 8 + json].map((size) => (preset === "current" ? Math.ceil(size / 4) : 0));
    expect(chars).toEqual(expected);
  });

  it("a command counts with its output, a summary without its wrapper, and an unknown role as 0", () => {
    const message = { command: "abc", output: "de", summary: "123456789", content: "x".repeat(99) };
    const roles = ["bashExecution", "branchSummary", "compactionSummary", "hologram"];
    const each = roles.map((role) => toMessage({ role, ...message }));
    expect(each.map((one) => messageTokens(one, preset))).toEqual([2, 3, 3, 0]);
    expect(messagesTokens(each, preset)).toBe(8);
  });
});
