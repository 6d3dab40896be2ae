import { expect, it } from "vitest";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { CLEARED_TOKENS } from "@/lib/core/columns/membership";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { claudeCodePolicy } from "./policy";

const MINUTE = 60_000;
/** Three calls with their results, followed by a prompt. Row 0 is the overhead. */
const SESSION = "u10 c5 r900 c5 r800 c5 r700 a20 u30 a5 u40 a5";
const PROMPT = 9;
const RESULTS = [3, 5, 7];

/** The session, with its first prompt after the calls typed this many minutes after the last response. */
function paused(minutes: number, tools: readonly string[] = ["Read", "bash", "Grep"]): SessionColumns {
  const columns = drawColumns(SESSION);
  const tool = columns.tool.slice();
  RESULTS.forEach((row, index) => {
    tool[row] = index;
  });
  return {
    ...columns,
    tool,
    tables: { ...columns.tables, tools: [...tools] },
    at: Float64Array.from(columns.at, (_, row) => (row >= PROMPT ? minutes * MINUTE : 0)),
    requests: { ...columns.requests, at: columns.requests.at.map((_, point) => (point > 4 ? minutes * MINUTE : 0)) },
  };
}

function clearings(columns: SessionColumns, given: Readonly<Record<string, unknown>>) {
  const context = { window: 1_000_000, agent: "claude-code" };
  const settings = resolveSettings(claudeCodePolicy.settings("reported", context), { keepToolResults: 1, ...given });
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const { compactions } = replay({ columns, tokens }, claudeCodePolicy, settings, {
    window: context.window,
    counting: "estimate",
  });
  return compactions.map(({ request, outcome, cleared }) => ({ request, outcome, cleared }));
}

const cleared = (...rows: readonly number[]) => [
  { request: 4, outcome: "clear", cleared: rows.map((row) => [row, CLEARED_TOKENS]) },
];

it("the policy clears nothing by default", () => {
  expect(clearings(paused(600), {})).toEqual([]);
});

it("the policy clears all but the newest results once after a long enough pause", () => {
  expect(clearings(paused(59), { clearIdleMinutes: 60 })).toEqual([]);
  expect(clearings(paused(60), { clearIdleMinutes: 60 })).toEqual(cleared(3, 5));
  expect(clearings(paused(60), { clearIdleMinutes: 60, keepToolResults: 2 })).toEqual(cleared(3));
  expect(clearings(paused(60), { clearIdleMinutes: 60, keepToolResults: 3 })).toEqual([]);
});

it("the policy neither clears nor counts results of other tools", () => {
  const columns = paused(90, ["WebFetch", "Edit", "TodoWrite"]);
  expect(clearings(columns, { clearIdleMinutes: 60 })).toEqual(cleared(3));
});

it("the policy clears nothing if times are not recorded", () => {
  const columns = paused(90);
  const unknown = { ...columns, at: columns.at.map(() => Number.NaN) };
  expect(clearings(unknown, { clearIdleMinutes: 1 })).toEqual([]);
});
