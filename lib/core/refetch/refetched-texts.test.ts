import { describe, expect, it } from "vitest";
import { type Step, writtenSession } from "../testing/texts";
import { recordedRefetchBoundaries } from "./boundaries";
import { refetchedTexts } from "./refetched-texts";

const FILE = "export function first() {}\nexport function second() {}\nexport const third = 3333;";
const read = (result: string, path = "/app/a.ts"): Step => ["call", "Read", { file_path: path }, result];

/** Results and lines that came back after each compaction, checks listed separately. */
function refetched(...steps: Step[]) {
  const { columns, index } = writtenSession(steps);
  return refetchedTexts(columns, index, recordedRefetchBoundaries(columns)).map(({ results, lines }) => ({
    results: results.filter(({ isCheck }) => !isCheck).length,
    lines: lines.filter(({ isCheck }) => !isCheck).reduce((sum, one) => sum + one.lines, 0),
    chars: lines.filter(({ isCheck }) => !isCheck).reduce((sum, one) => sum + one.chars, 0),
    checked: lines.filter(({ isCheck }) => isCheck).reduce((sum, one) => sum + one.lines, 0),
  }));
}

const NOTHING = { results: 0, lines: 0, chars: 0, checked: 0 };

it("the re-fetch report lists a file that was read again", () => {
  const chars = FILE.replaceAll("\n", "").length;
  expect(refetched(["typed", "go"], read(FILE), ["compaction"], read(FILE))).toEqual([
    { results: 1, lines: 3, chars, checked: 0 },
  ]);
});

it("the re-fetch report links the dropped result to the later one", () => {
  const { columns, index } = writtenSession([["typed", "go"], read(FILE), ["compaction"], ["says", "on"], read(FILE)]);
  const [after] = refetchedTexts(columns, index, recordedRefetchBoundaries(columns));
  const first = columns.overheadRows + 2;
  expect(after?.results).toMatchObject([{ dropped: first, again: first + 3 }]);
  expect(after?.lines).toMatchObject([{ dropped: first, again: first + 3, lines: 3 }]);
});

it("the re-fetch report ignores the same call with another result", () => {
  const other = "export const other = 44444;";
  expect(refetched(["typed", "go"], read(FILE), ["compaction"], read(other))).toEqual([NOTHING]);
});

it("the re-fetch report lists only lines if another call has the same result", () => {
  expect(refetched(["typed", "go"], read(FILE), ["compaction"], read(FILE, "/app/b.ts"))[0]).toMatchObject({
    results: 0,
    lines: 3,
  });
});

it("the re-fetch report does not count kept content, or content that the summary quotes", () => {
  expect(refetched(["typed", "go"], read(FILE), ["compaction", 2], read(FILE))).toEqual([NOTHING]);
  const summary: Step = ["summary", "It had this line:\n  export const third = 3333;"];
  expect(refetched(["typed", "go"], read(FILE), ["compaction"], summary, read(FILE))[0]).toMatchObject({ lines: 2 });
});

it("the re-fetch report counts each line once, at its first return", () => {
  expect(refetched(["typed", "go"], read(FILE), ["compaction"], read(FILE), read(FILE), read(FILE))[0]).toMatchObject({
    results: 1,
    lines: 3,
  });
});

it("the re-fetch report does not count lines of typed messages or of the model's own calls", () => {
  expect(refetched(["typed", FILE], ["call", "Write", { content: FILE }, "ok"], ["compaction"], read(FILE))).toEqual([
    NOTHING,
  ]);
});

it("the re-fetch report omits lines that occur in the results of three different calls", () => {
  const licence = "Licensed under the Apache Licence";
  const steps = ["/app/a.ts", "/app/b.ts"].map((path) => read(licence, path));
  expect(refetched(["typed", "go"], ...steps, ["compaction"], read(licence, "/app/c.ts"))).toEqual([NOTHING]);
  // The same call three times is one source.
  expect(refetched(["typed", "go"], read(licence), read(licence), ["compaction"], read(licence))[0]).toMatchObject({
    lines: 1,
  });
});

it("the re-fetch report lists repeated checks separately from re-fetched content", () => {
  const run: Step = ["call", "Bash", { command: "npm test" }, FILE];
  expect(refetched(["typed", "go"], run, ["compaction"], run, read(FILE))).toEqual([{ ...NOTHING, checked: 3 }]);
});

