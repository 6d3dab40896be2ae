import { describe, expect, it } from "vitest";
import { type Filters, filterOptions, firstDirection, isFiltered, type Sort, selectRows } from "./row-selection";
import { aView } from "./testing";

const ALL: Filters = { q: "", agent: [], project: [], model: [], compacted: null, problems: null, cost: null };
const BY_ID: Sort = { key: "title", descending: false };

const rows = [
  aView("a", {
    title: "Alpha parser",
    agentId: "codex",
    agent: { mark: "Cx", label: "Codex" },
    project: "api",
    models: ["gpt-5"],
    compactions: 2,
    notRead: 0,
    oddities: 0,
    peak: 0.9,
    at: 10,
    state: "ready",
  }),
  aView("b", {
    title: "beta",
    agentId: "pi",
    project: "web",
    models: ["m1", "gpt-5"],
    compactions: 0,
    notRead: 3,
    oddities: 0,
    peak: 0.2,
    at: 30,
    state: "ready",
  }),
  aView("c", {
    title: "修复登录",
    file: "c.jsonl",
    agentId: "pi",
    project: null,
    compactions: null,
    notRead: null,
    peak: null,
    at: 20,
    state: "indexing",
  }),
  aView("d", { title: "delta", state: "failed", error: "Empty." }),
];

const ids = (filters: Partial<Filters>, sort: Sort = BY_ID) =>
  selectRows(rows, { ...ALL, ...filters }, sort).map((row) => row.id);

describe("selectRows", () => {
  it("takes everything without a filter", () => expect(ids({})).toHaveLength(4));

  it("finds every word in any of the texts, whatever the case", () => {
    expect(ids({ q: "PARSER codex" })).toEqual(["a"]);
    expect(ids({ q: "登录" })).toEqual(["c"]);
    expect(ids({ q: "c.jsonl" })).toEqual(["c"]);
    expect(ids({ q: "gpt-5" })).toEqual(["a", "b"]);
    expect(ids({ q: "parser web" })).toEqual([]);
    expect(ids({ q: "  " })).toHaveLength(4);
  });

  it("takes any of the chosen values, and all of the filters", () => {
    expect(ids({ agent: ["codex", "pi"] })).toEqual(["a", "b", "c"]);
    expect(ids({ agent: ["pi"], project: ["web"] })).toEqual(["b"]);
    expect(ids({ model: ["m1"] })).toEqual(["b"]);
  });

  it("leaves out what is not known yet, for yes and for no", () => {
    expect(ids({ compacted: "yes" })).toEqual(["a"]);
    expect(ids({ compacted: "no" })).toEqual(["b"]);
    expect(ids({ problems: "yes" })).toEqual(["b", "d"]);
    expect(ids({ problems: "no" })).toEqual(["a"]);
  });

  it("sorts both ways and keeps absent figures last", () => {
    expect(ids({}, { key: "peak", descending: true })).toEqual(["a", "b", "c", "d"]);
    expect(ids({}, { key: "peak", descending: false })).toEqual(["b", "a", "c", "d"]);
    expect(ids({}, { key: "when", descending: true })).toEqual(["b", "c", "a", "d"]);
  });

  it("does not touch its input", () => {
    const before = rows.map((row) => row.id);
    ids({}, { key: "when", descending: true });
    expect(rows.map((row) => row.id)).toEqual(before);
  });
});

describe("filterOptions", () => {
  it("counts, and puts the most frequent first", () => {
    const options = filterOptions(rows);
    expect(options.agent).toEqual([
      { value: "pi", label: "pi", count: 2 },
      { value: "codex", label: "Codex", count: 1 },
    ]);
    expect(options.project.map(({ value }) => value)).toEqual(["api", "web"]);
    expect(options.model).toEqual([
      { value: "gpt-5", label: "gpt-5", count: 2 },
      { value: "m1", label: "m1", count: 1 },
    ]);
  });
});

it("names projects by their last part, and two of one name by their paths", () => {
  const at = (id: string, project: string) => aView(id, { project, projectName: project.split("/").at(-1) ?? "" });
  const { project } = filterOptions([at("a", "/x/api"), at("b", "/y/api"), at("c", "/x/web"), at("d", "/x/web")]);
  expect(project.map(({ value, label }) => [value, label])).toEqual([
    ["/x/web", "web"],
    ["/x/api", "/x/api"],
    ["/y/api", "/y/api"],
  ]);
});

it("starts with the newest and the largest, but texts from A", () => {
  expect(firstDirection("when")).toEqual({ key: "when", descending: true });
  expect(firstDirection("title")).toEqual({ key: "title", descending: false });
});

it("knows whether anything is filtered", () => {
  expect(isFiltered(ALL)).toBe(false);
  expect(isFiltered({ ...ALL, q: " " })).toBe(false);
  expect(isFiltered({ ...ALL, problems: "no" })).toBe(true);
  expect(isFiltered({ ...ALL, model: ["m1"] })).toBe(true);
});

describe("what sessions cost", () => {
  const priced = [
    aView("a", { cost: 0.4, state: "ready" }),
    aView("b", { cost: null, state: "ready" }),
    aView("c", { cost: 12, state: "ready" }),
    aView("d", { cost: null, state: "indexing" }),
  ];
  const left = (cost: Filters["cost"], sort: Sort = BY_ID) =>
    selectRows(priced, { ...ALL, cost }, sort).map((row) => row.id);

  it("stands in order of the amounts, and what is not known stands last either way", () => {
    expect(left(null, { key: "cost", descending: true })).toEqual(["c", "a", "b", "d"]);
    expect(left(null, { key: "cost", descending: false })).toEqual(["a", "c", "b", "d"]);
    expect(firstDirection("cost")).toEqual({ key: "cost", descending: true });
  });

  it("narrows the list to at least an amount, or to what nobody knows", () => {
    expect([left("1"), left("10"), left("100")]).toEqual([["c"], ["c"], []]);
    expect(left("na")).toEqual(["b"]);
    expect(isFiltered({ ...ALL, cost: "na" })).toBe(true);
  });
});
