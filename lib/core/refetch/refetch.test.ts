import { describe, expect, it } from "vitest";
import { type Step, writtenSession } from "../testing/texts";
import { recordedRefetchBoundaries } from "./boundaries";
import { askedAgain } from "./ledger";
import { neededAgain } from "./refetch";

const use = (path: string, result = "ok"): Step => ["call", "Read", { file_path: path }, result];
const edit = (old: string): Step => ["call", "Edit", { file_path: "/x/y.ts", old_string: old, new_string: "z" }, "ok"];

function found(...steps: Step[]) {
  const { columns, index } = writtenSession(steps);
  const needs = neededAgain(columns, index, recordedRefetchBoundaries(columns), true);
  return {
    paths: needs.paths.map(({ path, origin }) => `${index.paths[path]} ${origin}`),
    edits: needs.edits.length,
  };
}

describe("paths", () => {
  const paths = (...steps: Step[]) => found(...steps).paths;

  it("that are used again although every mention was dropped", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/a.ts"))).toEqual(["/app/a.ts unexplained"]);
  });

  it("that the summary, or what was attached, names", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], ["summary", "see app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts carried",
    ]);
  });

  it("that a later result or message names first, but not the model itself", () => {
    const list: Step = ["call", "Glob", { pattern: "**" }, "app/a.ts"];
    expect(paths(use("/app/a.ts"), ["compaction"], list, use("/app/a.ts"))).toEqual(["/app/a.ts foundAgain"]);
    expect(paths(use("/app/a.ts"), ["compaction"], ["typed", "look at app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts foundAgain",
    ]);
    expect(paths(use("/app/a.ts"), ["compaction"], ["says", "I read app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts unexplained",
    ]);
  });

  it("do not count where a kept item names them", () => {
    expect(paths(use("/app/a.ts"), ["says", "I read app/a.ts"], ["compaction", 1], use("/app/a.ts"))).toEqual([]);
  });

  it("do not count where the file has only the same name", () => {
    expect(paths(use("/app/a/index.ts"), ["compaction"], use("/app/b/index.ts"))).toEqual([]);
  });

  it("do not count where they were never mentioned, or only in a text that is written", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/new.ts"))).toEqual([]);
    const write: Step = ["call", "Write", { file_path: "/app/b.ts", content: "open('/app/a.ts')" }, "ok"];
    expect(paths(use("/app/a.ts"), ["compaction"], write)).toEqual([]);
  });

  it("are not mentioned by what the model thought, nor by reminders, which no history keeps", () => {
    expect(paths(["thinks", "see /app/a.ts"], ["says", "on"], ["compaction"], use("/app/a.ts"))).toEqual([]);
    const reminded = "done <system-reminder>/app/a.ts has changed</system-reminder>";
    expect(paths(use("/app/b.ts", reminded), ["compaction"], use("/app/a.ts"))).toEqual([]);
    // A thought after the compaction finds nothing again either.
    expect(paths(use("/app/a.ts"), ["compaction"], ["thinks", "see /app/a.ts"], use("/app/a.ts"))).toEqual([
      "/app/a.ts unexplained",
    ]);
  });

  it("count once after a boundary, and not where an earlier one had dropped them", () => {
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/a.ts"), use("/app/a.ts"))).toHaveLength(1);
    expect(paths(use("/app/a.ts"), ["compaction"], ["says", "on"], ["compaction"], use("/app/a.ts"))).toEqual([]);
    expect(paths(use("/app/a.ts"), ["compaction"], use("/app/a.ts"), ["compaction"], use("/app/a.ts"))).toHaveLength(2);
  });

  it("are not missed where a person took them back", () => {
    expect(paths(["typed", "go"], use("/app/a.ts"), ["rollback", 1], ["compaction"], use("/app/a.ts"))).toEqual([]);
  });
});

describe("edits", () => {
  const OLD = "const answer = compute(input);\nreturn answer + correction;";
  const edits = (...steps: Step[]) => found(...steps).edits;

  it("whose old text stood in dropped items alone", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], edit(OLD))).toBe(1);
  });

  it("do not count where one line never stood there", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], edit(`${OLD}\nsomething that was never read`))).toBe(0);
  });

  it("do not count where one line is still there", () => {
    const kept: Step = ["says", "return answer + correction;"];
    expect(edits(use("/x/z.ts", OLD), kept, ["compaction", 1], edit(OLD))).toBe(0);
    expect(edits(use("/x/z.ts", OLD), ["compaction"], ["summary", OLD], edit(OLD))).toBe(0);
  });

  it("do not count where the text was read again, or the model wrote it itself a moment ago", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], use("/x/z.ts", OLD), edit(OLD))).toBe(0);
    const write: Step = ["call", "Edit", { file_path: "/x/y.ts", old_string: "", new_string: OLD }, "ok"];
    expect(edits(use("/x/z.ts", OLD), ["compaction"], write, edit(OLD))).toBe(0);
  });

  it("do not count where all that they replace stands in three sources: it stands in any text", () => {
    const licence = "Licensed under the Apache Licence";
    const sources = ["/x/a.ts", "/x/b.ts", "/x/c.ts"].map((path) => use(path, licence));
    expect(edits(...sources.slice(1), ["compaction"], edit(licence))).toBe(1);
    expect(edits(...sources, ["compaction"], edit(licence))).toBe(0);
  });

  it("count where they fail too: the text was needed to try", () => {
    const failed: Step = ["call", "Edit", { file_path: "/x/y.ts", old_string: OLD }, "Error: not found"];
    expect(edits(use("/x/z.ts", OLD), ["compaction"], failed)).toBe(1);
  });

  it("do not count where they have no line that counts", () => {
    expect(edits(use("/x/z.ts", "}\n});"), ["compaction"], edit("}\n});"))).toBe(0);
  });

  it("count once, and each of several in one call by itself", () => {
    expect(edits(use("/x/z.ts", OLD), ["compaction"], edit(OLD), edit(OLD))).toBe(1);
    const [one = "", other = ""] = OLD.split("\n");
    const both: Step = ["call", "MultiEdit", { path: "/x/y.ts", edits: [{ oldText: one }, { oldText: other }] }, "ok"];
    expect(edits(use("/x/z.ts", OLD), ["compaction"], both)).toBe(2);
  });
});

describe("typed messages", () => {
  const asked = (...steps: Step[]) => {
    const { columns, index } = writtenSession(steps);
    return askedAgain(columns, index, recordedRefetchBoundaries(columns)).length;
  };
  const ASKED = "please never touch the generated files in dist";

  it("that repeat a dropped one", () => {
    expect(asked(["typed", ASKED], ["compaction"], ["typed", `${ASKED}!`])).toBe(1);
    expect(
      asked(["typed", ASKED], ["compaction"], ["typed", "Please, never touch generated files in dist again"]),
    ).toBe(1);
  });

  it("do not count where they are short, differ, or the earlier one was kept", () => {
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
