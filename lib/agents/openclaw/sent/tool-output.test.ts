import { describe, expect, it } from "vitest";
import { keptOutput } from "./tool-output";

describe("the output that OpenClaw's own tools return", () => {
  it("is the first 200,000 chars of a command's output", () => {
    expect(keptOutput("a".repeat(200_000), "exec")).toHaveLength(200_000);
    expect(keptOutput("a".repeat(200_001), "exec")).toHaveLength(200_000);
    expect(keptOutput("a".repeat(200_001), undefined)).toHaveLength(200_000);
  });

  it("is at most the first 2,000 whole lines of a file", () => {
    const lines = (count: number) => Array.from({ length: count }, () => "l").join("\n");
    expect(keptOutput(lines(2000), "read")).toBe(lines(2000));
    expect(keptOutput(lines(2001), "Read")).toBe(lines(2000));
    expect(keptOutput(lines(2001), "exec")).toBe(lines(2001));
  });

  it("is at most 50 KB of a file's lines, and empty if the first line is longer", () => {
    const line = "语".repeat(1000);
    const lines = (count: number) => Array.from({ length: count }, () => line).join("\n");
    expect(keptOutput(lines(17), "read")).toBe(lines(17));
    expect(keptOutput(lines(18), "read")).toBe(lines(17));
    expect(keptOutput("a".repeat(51_200), "read")).toHaveLength(51_200);
    expect(keptOutput("a".repeat(51_201), "read")).toBe("");
  });
});
