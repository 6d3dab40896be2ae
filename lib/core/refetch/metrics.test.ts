import fc from "fast-check";
import { expect, it } from "vitest";
import { KIND, ORIGIN, type SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import { sizeTokenColumn } from "../columns/token-columns";
import { customPolicy } from "../compaction/policies/custom";
import { recordedReplay } from "../compaction/policies/recorded";
import { resolveSettings } from "../compaction/policy/settings";
import { replay } from "../compaction/replay";
import { runs } from "../testing/runs";
import { type Step, writtenSession } from "../testing/texts";
import { simulatedRefetchBoundaries } from "./boundaries";
import type { RefetchIndex } from "./index-builder";
import { refetchedOf } from "./metrics";
import { refetchesIn } from "./refetch";
import { refetchMeasures, replayIndex } from "./replay-index";

/** The session with the columns that replays read. */
function measured(steps: readonly Step[]) {
  const { columns, index } = writtenSession(steps);
  const measures = refetchMeasures(replayIndex(index));
  const session: SessionColumns = { ...columns, measures };
  return { columns: session, tokens: sizeTokenColumn(columns, "bytes-4"), index };
}

const use = (path: string, result = "ok"): Step => ["call", "Read", { file_path: path }, result];
const LINE = "export const answer = compute();";
const edit: Step = ["call", "Edit", { file_path: "/x/y.ts", old_string: LINE, new_string: "z" }, "ok"];

it("the metric counts lost content and the tokens of the smallest results that bring it back", () => {
  const long = `${LINE}\n${"x".repeat(400)}`;
  const list: Step = ["call", "Glob", { pattern: "**" }, "/app/a.ts /app/b.ts"];
  const { columns, tokens } = measured([
    list,
    use("/x/long.ts", long),
    use("/app/a.ts", long),
    ["compaction"],
    use("/app/a.ts"),
    edit,
  ]);
  const run = recordedReplay({ columns, tokens }, 200_000);
  const found = refetchedOf(columns, run, true);
  expect(found).toMatchObject({ count: 2, sureCount: 1 });
  const [listed, read] = [columns.overheadRows + 1, columns.overheadRows + 3];
  expect(found?.sureTokens).toBe(tokens[read]);
  expect(found?.tokens).toBe((tokens[listed] ?? 0) + (tokens[read] ?? 0));
  expect([...(found?.byRequest ?? [])]).toEqual([[3, 2]]);
});

it("a result that brings back several contents has its tokens counted once", () => {
  const both: Step = ["call", "Glob", { pattern: "**" }, "/app/a.ts /app/b.ts"];
  const { columns, tokens } = measured([both, ["compaction"], use("/app/a.ts"), use("/app/b.ts")]);
  const found = refetchedOf(columns, recordedReplay({ columns, tokens }, 200_000), true);
  expect(found).toMatchObject({ count: 2, tokens: tokens[columns.overheadRows + 1] });
});

it("the metric is absent, not 0, if the texts were not indexed", () => {
  const { columns, tokens } = measured([use("/app/a.ts"), ["compaction"], use("/app/a.ts")]);
  expect(refetchedOf({ ...columns, measures: {} }, recordedReplay({ columns, tokens }, 200_000), true)).toBeUndefined();
});

/** A session of reads, edits and words about few files. */
const steps = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("a", "b", "c"))
      .map(([path, line]): Step => use(`/app/${path}.ts`, `export function of_${line}_only() {}`)),
    fc
      .constantFrom("a", "b", "c")
      .map(
        (line): Step => [
          "call",
          "Edit",
          { file_path: "/x/y.ts", old_string: `export function of_${line}_only() {}` },
          "ok",
        ],
      ),
    fc.constantFrom("a", "b").map((path): Step => ["typed", `please look at app/${path}.ts now`]),
    fc.constantFrom("b", "c").map((path): Step => ["says", `I looked at app/${path}.ts`]),
  ),
  { minLength: 4, maxLength: 40 },
);

it("the metric equals a search for every mention, under any schedule", () => {
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 60, max: 300 }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      (drawn, window, share) => {
        const { columns, tokens, index } = measured([["typed", "begin"], ...drawn]);
        const context = { window, agent: null };
        const settings = resolveSettings(customPolicy.settings("default", context), {
          triggerShare: 0.7,
          keepRecentTokens: Math.floor(window * share),
          summaryTokens: 10,
        });
        const run = replay({ columns, tokens }, customPolicy, settings, { window, counting: "estimate" });
        const boundaries = simulatedRefetchBoundaries(columns, run);
        const walked = refetchesIn(columns, index, boundaries, false);
        const naive = lookedUp(columns, index, boundaries);
        expect(
          walked.paths.map(
            ({ boundary, needed: refetched, path, origin }) => `${boundary} ${refetched} ${path} ${origin}`,
          ),
        ).toEqual(naive.paths);
        expect(walked.edits.map(({ boundary, needed: refetched }) => `${boundary} ${refetched}`)).toEqual(naive.edits);
        const found = refetchedOf(columns, run, false);
        expect([found?.count, found?.sureCount]).toEqual([naive.paths.length + naive.edits.length, naive.edits.length]);
      },
    ),
    { numRuns: runs(60) },
  );
});

/** The definitions, item by item: no summary has a text, and nothing is re-attached. */
function lookedUp(
  columns: SessionColumns,
  index: RefetchIndex,
  boundaries: ReturnType<typeof simulatedRefetchBoundaries>,
) {
  const paths: string[] = [];
  const edits: string[] = [];
  const gone = new Set<number>();
  for (const [number, { dropped, from }] of boundaries.entries()) {
    const now = new Set(dropped);
    const kept = range(columns.overheadRows, from).filter((row) => !gone.has(row) && !now.has(row));
    const to = boundaries[number + 1]?.from ?? columns.length;
    const counted = new Set<number>();
    for (const call of range(from, to).filter((row) => columns.kind[row] === KIND.tool_call)) {
      const since = range(from, call);
      const names = (rows: readonly number[], path: number) =>
        rows.some((row) => raggedRow(index.mentions, row).includes(path));
      const holds = (rows: readonly number[], line: number) =>
        rows.some((row) => raggedRow(index.lines, row).includes(line));
      const [, ...lines] = raggedRow(index.edits, call);
      if (
        lines.length > 0 &&
        lines.every((line) => holds(dropped, line) && !holds(kept, line) && !holds(since, line))
      ) {
        edits.push(`${number} ${call}`);
      }
      for (const path of raggedRow(index.uses, call)) {
        if (counted.has(path) || !names(dropped, path) || names(kept, path)) continue;
        counted.add(path);
        const others = since.filter((row) => columns.origin[row] !== ORIGIN.response);
        paths.push(`${number} ${call} ${path} ${names(others, path) ? "foundAgain" : "unexplained"}`);
      }
    }
    for (const row of dropped) gone.add(row);
  }
  return { paths, edits };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
