import { describe, expect, it } from "vitest";
import { boldWidth, shortenedTo, textWidth } from "./text-width";

describe("the estimated text width", () => {
  it("is at least the browser's width, and at most slightly more", () => {
    // Widths that Chromium measures in Inter at 11 px.
    const measured = [
      ["window 200,000", 88.5],
      ["threshold 160,000", 96.8],
      ["context window (inferred)", 133.4],
      ["156k → 22k", 62.5],
      ["Built-in tools", 66.7],
      ["tool results", 56.6],
      ["claude-opus-4", 81.3],
    ] as const;
    for (const [text, width] of measured) {
      expect(textWidth(text), text).toBeGreaterThanOrEqual(width);
      expect(textWidth(text), text).toBeLessThan(width * 1.05);
    }
  });

  it("counts a CJK character as wide as the font is high", () => {
    expect(textWidth("窗口")).toBe(22);
    expect(textWidth("")).toBe(0);
  });

  it("of a shortened text is within the limit, in any script", () => {
    const names = ["C Best timing of Claude Code", "C Claude Code的最佳时机", "A Recorded"];
    for (const name of names) {
      for (const width of [40, 80, 120, 160, 200]) {
        const shown = shortenedTo(name, width);
        expect(boldWidth(shown), `${shown} in ${width}`).toBeLessThanOrEqual(width);
        expect(name.startsWith(shown.replace(/…$/, ""))).toBe(true);
        if (boldWidth(name) <= width) expect(shown).toBe(name);
      }
    }
  });
});
