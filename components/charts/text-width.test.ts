import { describe, expect, it } from "vitest";
import { textWidth } from "./text-width";

describe("text width", () => {
  it("counts wide characters as wide", () => {
    expect(textWidth("window")).toBeCloseTo(37.2);
    expect(textWidth("\u7a97\u53e3")).toBe(22);
    expect(textWidth("")).toBe(0);
  });
});
