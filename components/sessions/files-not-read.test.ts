import { describe, expect, it } from "vitest";
import { setApart } from "./files-not-read";
import { aView } from "./testing";

const rows = [
  aView("manifest", { state: "failed" }),
  aView("a", { state: "ready" }),
  aView("expected", { state: "failed" }),
  aView("b", { state: "indexing" }),
];

const idsOf = (options: Parameters<typeof setApart>[1]) => setApart(rows, options).rows.map(({ id }) => id);

describe("files that could not be read", () => {
  it("are folded, and counted", () => {
    expect(idsOf({ filtered: false, unfolded: false })).toEqual(["a", "b"]);
    expect(setApart(rows, { filtered: false, unfolded: false }).foldable).toBe(2);
  });

  it("come first when they are unfolded, and can be folded again", () => {
    expect(idsOf({ filtered: false, unfolded: true })).toEqual(["manifest", "expected", "a", "b"]);
    expect(setApart(rows, { filtered: false, unfolded: true }).foldable).toBe(2);
  });

  it("are found where something is searched for, behind the sessions", () => {
    expect(idsOf({ filtered: true, unfolded: false })).toEqual(["a", "b", "manifest", "expected"]);
    expect(setApart(rows, { filtered: true, unfolded: true }).foldable).toBe(0);
  });

  it("are shown where there is nothing else", () => {
    const alone = rows.filter(({ state }) => state === "failed");
    expect(setApart(alone, { filtered: false, unfolded: false })).toEqual({ rows: alone, foldable: 0 });
  });
});
