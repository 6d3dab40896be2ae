import { expect, it } from "vitest";
import { compareHref, MAX_SELECTED, sweepHref, toggledId } from "./use-list-state";

it("a session can be added and removed, but not added to a full selection", () => {
  expect(toggledId([], "a")).toEqual(["a"]);
  expect(toggledId(["a", "b"], "a")).toEqual(["b"]);
  const full = Array.from({ length: MAX_SELECTED }, (_, number) => `${number}`);
  expect(toggledId(full, "more")).toEqual(full);
  expect(toggledId(full, "0")).toHaveLength(MAX_SELECTED - 1);
});

it("addresses name the sessions in the order of selection", () => {
  expect(compareHref(["b", "a~pi"])).toBe("/compare?sessions=b,a~pi");
  expect(sweepHref(["b", "a", "c"])).toBe("/sessions/b?tab=sweep&with=a,c");
  expect(sweepHref(["b"])).toBe("/sessions/b?tab=sweep");
});
