import { describe, expect, it } from "vitest";
import { boundaryEntries } from "../../shared/boundaries/entries";
import { foldedRuns } from "../../shared/boundaries/runs";
import { compactionAt } from "../../testing/boundaries";
import { treeMove, treeRows } from "./tree-rows";

const simulated = Array.from({ length: 6 }, (_, at) => compactionAt(at, at < 4 ? { outcome: "clear" } : {}));
const entries = boundaryEntries([compactionAt(9)], simulated);
const sections = (["recorded", "simulated"] as const).map((kind) => {
  const own = entries.filter((entry) => entry.kind === kind);
  return { kind, count: own.length, listed: foldedRuns(own) };
});
const RUN = "run-simulated-0";

describe("the list of boundaries", () => {
  it("starts folded, and every row has its level and position", () => {
    const rows = treeRows(sections, new Set());
    expect(rows.map(({ key, level, position, siblings, parent }) => [key, level, position, siblings, parent])).toEqual([
      ["recorded", 1, 1, 2, -1],
      ["recorded-0", 2, 1, 1, 0],
      ["simulated", 1, 2, 2, -1],
      [RUN, 2, 1, 3, 2],
      ["simulated-4", 2, 2, 3, 2],
      ["simulated-5", 2, 3, 3, 2],
    ]);
  });

  it("unfolds a run and folds a section", () => {
    const rows = treeRows(sections, new Set([RUN, "recorded"]));
    expect(rows.map(({ key }) => key).slice(0, 4)).toEqual(["recorded", "simulated", RUN, "simulated-0"]);
    expect(rows[3]).toMatchObject({ level: 3, position: 1, siblings: 4, parent: 2 });
  });

  it("is navigated with the arrow keys", () => {
    const folded = treeRows(sections, new Set());
    expect(treeMove("ArrowDown", folded, 0)).toBe(1);
    expect(treeMove("ArrowUp", folded, 0)).toBe(0);
    expect(treeMove("End", folded, 0)).toBe(5);
    expect(treeMove("ArrowRight", folded, 3)).toBe("turn");
    expect(treeMove("ArrowLeft", folded, 3)).toBe(2);
    expect(treeMove("ArrowRight", folded, 1)).toBeUndefined();
    expect(treeMove("Tab", folded, 1)).toBeUndefined();
    const open = treeRows(sections, new Set([RUN]));
    expect(treeMove("ArrowRight", open, 3)).toBe(4);
    expect(treeMove("ArrowLeft", open, 3)).toBe("turn");
    expect(treeMove("ArrowLeft", open, 5)).toBe(3);
  });
});
