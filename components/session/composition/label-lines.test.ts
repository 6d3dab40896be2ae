import fc from "fast-check";
import { expect, it } from "vitest";
import { textWidth } from "@/components/charts/text-width";
import { labelLines } from "./tile-view";

it("a label breaks after punctuation and spaces, or inside a long word, and its last line is cut", () => {
  expect(labelLines("test-attribution.go", 80, 3)).toEqual(["test-", "attribution.go"]);
  expect(labelLines("testenv_test.go", 42, 3)).toEqual(["testenv", "_test.go"]);
  expect(labelLines("npm run test", 50, 2)).toEqual(["npm run", "test"]);
  expect(labelLines("npm test", 60, 2)).toEqual(["npm test"]);
  expect(labelLines("abcdefghijklmnopqrstuvwxyz", 60, 2)[1]).toMatch(/…$/);
  expect(labelLines("abcdefghijklmnopqrstuvwxyz", 40, 2)).toHaveLength(1);
  expect(labelLines("上下文窗口回放", 34, 3)).toEqual(["上下文", "窗口回", "放"]);
});

it("a label has at most as many lines as fit, and no extra text", () => {
  const property = fc.property(
    fc.string({ maxLength: 80, unit: "binary" }),
    fc.integer({ min: 28, max: 200 }),
    fc.integer({ min: 1, max: 3 }),
    (text, room, most) => {
      const lines = labelLines(text, room, most);
      expect(lines.length).toBeLessThanOrEqual(most);
      for (const line of lines) if ([...line].length > 2) expect(textWidth(line)).toBeLessThanOrEqual(room);
      const shown = lines.join("").replaceAll(/\s/g, "").replace(/…$/, "");
      expect(text.replaceAll(/\s/g, "").startsWith(shown)).toBe(true);
    },
  );
  fc.assert(property);
});
