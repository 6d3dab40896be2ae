import { expect, test } from "vitest";
import { nextNamed } from "./choice-panel";

const OPTIONS = [
  ["codex", "Codex"],
  ["claude-code", "Claude Code"],
  ["pi", "pi"],
] as const;

test("a letter selects the next value that begins with it, in upper or lower case", () => {
  expect(nextNamed(OPTIONS, "codex", "c")).toBe("claude-code");
  expect(nextNamed(OPTIONS, "claude-code", "C")).toBe("codex");
  expect(nextNamed(OPTIONS, undefined, "P")).toBe("pi");
  expect(nextNamed(OPTIONS, "pi", "p")).toBe("pi");
  expect(nextNamed(OPTIONS, "pi", "x")).toBeUndefined();
});

test("several letters select a name by its prefix, and a repeated letter the next match", () => {
  const typed = (text: string, value?: "codex" | "claude-code" | "pi") => nextNamed(OPTIONS, value, text);
  expect(typed("cl", "pi")).toBe("claude-code");
  expect(typed("co", "codex")).toBe("codex");
  expect(typed("claude c", "claude-code")).toBe("claude-code");
  expect(typed("cx", "pi")).toBeUndefined();
  expect(typed("cc", "codex")).toBe("claude-code");
  expect(typed("ccc", "claude-code")).toBe("codex");
  expect(typed("co", undefined)).toBe("codex");
});
