import { expect, test } from "vitest";
import { titleOf } from "./title";

test("a title is the first line with something on it, at a title's length", () => {
  expect(titleOf("\n \t\n  Fix the build  \nand more")).toBe("Fix the build");
  expect(titleOf("x".repeat(200))).toBe("x".repeat(80));
  expect([titleOf(""), titleOf(" \n "), titleOf(undefined), titleOf(5)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("it is cut between characters, and looked for at the beginning alone", () => {
  expect(titleOf(`${"x".repeat(79)}🙂`)).toBe("x".repeat(79));
  expect(titleOf(`${"x".repeat(78)}🙂`)).toBe(`${"x".repeat(78)}🙂`);
  expect(titleOf(`${"\n".repeat(3000)}late`)).toBeUndefined();
});
