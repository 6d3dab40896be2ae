import { expect, test } from "vitest";
import { shownTitle } from "@/lib/core/transcript/title";
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

test("where it was cut, an ellipsis is shown", () => {
  expect(shownTitle(titleOf("x".repeat(200)) ?? "")).toBe(`${"x".repeat(80)}…`);
  expect(shownTitle(titleOf(`${"x".repeat(79)} and more`) ?? "")).toBe(`${"x".repeat(79)}…`);
  expect(shownTitle(titleOf("x".repeat(79)) ?? "")).toBe("x".repeat(79));
  // An agent's own title may be longer: it was not cut.
  expect(shownTitle("x".repeat(200))).toBe("x".repeat(200));
});
