import { expect, it } from "vitest";
import { outputText } from "./output";

it("the output of a call excludes Codex's header", () => {
  expect(
    outputText("Chunk ID: ab12\nWall time: 0.05 seconds\nProcess exited with code 0\nOutput:\na\nOutput:\nb"),
  ).toBe("a\nOutput:\nb");
  expect(outputText("Exit code: 1\nWall time: 2 seconds\nOutput:\n")).toBe("");
});

it("the output of a call is found in the format of older versions", () => {
  expect(outputText('{"output":"a\\nb","metadata":{"exit_code":0}}')).toBe("a\nb");
  expect(outputText('{"output":"cut off')).toBe('{"output":"cut off');
  expect(outputText('{"output":3}')).toBe('{"output":3}');
});

it("an output in any other format is returned unchanged", () => {
  expect(outputText("Output:\na")).toBe("Output:\na");
  expect(outputText("Wall time: unknown")).toBe("Wall time: unknown");
});
