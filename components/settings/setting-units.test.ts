import { describe, expect, it } from "vitest";
import type { NumberSpec } from "./trigger-setting";
import { fieldLimits, fromField, numberOf, place, toField } from "./use-words";

const source = { kind: "ours", text: "test" } as const;
const share: NumberSpec = {
  key: "share",
  label: "share",
  type: "number",
  unit: "share",
  min: 0.05,
  max: 1,
  step: 0.01,
  default: 0.8,
  source,
};
const tokens: NumberSpec = {
  ...share,
  key: "tokens",
  unit: "tokens",
  min: 0,
  max: 200_000,
  step: 500,
  default: 20_000,
};

describe("setting fields", () => {
  it("show shares as percentages without floating-point noise", () => {
    expect(toField(share, 0.57)).toBe(57);
    expect(toField(tokens, 12_000)).toBe(12_000);
  });

  it("accept numbers with separators", () => {
    expect(fromField(share, "85")).toBe(0.85);
    expect(fromField(tokens, "12,500")).toBe(12_500);
    expect(fromField(tokens, " 0 ")).toBe(0);
  });

  it("accept numbers with the suffixes k and M", () => {
    expect(fromField(tokens, "13k")).toBe(13_000);
    expect(fromField(tokens, "12.5 K")).toBe(12_500);
    expect(fromField(tokens, "0.1m")).toBe(100_000);
    for (const text of ["k", "13kk", "13x", "1e3"]) expect(fromField(tokens, text)).toBeUndefined();
  });

  it("state the accepted range in their own unit", () => {
    expect(fieldLimits(share)).toEqual({ min: 5, max: 100, whole: false });
    expect(fieldLimits(tokens)).toEqual({ min: 0, max: 10_000_000, whole: true });
  });

  it("refuse texts that are not numbers or out of range", () => {
    for (const text of ["", "abc", "100000000", "-1", "1.5"]) expect(fromField(tokens, text)).toBeUndefined();
    expect(fromField(share, "101")).toBeUndefined();
  });

  it("place values on the track", () => {
    expect(place(tokens, 50_000)).toBe(0.25);
    expect(place({ ...tokens, max: 0 }, 0)).toBe(0);
    expect(numberOf(tokens, "never")).toBe(20_000);
  });
});
