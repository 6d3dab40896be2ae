import { expect, it } from "vitest";
import { parseCondition, unfilteredRequest } from "./filters";

it("the list takes only conditions from the address that the server understands", () => {
  expect(parseCondition("peak>=100000")).toEqual({ key: "peak", sign: ">=", value: "100000" });
  expect(parseCondition("fill<=0.5")).toEqual({ key: "fill", sign: "<=", value: "0.5" });
  expect(parseCondition("day=2026-01-31")).toEqual({ key: "day", sign: "=", value: "2026-01-31" });
  expect(parseCondition("cost=")).toEqual({ key: "cost", sign: "=", value: "" });
  for (const text of ["peak>=abc", "cost=$5", "needed>=", "day<=", "nope=1", "peak", ""]) {
    expect(parseCondition(text), text).toBeUndefined();
  }
});

it("filters apply to all sessions, and to samples only on request", () => {
  expect(unfilteredRequest({ q: "cache", where: ["agent=codex", "cost>=2"] })).toEqual({ q: "", where: [] });
  expect(unfilteredRequest({ q: "", where: ["agent=codex", "sample=1"] })).toEqual({ q: "", where: ["sample=1"] });
});
