import { expect, test } from "vitest";
import { nextNamed } from "./choice";

const OPTIONS = [
  ["codex", "Codex"],
  ["claude-code", "Claude Code"],
  ["pi", "pi"],
] as const;

test("a letter goes to the next value of that letter, in turn and whatever its case", () => {
  expect(nextNamed(OPTIONS, "codex", "c")).toBe("claude-code");
  expect(nextNamed(OPTIONS, "claude-code", "C")).toBe("codex");
  expect(nextNamed(OPTIONS, undefined, "P")).toBe("pi");
  expect(nextNamed(OPTIONS, "pi", "p")).toBe("pi");
  expect(nextNamed(OPTIONS, "pi", "x")).toBeUndefined();
});
