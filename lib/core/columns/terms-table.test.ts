import { expect, it } from "vitest";
import { HeldTerms, processOf } from "../transcript/held-terms";
import { TermsTable } from "./from-transcript";

it("the table stores equal terms once, and replaces process ids by numbers", () => {
  const table = new TermsTable();
  const here = processOf("1.0", "/home/ada/secret", "s-1");
  const there = processOf("1.1", "/home/ada/secret", "s-1");
  const terms = [
    { speed: "fast", ...(here === undefined ? {} : { process: here }) },
    { speed: "fast", ...(there === undefined ? {} : { process: there }) },
    { speed: "fast", ...(here === undefined ? {} : { process: here }) },
  ];
  expect(terms.map((one) => table.index(one))).toEqual([0, 1, 0]);
  expect(table.rows).toEqual([
    { speed: "fast", process: 0 },
    { speed: "fast", process: 1 },
  ]);
  expect(JSON.stringify(table.rows)).not.toContain("secret");
});

it("a request has no process number if nothing identifies a process", () => {
  expect(processOf(undefined, undefined)).toBeUndefined();
  expect(processOf(undefined, "/a")).not.toBe(processOf("/a", undefined));
});

it("a request refers to its terms by index, or by −1 if it has none", () => {
  const held = new HeldTerms();
  expect(held.index({ speed: undefined })).toBe(-1);
  const first = held.index({ effort: "high", speed: undefined });
  expect(held.index({ effort: "high" })).toBe(first);
  expect(held.index({ speed: "high" })).not.toBe(first);
  expect(held.at(first)).toEqual({ effort: "high" });
});
