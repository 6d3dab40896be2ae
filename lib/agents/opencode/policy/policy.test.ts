import { describe, expect, it } from "vitest";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { opencodePolicy } from "./policy";

function run(columns: SessionColumns, window: number, given: Readonly<Record<string, unknown>>) {
  const specs = opencodePolicy.settings("current", { window: 1_000_000, agent: null });
  const settings = resolveSettings(specs, { summaryTokens: 10, ...given });
  const tokens = sizeTokenColumn(columns, "chars-4");
  return replay({ columns, tokens }, opencodePolicy, settings, { window, counting: "estimate" });
}

it("the policy clears an output only once, even if the placeholder is no smaller", () => {
  // Row 3 is older than two turns from request 5 on, row 7 from request 6 on.
  const drawing = "u5 | c5 r1 | a5 u5 | c5 r1 | a5 u5 a5 u5 a5 u5 a5";
  const clearing = { prune: true, pruneProtect: 0, pruneMinimum: 0 };
  const { compactions } = run(drawColumns(drawing), 1_000_000, clearing);
  expect(compactions.map(({ request, cleared }) => [request, cleared.map(([item]) => item)])).toEqual([
    [5, [3]],
    [6, [7]],
  ]);
});

describe("a compaction", () => {
  const given = { maxOutputTokens: 100, tailTurns: 1, preserveRecentTokens: 1000 };

  it("chooses its tail among the messages before the next typed one", () => {
    const { compactions } = run(drawColumns("u50 a50 u40 a60 u20 a1"), 300, given);
    const [one] = compactions;
    expect([one?.request, one?.kept, one?.entering]).toEqual([2, [3, 4, 5], 1]);
    expect([one?.tokensBefore, one?.summaryCallTokens]).toEqual([220, 100]);
  });

  it("keeps the continuing turn if it fires within a run", () => {
    const [one] = run(drawColumns("u50 a50 u40 a40 c20 r20 a1"), 280, given).compactions;
    expect([one?.request, one?.kept, one?.entering]).toEqual([2, [3, 4, 5, 6], 0]);
  });

  it("keeps the next typed message even if the tail may have no turn", () => {
    const [one] = run(drawColumns("u50 a50 u40 a60 u20 a1"), 300, { ...given, tailTurns: 0 }).compactions;
    expect([one?.kept, one?.entering]).toEqual([[5], 1]);
  });
});

it("the policy drops a result's media together with the result", () => {
  const columns = drawColumns("u50 | c5 | a5 r5 x20 a5 u5 a5");
  const late = columns.kind.indexOf(KIND.tool_result);
  columns.kind[late + 1] = KIND.image;
  columns.message[late + 1] = columns.message[late] ?? -1;
  const { compactions } = run(columns, 170, { maxOutputTokens: 100, tailTurns: 1, preserveRecentTokens: 90 });
  const kept = compactions[0]?.kept ?? [];
  expect(kept.length).toBeGreaterThan(0);
  expect(kept).not.toContain(late);
  expect(kept).not.toContain(late + 1);
});

describe("the rule of 2025", () => {
  // The second request sees 100 tokens sent and 10 answered.
  const drawing = "u100 | a10 u1 a1";
  const compactedAt = (columns: SessionColumns, usable: number, given: Readonly<Record<string, unknown>>) =>
    run(columns, usable + 100, { maxOutputTokens: 100, ...given }).compactions.map(({ request }) => request);

  it("fires only above the limit, unlike the current rule, which fires at it", () => {
    const columns = drawColumns(drawing);
    expect(compactedAt(columns, 110, {})).toEqual([1]);
    expect(compactedAt(columns, 110, { overflowRule: "2025" })).toEqual([]);
    expect(compactedAt(columns, 109, { overflowRule: "2025" })).toEqual([1]);
  });

  it("uses the whole input limit, without a reserve", () => {
    const columns = drawColumns(drawing);
    expect(compactedAt(columns, 12, { reserved: 2 })).toEqual([1]);
    expect(compactedAt(columns, 10, { reserved: 2, overflowRule: "2025" })).toEqual([]);
    expect(compactedAt(columns, 9, { reserved: 2, overflowRule: "2025" })).toEqual([1]);
  });

  it("excludes the cache writes of a recorded request", () => {
    const columns = drawColumns(drawing);
    columns.requests.input[0] = 70;
    columns.requests.cacheWrite[0] = 30;
    expect(compactedAt(columns, 109, {})).toEqual([1]);
    expect(compactedAt(columns, 109, { overflowRule: "2025" })).toEqual([]);
    expect(compactedAt(columns, 79, { overflowRule: "2025" })).toEqual([1]);
  });
});

it("a summary call sends at least 0 tokens if the recorded context is below its counted parts", () => {
  const columns = drawColumns("x40 u50 a50 @20 u40 a60 @30 u20 a1");
  const specs = opencodePolicy.settings("current", { window: 1_000_000, agent: null });
  const settings = resolveSettings(specs, { maxOutputTokens: 100, tailTurns: 1, preserveRecentTokens: 1000 });
  const tokens = sizeTokenColumn(columns, "chars-4");
  const { compactions } = replay({ columns, tokens }, opencodePolicy, settings, { window: 110, counting: "anchored" });
  expect(compactions.length).toBeGreaterThan(0);
  for (const { summaryCallTokens } of compactions) expect(summaryCallTokens).toBeGreaterThanOrEqual(0);
});
