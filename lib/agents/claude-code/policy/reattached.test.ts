import { describe, expect, it } from "vitest";
import { FLAG, KINDS, type SessionColumns } from "@/lib/core/columns/columns";
import { countedBySize, sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { policyOf } from "@/lib/core/testing/policies";
import { type Reattached, reattached, UNKNOWN_FILES_TOKENS } from "./reattached";

/** A call: its tool, its file, and the file's size after it as far as known (characters, lines). */
type Call = readonly [tool: string, file: string, chars?: number, lines?: number];

/** A session of calls, one after the other: results of `sizes` tokens (100 where absent), followed by a prompt. */
function sessionOf(calls: readonly Call[], sizes: readonly number[] = []): SessionColumns {
  const steps = calls.map((_, index) => `c10 r${sizes[index] ?? 100}`).join(" ");
  const columns = drawColumns(`u1 ${steps} a1 u5 a1`);
  const [tool, file] = [columns.tool.slice(), columns.file.slice()];
  const [chars, lines] = [new Int32Array(columns.length), new Int32Array(columns.length)];
  const [tools, files] = [[...new Set(calls.map(([name]) => name))], [...new Set(calls.map(([, path]) => path))]];
  rowsOf(columns, "tool_call").forEach((row, index) => {
    const [name = "", path = "", measured = 0, count = 0] = calls[index] ?? [];
    tool[row] = tools.indexOf(name);
    file[row] = files.indexOf(path);
    const result = columns.pair[row] ?? -1;
    [chars[result], lines[result]] = [measured, count];
  });
  const measures = { "claude-code.fileChars": chars, "claude-code.fileLines": lines };
  return { ...columns, tool, file, measures, tables: { ...columns.tables, tools, files } };
}

function rowsOf({ kind }: SessionColumns, name: (typeof KINDS)[number]): readonly number[] {
  return Array.from(kind, (_, row) => row).filter((row) => kind[row] === KINDS.indexOf(name));
}

/** Content that a compaction before the last request would reattach, with bytes / 4 as estimator. */
function backOf(columns: SessionColumns, window = 1e9): Reattached | undefined {
  let found: Reattached | undefined;
  const asking = policyOf((view) => {
    if (view.request === columns.requests.length - 1) found = reattached(view);
    return undefined;
  });
  replay(countedBySize(columns, "bytes-4"), asking, {}, { window, counting: "estimate" });
  return found;
}

describe("content reattached after a compaction", () => {
  it("has the five most recently touched files, newest first, each once", () => {
    const paths = ["a", "b", "c", "d", "e", "f", "a"];
    const back = backOf(sessionOf(paths.map((path) => ["Read", `/${path}.ts`, 400])));
    expect(back).toEqual({ tokens: 500, files: ["/a.ts", "/f.ts", "/e.ts", "/d.ts", "/c.ts"] });
  });

  it("has the size of a file after its last read, write or edit, with line numbers", () => {
    const columns = sessionOf([
      ["Read", "/a.ts", 4000, 10],
      ["Edit", "/a.ts", 8000, 20],
      ["Write", "/b.ts", 400, 4],
    ]);
    expect(backOf(columns)?.tokens).toBe((8000 + 20 * 7 + 400 + 4 * 7) / 4);
  });

  it("counts one line number for a file that is empty after an edit", () => {
    const calls: Call[] = [
      ["Read", "/a.ts", 4000, 10],
      ["Edit", "/a.ts", 0, 1],
    ];
    expect(backOf(sessionOf(calls, [300, 2]))?.tokens).toBe(Math.round(7 / 4));
  });

  it("omits the content of a file above 5,000 tokens, which still uses one of the five slots", () => {
    const paths = ["a", "b", "c", "d", "e", "f"];
    const columns = sessionOf(paths.map((path) => ["Read", `/${path}.ts`, path === "f" ? 20_004 : 20_000]));
    expect(backOf(columns)).toEqual({ tokens: 4 * 5000, files: ["/e.ts", "/d.ts", "/c.ts", "/b.ts"] });
  });

  it("uses the text read from a file or written to it if no record states its size", () => {
    const calls: Call[] = [
      ["Read", "/a.ts"],
      ["Edit", "/a.ts"],
      ["Write", "/b.ts"],
      ["Edit", "/c.ts"],
    ];
    expect(backOf(sessionOf(calls, [300, 2, 3, 4]))).toEqual({ tokens: 300 + 10, files: ["/b.ts", "/a.ts"] });
  });

  it("includes the plan and the todo list in addition to the files", () => {
    const plan: Call = ["Write", "/home/ada/.claude/plans/tidy-otter.md", 800];
    const files = ["a", "b", "c", "d", "e"].map((path): Call => ["Read", `/${path}.ts`, 400]);
    const todo: Call = ["TodoWrite", ""];
    const columns = sessionOf([plan, ...files, todo]);
    expect(backOf(columns)).toMatchObject({ tokens: 5 * 100 + 200 + 10 });
    expect(backOf(columns)?.files).toHaveLength(5);
  });

  it("omits calls that failed, were never answered, touched no file, or came later", () => {
    const columns = sessionOf([
      ["Read", "/a.ts", 400],
      ["Read", "/b.ts", 400],
      ["Grep", "/c.ts", 400],
    ]);
    const flags = columns.flags.slice();
    flags[rowsOf(columns, "tool_result")[1] ?? -1] = FLAG.ERROR;
    expect(backOf({ ...columns, flags })).toEqual({ tokens: 100, files: ["/a.ts"] });
    const early = { ...columns, requests: { ...columns.requests, length: 2 } };
    expect(backOf(early)?.files).toEqual(["/a.ts"]);
  });

  it("is measured by the chosen estimator, like results in the context", () => {
    const columns = sessionOf([
      ["Read", "/a.ts", 400],
      ["Read", "/b.ts", 400],
    ]);
    const doubled = sizeTokenColumn(columns, "bytes-4").map((tokens) => 2 * tokens);
    let found: Reattached | undefined;
    const asking = policyOf((view) => {
      if (view.request === columns.requests.length - 1) found = reattached(view);
      return undefined;
    });
    replay({ columns, tokens: doubled }, asking, {}, { window: 1e9, counting: "estimate" });
    expect(found?.tokens).toBe(2 * 200);
  });

  it("has the median size of other sessions if the session touched no file", () => {
    expect(backOf(sessionOf([["Bash", ""]]))).toEqual({ tokens: UNKNOWN_FILES_TOKENS, files: [] });
    expect(backOf(drawColumns("u1 a1 u1 a1"))).toEqual({ tokens: UNKNOWN_FILES_TOKENS, files: [] });
  });
});
