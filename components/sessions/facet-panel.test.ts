import { describe, expect, it } from "vitest";
import { facetOptions } from "./facet-panel";
import { chosenOptions, listRequest, toggled } from "./filters";
import { NO_FILTERS, someChoices } from "./testing/rows";

describe("the choices of a filter", () => {
  const counts = (...pairs: readonly (readonly [string | null, number])[]) =>
    pairs.map(([value, sessions]) => ({ value, sessions, label: value }));

  it("have the server's counts, and include selected values without sessions", () => {
    const choices = someChoices({ model: counts(["opus", 3], [null, 2]) });
    expect(facetOptions("model", choices, { ...NO_FILTERS, model: ["opus", "gone"] })).toEqual([
      { value: "opus", label: "opus", count: 3, isChosen: true },
      { value: "gone", label: "gone", count: 0, isChosen: true },
    ]);
  });

  it("count all sessions at or above each minimum cost", () => {
    const choices = someChoices({ cost: counts(["0", 9], ["1", 4], ["100", 2], [null, 5]) });
    const options = facetOptions("cost", choices, { ...NO_FILTERS, cost: "10" });
    expect(options.map(({ value, count }) => [value, count])).toEqual([
      ["1", 6],
      ["10", 2],
      ["100", 2],
      ["na", 5],
    ]);
    expect(options.find(({ isChosen }) => isChosen)?.value).toBe("10");
  });

  it("are yes and no for features of sessions", () => {
    const choices = someChoices({ faulty: counts(["1", 2], ["0", 7]), compacted: counts(["0", 1]) });
    const count = (facet: "problems" | "compacted") => facetOptions(facet, choices, NO_FILTERS).map((one) => one.count);
    expect([count("problems"), count("compacted")]).toEqual([
      [2, 7],
      [0, 1],
    ]);
  });
});

describe("pressing a value", () => {
  it("adds it to the selected ones, or removes it", () => {
    const filters = { ...NO_FILTERS, agent: ["pi"], compacted: "yes" as const, cost: "1" as const };
    expect(toggled(filters, "agent", "codex")).toEqual({ agent: ["pi", "codex"] });
    expect(toggled(filters, "agent", "pi")).toEqual({ agent: null });
    expect(toggled(filters, "compacted", "no")).toEqual({ compacted: "no" });
    expect(toggled(filters, "compacted", "yes")).toEqual({ compacted: null });
    expect(toggled(filters, "cost", "na")).toEqual({ cost: "na" });
    expect(toggled(filters, "cost", "1")).toEqual({ cost: null });
    expect(chosenOptions(filters)).toEqual([
      { facet: "agent", value: "pi" },
      { facet: "compacted", value: "yes" },
      { facet: "cost", value: "1" },
    ]);
  });
});

describe("the list's request to the server", () => {
  const byTitle = { key: "title", descending: false } as const;

  it("has a condition for every filter", () => {
    const filters = { ...NO_FILTERS, q: " cold cache ", agent: ["pi"], model: ["a", "b"], version: ["1.0"] };
    const { q, where } = listRequest(
      { ...filters, compacted: "no", near: "no", problems: "yes", cost: "10" },
      byTitle,
      "among",
    );
    expect(q).toBe("cold cache");
    expect(where).toEqual([
      ...["agent=pi", "model=a", "model=b", "version=1.0"],
      ...["compacted=0", "fill<0.85", "faulty=1", "cost>=10"],
    ]);
    expect(listRequest({ ...NO_FILTERS, cost: "na" }, byTitle, "among").where).toEqual(["cost=", "state=read"]);
  });

  it("excludes unreadable files, or requests only these", () => {
    expect(listRequest(NO_FILTERS, byTitle, "folded").where).toEqual(["state!=failed"]);
    expect(listRequest(NO_FILTERS, byTitle, "only").where).toEqual(["state=failed"]);
  });

  it("sorts by the values that the column shows", () => {
    expect(listRequest(NO_FILTERS, { key: "peak", descending: true }, "among").sort).toBe("-peakShare");
    expect(listRequest(NO_FILTERS, { key: "when", descending: false }, "among").sort).toBe("when");
  });
});