it("the re-fetch report lists whole results of checks separately, but only of real checks", () => {
  const results = (command: string) => {
    const run: Step = ["call", "Bash", { command }, FILE];
    return refetched(["typed", "go"], run, ["compaction"], run)[0]?.results;
  };
  expect([results("cd app && npm test"), results("git status"), results("cat test.log"), results("git show")]).toEqual([
    0, 0, 1, 1,
  ]);
});

it("the re-fetch report ignores the model's thinking, which is in no later context", () => {
  expect(refetched(["thinks", FILE], ["says", "on"], ["compaction"], read(FILE))).toEqual([NOTHING]);
  expect(refetched(read(FILE), ["compaction"], ["thinks", FILE], read(FILE))[0]).toMatchObject({ lines: 3 });
});

it("the re-fetch report does not count reminders, which the agent puts into any result", () => {
  const reminder = "<system-reminder>Never forget this important rule</system-reminder>";
  expect(refetched(["typed", "go"], read(`${reminder}`), ["compaction"], read(reminder, "/app/b.ts"))).toEqual([
    NOTHING,
  ]);
});

it("the re-fetch report of a compaction ends at the next compaction", () => {
  expect(refetched(["typed", "go"], read(FILE), ["compaction"], ["says", "on"], ["compaction"], read(FILE))).toEqual([
    NOTHING,
    NOTHING,
  ]);
  expect(
    refetched(["typed", "go"], read(FILE), ["compaction", 2], ["says", "on"], ["compaction"], read(FILE))[1],
  ).toMatchObject({ results: 1, lines: 3 });
});

it("the re-fetch report does not count content removed by a rollback", () => {
  expect(refetched(["typed", "go"], read(FILE), ["rollback", 1], ["says", "on"], ["compaction"], read(FILE))).toEqual([
    NOTHING,
  ]);
});

describe("re-fetched lines", () => {
  /** True for each later result that reads the file whose dropped result held its lines. */
  function sameFile(...steps: Step[]) {
    const { columns, index } = writtenSession(steps);
    const [after] = refetchedTexts(columns, index, recordedRefetchBoundaries(columns));
    return after?.lines.map(({ isSameFile, lines }) => [lines, isSameFile]);
  }
  const shell = (command: string, result: string): Step => ["call", "Bash", { command }, result];
  const HEAD = "import { Injectable } from '@nestjs/common';";

  it("count as from the same file, whatever part of it a tool read, and whatever tool", () => {
    const part: Step = ["call", "Read", { file_path: "/app/a.ts", offset: 2 }, "export function second() {}"];
    expect(sameFile(["typed", "go"], read(FILE), ["compaction"], part)).toEqual([[1, true]]);
    const shown = shell("cd /app && sed -n '1,9p' /app/a.ts", FILE);
    expect(sameFile(["typed", "go"], read(FILE), ["compaction"], shown)).toEqual([[3, true]]);
  });

  it("do not count as from the same file if another file begins with the same lines", () => {
    const other = read(`${HEAD}\nexport class Other {}`, "/app/b.ts");
    expect(sameFile(["typed", "go"], read(`${HEAD}\n${FILE}`), ["compaction"], other)).toEqual([[1, false]]);
  });

  it("do not count as from the same file if they came from a command in its folder", () => {
    const twice = (pattern: string) => shell(`cd /srv/app && rg ${pattern}`, "src/a.ts:12: const third = 3333;");
    expect(sameFile(["typed", "go"], twice("third"), ["compaction"], twice("3333"))).toEqual([[1, false]]);
  });

  it("do not count as from the same file if a result only acknowledges a write to it", () => {
    const edit = (text: string): Step => [
      ...(["call", "Edit", { file_path: "/app/a.ts", old_string: text, new_string: "z" }] as const),
      "The file /app/a.ts has been updated successfully.",
    ];
    expect(sameFile(["typed", "go"], edit("a"), ["compaction"], edit("b"))).toEqual([[1, false]]);
    const patch = (text: string): Step => [
      ...(["call", "apply_patch", `*** Begin Patch\n*** Update File: /app/a.ts\n-${text}\n*** End Patch`] as const),
      "Success. Updated the following files:",
    ];
    expect(sameFile(["typed", "go"], patch("a"), ["compaction"], patch("b"))).toEqual([[1, false]]);
  });
});
