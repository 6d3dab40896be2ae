import { expect, it } from "vitest";
import type { Choice } from "@/lib/core/base/facet-keys";
import { type SessionSummary, sessionChoices } from "@/lib/queries/contract/schemas";
import { DIALECTS_HERE, emptyDatabases } from "../testing/databases";
import { emptySummary, listedRows } from "../testing/listed-rows";
import { choicesOf, choicesQuery } from "./choices";
import { IndexColumns } from "./index/index-columns";

const LISTED = { sources: ["s"] };

const read = (change: Partial<SessionSummary>, cost: number | null = null) =>
  // Choices read only these metrics.
  ({ ...emptySummary(), ...change, costUsd: { total: cost } }) as SessionSummary;

const SESSIONS = [
  { id: "a", agent: "codex", project: "/x/shop", summary: read({ agent: "codex", models: ["m", "n"] }, 120) },
  { id: "b", agent: "codex", project: "/y/shop", summary: read({ agent: "codex", models: ["m"] }, 12) },
  { id: "c", agent: "pi", project: "/y/api", summary: read({ agent: "pi", agentVersion: "2.0" }) },
  { id: "d", agent: "pi", project: "/y/api", error: "d.jsonl is empty.", errorCode: "empty" as const },
  { id: "e", agent: null, project: null },
];

for (const dialect of DIALECTS_HERE) {
  const emptyDatabase = emptyDatabases(dialect);
  const ask = async (query: object) => {
    const database = await emptyDatabase();
    await listedRows(database, SESSIONS);
    const { total, choices } = sessionChoices.parse(
      await choicesOf(new IndexColumns(database), LISTED, choicesQuery.parse(query)),
    );
    const counts = (key: Choice) => choices[key].map(({ value, sessions }) => [value, sessions]);
    return { total, counts, labels: (key: Choice) => choices[key].map(({ label }) => label) };
  };

  it(`${dialect}: every value has its number of sessions and its name`, async () => {
    const { counts, labels, total } = await ask({});
    expect(total.sessions).toBe(5);
    expect(counts("agent")).toEqual([
      ["codex", 2],
      ["pi", 2],
      [null, 1],
    ]);
    expect(labels("agent")).toEqual(["Codex", "pi", null]);
    expect(labels("project")).toEqual(["api", null, "x/shop", "y/shop"]);
    expect(counts("model")).toEqual([
      ["m", 2],
      ["n", 1],
    ]);
    expect(counts("state")).toEqual([
      ["read", 3],
      ["failed", 1],
      ["unread", 1],
    ]);
    expect(counts("compacted")).toEqual([["0", 3]]);
    expect(counts("faulty")).toEqual([
      ["0", 3],
      ["1", 1],
    ]);
    expect(new Map(counts("cost").map(([value, sessions]) => [value, sessions]))).toEqual(
      new Map([
        ["100", 1],
        ["10", 1],
        [null, 1],
      ]),
    );
  });

  it(`${dialect}: a selection narrows the values of all other keys, but not of its own`, async () => {
    const { counts, total } = await ask({ where: ["agent=codex", "model=n"] });
    expect(total.sessions).toBe(1);
    expect(counts("agent")).toEqual([["codex", 1]]);
    expect(counts("model")).toEqual([
      ["m", 2],
      ["n", 1],
    ]);
    expect(counts("project")).toEqual([["/x/shop", 1]]);
    expect((await ask({ agent: "pi" })).counts("agent")).toHaveLength(3);
    expect((await ask({ where: ["cost>=100"] })).counts("cost")).toHaveLength(3);
  });

  it(`${dialect}: a key has at most the requested number of values`, async () => {
    expect((await ask({ limit: 1 })).counts("project")).toEqual([["/y/api", 2]]);
  });
}
