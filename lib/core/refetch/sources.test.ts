import { expect, it } from "vitest";
import { FLAG } from "../columns/columns";
import { sizeTokenColumn } from "../columns/token-columns";
import { type Step, writtenSession } from "../testing/texts";
import { recordedRefetchBoundaries } from "./boundaries";
import { refetchesIn } from "./refetch";
import { Sources } from "./sources";

const LINE = "export const answer = compute();";
const CODE = `${LINE}\n${"// what it is about\n".repeat(40)}`;
const read = (result = CODE): Step => ["call", "Read", { file_path: "/app/a.ts" }, result];
const edit = (old: string): Step => [
  ...(["call", "Edit", { file_path: "/app/a.ts", old_string: old, new_string: "z" }] as const),
  "The file /app/a.ts has been updated successfully.",
];
const write: Step = ["call", "Write", { file_path: "/app/a.ts", content: CODE }, "File created: /app/a.ts"];

/** The dropped items, counted from 0, that would bring re-fetched content back after the compaction: of its edits, then of its paths. */
function sourcesOf(...steps: Step[]) {
  const { columns, index } = writtenSession(steps);
  const boundaries = recordedRefetchBoundaries(columns);
  const sources = new Sources(columns, index, boundaries, sizeTokenColumn(columns, "bytes-4"));
  const { paths, edits } = refetchesIn(columns, index, boundaries, true);
  const rows = [
    ...edits.flatMap((refetch) => sources.ofEdit(refetch)),
    ...paths.map((refetch) => sources.ofPath(refetch)),
  ];
  return rows.map((row) => row - columns.overheadRows);
}

it("the source of a file is the result that read it, not the smaller acknowledgement of an edit", () => {
  expect(sourcesOf(edit("x"), read(), edit("y"), ["compaction"], read())).toEqual([3]);
});

it("the source of an edited text is the call that wrote it, not the acknowledgement", () => {
  expect(sourcesOf(["typed", "go"], write, ["compaction"], edit(LINE))[0]).toBe(1);
  expect(sourcesOf(["typed", "go"], write, read(), ["compaction"], edit(LINE))[0]).toBe(4);
});

it("to-do lists and results without content are not sources", () => {
  const noted: Step = [
    "call",
    "TaskCreate",
    { description: "change /app/a.ts" },
    "Task #1 created successfully: change it",
  ];
  const moved: Step = ["call", "Bash", { command: "mv /app/b.ts /app/a.ts" }, ""];
  expect(sourcesOf(noted, moved, read(), ["compaction"], read())).toEqual([5]);
});

it("a result that reports an error is not a source", () => {
  const steps: Step[] = [read("no permission to read /app/a.ts"), read(), ["compaction"], read()];
  const { columns, index } = writtenSession(steps);
  const first = columns.overheadRows + 1;
  const sourceOf = () => {
    const boundaries = recordedRefetchBoundaries(columns);
    const sources = new Sources(columns, index, boundaries, sizeTokenColumn(columns, "bytes-4"));
    return refetchesIn(columns, index, boundaries, true).paths.map((refetch) => sources.ofPath(refetch));
  };
  expect(sourceOf()).toEqual([first]);
  columns.flags[first] = (columns.flags[first] ?? 0) | FLAG.ERROR;
  expect(sourceOf()).toEqual([first + 2]);
});

it("the source is the smallest item with the content if no result has the content", () => {
  const announced: Step = ["says", `I will change /app/a.ts. ${"And so on. ".repeat(20)}`];
  expect(sourcesOf(announced, edit("x"), ["compaction"], read())).toEqual([2]);
});
