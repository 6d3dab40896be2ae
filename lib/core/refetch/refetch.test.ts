import { describe, expect, it } from "vitest";
import { type Step, writtenSession } from "../testing/texts";
import { recordedRefetchBoundaries } from "./boundaries";
import { askedAgain } from "./ledger";
import { refetchesIn } from "./refetch";

const use = (path: string, result = "ok"): Step => ["call", "Read", { file_path: path }, result];
const edit = (old: string): Step => ["call", "Edit", { file_path: "/x/y.ts", old_string: old, new_string: "z" }, "ok"];

function found(...steps: Step[]) {
  const { columns, index } = writtenSession(steps);
  const refetches = refetchesIn(columns, index, recordedRefetchBoundaries(columns), true);
  return {
    paths: refetches.paths.map(({ path, origin }) => `${index.paths[path]} ${origin}`),
    edits: refetches.edits.length,
  };
}

describe("re-fetches of paths", () => {
  const paths = (...steps: Step[]) => found(...steps).paths;

  it("count if the path is used after every mention was dropped", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/a.ts"))).toEqual(["/app/a.ts unexplained"]);
  });

  it("count as carried if the summary or an attachment names the path", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], ["summary", "see app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts carried",
    ]);
  });

  it("count as found again if a later result or typed message names the path first", () => {
    const list: Step = ["call", "Glob", { pattern: "**" }, "app/a.ts"];
    expect(paths(use("/app/a.ts"), ["compaction"], list, use("/app/a.ts"))).toEqual(["/app/a.ts foundAgain"]);
    expect(paths(use("/app/a.ts"), ["compaction"], ["typed", "look at app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts foundAgain",
    ]);
    expect(paths(use("/app/a.ts"), ["compaction"], ["says", "I read app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts unexplained",
    ]);
  });

  it("do not count if a kept item names the path", () => {
    expect(paths(use("/app/a.ts"), ["says", "I read app/a.ts"], ["compaction", 1], use("/app/a.ts"))).toEqual([]);
  });

  it("do not count if only the file's name is the same", () => {
    expect(paths(use("/app/a/index.ts"), ["compaction"], use("/app/b/index.ts"))).toEqual([]);
  });

  it("do not count if the path was never mentioned, or only in a written text", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/new.ts"))).toEqual([]);
    const write: Step = ["call", "Write", { file_path: "/app/b.ts", content: "open('/app/a.ts')" }, "ok"];
    expect(paths(use("/app/a.ts"), ["compaction"], write)).toEqual([]);
  });

  it("do not count for paths mentioned only in thinking or reminders", () => {
    expect(paths(["thinks", "see /app/a.ts"], ["says", "on"], ["compaction"], use("/app/a.ts"))).toEqual([]);
    const reminded = "done <system-reminder>/app/a.ts has changed</system-reminder>";
    expect(paths(use("/app/b.ts", reminded), ["compaction"], use("/app/a.ts"))).toEqual([]);
    // Thinking after the compaction does not count as a find either.
    expect(paths(use("/app/a.ts"), ["compaction"], ["thinks", "see /app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts unexplained",
    ]);
  });

  it("count once after a boundary, and after a later one only if the path came back in between", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/a.ts"), use("/app/a.ts"))).toHaveLength(1);
    expect(paths(use("/app/a.ts"), ["compaction"], ["says", "on"], ["compaction"], use("/app/a.ts"))).toEqual([]);
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/a.ts"), ["compaction"], use("/app/a.ts"))).toHaveLength(2);
  });

  it("do not count after a rollback", () => {
    expect(paths(["typed", "go"], use("/app/a.ts"), ["rollback", 1], ["compaction"], use("/app/a.ts"))).toEqual([]);
  });
});

describe("re-fetches of edits", () => {
  const OLD = "const answer = compute(input);\nreturn answer + correction;";
  const edits = (...steps: Step[]) => found(...steps).edits;

  it("count if the replaced text was in dropped items only", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], edit(OLD))).toBe(1);
  });

  it("do not count if one line was never there", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], edit(`${OLD}\nsomething that was never read`))).toBe(0);
  });

  it("do not count if one line is still there", () => {
    const kept: Step = ["says", "return answer + correction;"];
    expect(edits(use("/x/z.ts", OLD), kept, ["compaction", 1], edit(OLD))).toBe(0);
    expect(edits(use("/x/z.ts", OLD), ["compaction"], ["summary", OLD], edit(OLD))).toBe(0);
  });

  it("do not count if the text was read again, or the model had just written it", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], use("/x/z.ts", OLD), edit(OLD))).toBe(0);
    const write: Step = ["call", "Edit", { file_path: "/x/y.ts", old_string: "", new_string: OLD }, "ok"];
    expect(edits(use("/x/z.ts", OLD), ["compaction"], write, edit(OLD))).toBe(0);
  });

  it("do not count if every replaced line occurs in three sources", () => {
    const licence = "Licensed under the Apache Licence";
    const sources = ["/x/a.ts", "/x/b.ts", "/x/c.ts"].map((path) => use(path, licence));
    expect(edits(...sources.slice(1), ["compaction"], edit(licence))).toBe(1);
    expect(edits(...sources, ["compaction"], edit(licence))).toBe(0);
  });

  it("count even if the edit fails", () => {
    const failed: Step = ["call", "Edit", { file_path: "/x/y.ts", old_string: OLD }, "Error: not found"];
    expect(edits(use("/x/z.ts", OLD), ["compaction"], failed)).toBe(1);
  });

  it("do not count without a significant line", () => {
    expect(edits(use("/x/z.ts", "}\n});"), ["compaction"], edit("}\n});"))).toBe(0);
  });

  it("count once each, also several in one call", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], edit(OLD), edit(OLD))).toBe(1);
    const [one = "", other = ""] = OLD.split("\n");
    const both: Step = ["call", "MultiEdit", { path: "/x/y.ts", edits: [{ oldText: one }, { oldText: other }] }, "ok"];
    expect(edits(use("/x/z.ts", OLD), ["compaction"], both)).toBe(2);
  });
});

describe("re-fetches of typed messages", () => {
  const asked = (...steps: Step[]) => {
    const { columns, index } = writtenSession(steps);
    return askedAgain(columns, index, recordedRefetchBoundaries(columns)).length;
  };
  const ASKED = "please never touch the generated files in dist";

  it("count if the message repeats a dropped one", () => {
    expect(asked(["typed", ASKED], ["compaction"], ["typed", `${ASKED}!`])).toBe(1);
    expect(
      asked(["typed", ASKED], ["compaction"], ["typed", "Please, never touch generated files in dist again"]),
    ).toBe(1);
  });

  it("do not count if the message is short or different, or the earlier one was kept", () => {
    expect(asked(["typed", "yes, go on"], ["compaction"], ["typed", "yes, go on"])).toBe(0);
    expect(
      asked(["typed", ASKED], ["compaction"], ["typed", "please never touch anything outside of the source"]),
    ).toBe(0);
    expect(asked(["typed", ASKED], ["compaction", 1], ["typed", ASKED])).toBe(0);
  });

  it("count once", () => {
    expect(asked(["typed", ASKED], ["compaction"], ["typed", ASKED], ["typed", ASKED])).toBe(1);
  });
});
