import { expect, it } from "vitest";
import { outputText } from "./output";

it("omits Codex's header about a call", () => {
  expect(
    outputText("Chunk ID: ab12\nWall time: 0.05 seconds\nProcess exited with code 0\nOutput:\na\nOutput:\nb"),
  ).toBe("a\nOutput:\nb");
  expect(outputText("Exit code: 1\nWall time: 2 seconds\nOutput:\n")).toBe("");
});

it("reads the output of older versions", () => {
  expect(outputText('{"output":"a\\nb","metadata":{"exit_code":0}}')).toBe("a\nb");
  expect(outputText('{"output":"cut off')).toBe('{"output":"cut off');
  expect(outputText('{"output":3}')).toBe('{"output":3}');
});

it("returns any other output unchanged", () => {
  expect(outputText("Output:\na")).toBe("Output:\na");
  expect(outputText("Wall time: unknown")).toBe("Wall time: unknown");
});
