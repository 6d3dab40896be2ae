import { describe, expect, it } from "vitest";
import { ansiSpans, stripAnsi } from "./ansi";

const ESC = "\u001b";

describe("text with ANSI codes", () => {
  it("is unchanged if it has none", () => {
    expect(ansiSpans("<b>plain</b> 读取")).toEqual([{ text: "<b>plain</b> 读取" }]);
  });

  it("keeps colours and weights as spans", () => {
    expect(ansiSpans(`a${ESC}[1;31mred${ESC}[22m thin${ESC}[0m b`)).toEqual([
      { text: "a" },
      { text: "red", bold: true, colour: 1 },
      { text: " thin", colour: 1 },
      { text: " b" },
    ]);
  });

  it("loses 256 colours, true colours, cursor moves, titles and other controls", () => {
    const text = `${ESC}[38;5;196mx${ESC}[48;2;1;2;3my${ESC}[2Kz${ESC}]0;title\u0007w\u0000${ESC}[?25l`;
    expect(
      ansiSpans(text)
        .map((span) => span.text)
        .join(""),
    ).toBe("xyzw");
    expect(stripAnsi(text)).toBe("xyzw");
  });

  it("is read without a hang or an error if a sequence is incomplete", () => {
    expect(stripAnsi(`a${ESC}]never ends${"x".repeat(100_000)}`)).toBe("a");
    expect(stripAnsi(`a${ESC}[31`)).toBe("a[31");
  });
});
