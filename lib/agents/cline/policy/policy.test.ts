import { describe, expect, it, test } from "vitest";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { clinePolicy } from "./policy";
import { removedMessages, triggerOf } from "./threshold";

/** Limits that `getContextWindowInfo` of the cited release returned when it was run; fractions are rounded up here. */
test.each([
  [8192, 6554],
  [64_000, 37_000],
  [65_536, 52_429],
  [128_000, 98_000],
  [131_072, 104_858],
  [200_000, 160_000],
  [262_144, 222_144],
  [333_333, 293_333],
  [1_048_576, 1_008_576],
])("a window of %i fires at %i", (window, tokens) => {
  expect(triggerOf(window)).toBe(tokens);
});

/** Number of messages, index of the last removed one, and numbers that `getNextTruncationRange` removed for "half" and "quarter". */
test.each([
  [3, 1, 0, 0],
  [5, 1, 0, 2],
  [7, 1, 2, 2],
  [11, 1, 4, 6],
  [13, 1, 4, 8],
  [17, 1, 6, 10],
  [21, 1, 8, 14],
  [41, 1, 18, 28],
  [21, 9, 4, 8],
  [41, 19, 10, 14],
])(
  "a truncation of %i messages after number %i removes %i (half) or %i (three quarters)",
  (messages, last, half, quarter) => {
    const rest = messages - last - 1;
    expect([removedMessages(rest, 100, 100), removedMessages(rest, 201, 100)]).toEqual([half, quarter]);
  },
);

/** Sizes are tokens; a window of 1,000 fires at 800. */
function run(session: string | SessionColumns, given: Readonly<Record<string, unknown>> = {}) {
  const columns = typeof session === "string" ? drawColumns(session) : session;
  const specs = clinePolicy.settings("v3.89.2", { window: 1000, agent: "cline" });
  const settings = resolveSettings(specs, { summaryTokens: 50, ...given });
  return replay(countedBySize(columns, "bytes-4"), clinePolicy, settings, { window: 1000, counting: "estimate" })
    .compactions;
}

/** Three exchanges after the first pair; a truncation removes the first of the three. */
const TASK = "u10 x5 a90 c10 r100 c10 r100 c10 r100";

describe("a truncation", () => {
  it("fires when the previous request and its answer reach the limit, whatever is sent next", () => {
    expect(run(`${TASK} a364 u500 a1`)).toEqual([]);
    expect(run(`${TASK} a365 u1 a1`)).toMatchObject([{ request: 4, outcome: "trim", summaryCallTokens: 0 }]);
  });

  it("keeps the first pair, with a note for its answer, and drops a result whose call was dropped", () => {
    const columns = drawColumns("u10 x5 a90 u5 c10 r100 c10 r100 a480 u1 a1");
    const [compaction] = run(columns);
    // Removed are the second prompt and the first call; the result of that call starts the kept part.
    expect(compaction).toMatchObject({ outcome: "trim", tokensAfter: 10 + 5 + 84 + 10 + 100 + 480 + 1 });
  });

  it("removes three quarters if half would not be enough", () => {
    const long = (answer: number) => run(`u10 a10 u1 a1 u1 a1 u1 a1 u1 a${answer} u1 a1`)[0]?.tokensAfter;
    // The last request sent 27 tokens.
    expect(long(1573)).toBe(10 + 84 + 1 + 1 + 1 + 1573 + 1);
    expect(long(1574)).toBe(10 + 84 + 1 + 1574 + 1);
  });

  it("changes the first answer only once, and nothing if there are too few messages", () => {
    expect(run("u100 a900 u1 a1")).toEqual([]);
    const [first, second] = run("u10 a90 u200 a200 u200 a200 u1 a1 u300 a100 u1 a1");
    expect([first?.truncated.length, second?.truncated.length]).toEqual([1, 0]);
  });
});

describe("repeated reads of a file", () => {
  /** All calls of a session read one file. */
  function reading(drawing: string): SessionColumns {
    const columns = drawColumns(drawing);
    const file = columns.kind.map((kind) => (kind === KIND.tool_call ? 0 : -1));
    const tool = columns.kind.map((kind) => (kind === KIND.tool_call ? 0 : -1));
    const tables = { ...columns.tables, files: ["a.ts"], tools: ["read_file"] };
    return { ...columns, file: Int32Array.from(file), tool: Int32Array.from(tool), tables };
  }

  it("are replaced by notes, and nothing is dropped if that saves enough", () => {
    const [compaction] = run(reading("u10 a90 u1 c10 r300 c10 r300 c10 r100 a1 u1 a1"));
    // The heading has 31 characters, the note 153.
    expect(compaction).toMatchObject({
      outcome: "clear",
      tokensAfter: 10 + 90 + 1 + 10 + 46 + 10 + 46 + 10 + 100 + 1 + 1,
    });
  });

  it("stay replaced when a truncation follows because the notes save too little", () => {
    const [compaction] = run(reading("u10 a90 u1 c10 r100 c10 r60 c10 r60 c10 r100 a600 u1 a1"));
    expect(compaction).toMatchObject({ outcome: "trim", tokensAfter: 10 + 84 + 10 + 46 + 10 + 100 + 600 + 1 });
  });
});

describe("a summary instead of a truncation", () => {
  const summarising = (drawing: string, given = {}) => run(drawing, { autoCondense: true, ...given });

  it("keeps the first pair with notes, and adds the summary", () => {
    const [compaction] = summarising(`${TASK} a365 u1 a1`);
    expect(compaction).toMatchObject({ outcome: "summary", tokensAfter: 8 + 5 + 84 + 10 + 50, summaryCallTokens: 801 });
  });

  it("does not cover an earlier summary", () => {
    expect(summarising("u10 a90 u700 a1 u1 a1", { summaryTokens: 800 })).toHaveLength(1);
  });

  it.each(["always", "empty"])("keeps the history if the call fails (%s)", (failSummary) => {
    expect(summarising(`${TASK} a365 u1 a1`, { failSummary })).toMatchObject([{ outcome: "failed" }]);
  });
});
