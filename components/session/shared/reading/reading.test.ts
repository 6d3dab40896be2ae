import { describe, expect, it } from "vitest";
import { diffRows, unified } from "./changes";
import { MOST_READ_CHARS } from "./limits";
import { readingOf } from "./reading";

const call = (args: object) => readingOf("call", JSON.stringify(args));

describe("the form of a call", () => {
  it("is an edit for the argument names of several agents", () => {
    const edits = [
      { file_path: "a.ts", old_string: "let a = 1;\nb();", new_string: "let a = 2;\nb();", replace_all: false },
      { filePath: "a.ts", oldString: "let a = 1;\nb();", newString: "let a = 2;\nb();" },
      { path: "a.ts", oldText: "let a = 1;\nb();", newText: "let a = 2;\nb();" },
      { file_path: "a.ts", edits: [{ old_string: "let a = 1;\nb();", new_string: "let a = 2;\nb();" }] },
    ];
    const lines = [
      { sign: "-", text: "let a = 1;" },
      { sign: "+", text: "let a = 2;" },
      { sign: " ", text: "b();" },
    ];
    for (const edit of edits) {
      expect(call(edit)).toEqual({ as: "changes", changes: [{ path: "a.ts", what: "changed", lines }] });
    }
  });

  it("is added lines for a written file", () => {
    expect(call({ file_path: "a.md", content: "one\ntwo\n" })).toEqual({
      as: "changes",
      changes: [
        {
          path: "a.md",
          what: "added",
          lines: [
            { sign: "+", text: "one" },
            { sign: "+", text: "two" },
          ],
        },
      ],
    });
  });

  it("is both texts in full if they have nothing in common, in bounded time", () => {
    const lines = (name: string) => Array.from({ length: 5000 }, (_, at) => `${name} ${at}`).join("\n");
    const reading = call({ path: "a", oldText: lines("old"), newText: lines("new") });
    expect(reading.as === "changes" && reading.changes[0]?.lines.length).toBe(10_000);
  });

  it("is a patch for one in an argument or inside a command", () => {
    const patch = [
      "*** Begin Patch",
      "*** Add File: new.txt",
      "+hello",
      "*** Update File: old.py",
      "*** Move to: moved.py",
      "@@ def greet():",
      '-print("Hi")',
      "+print()",
      " done()",
      "*** End of File",
      "*** Delete File: gone.txt",
      "*** End Patch",
      "+not a part of it",
    ].join("\n");
    const changes = [
      { path: "new.txt", what: "added", lines: [{ sign: "+", text: "hello" }] },
      {
        path: "old.py",
        movedTo: "moved.py",
        what: "changed",
        lines: [
          { sign: "@", text: "def greet():" },
          { sign: "-", text: 'print("Hi")' },
          { sign: "+", text: "print()" },
          { sign: " ", text: "done()" },
        ],
      },
      { path: "gone.txt", what: "removed", lines: [] },
    ];
    expect(readingOf("call", patch)).toEqual({ as: "changes", changes });
    expect(call({ patchText: patch })).toEqual({ as: "changes", changes });
    expect(call({ command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] })).toEqual({
      as: "changes",
      changes,
    });
  });

  it("is a command as typed, and a tree for everything else", () => {
    expect(call({ command: "ls -l", description: "List" })).toMatchObject({ as: "command", command: "ls -l" });
    expect(call({ cmd: "ls", workdir: "/a" })).toEqual({ as: "command", command: "ls", folder: "/a" });
    expect(call({ command: ["/bin/bash", "-lc", "ls | wc"] })).toMatchObject({ command: "ls | wc" });
    expect(call({ command: ["git", "status"] })).toMatchObject({ command: "git status" });
    expect(call({ pattern: "x" })).toEqual({ as: "json", value: { pattern: "x" } });
    expect(readingOf("call", '{"cut": "o').as).toBe("plain");
  });
});

describe("the form of a result", () => {
  it("separates the tool's facts about its output from the output", () => {
    const text = "Chunk ID: 1\nWall time: 0.1 seconds\nOutput:\n\u001b[31mred\u001b[0m";
    expect(readingOf("result", text)).toEqual({
      as: "terminal",
      head: "Chunk ID: 1\nWall time: 0.1 seconds\nOutput:",
      text: "\u001b[31mred\u001b[0m",
    });
  });

  it("is a tree only for a text that is JSON to its end", () => {
    expect(readingOf("result", ' {"a": [1]}')).toEqual({ as: "json", value: { a: [1] } });
    expect(readingOf("result", "[INFO] started").as).toBe("terminal");
    expect(readingOf("result", `["${"a".repeat(MOST_READ_CHARS)}"]`).as).toBe("plain");
  });
});

describe("rows of a difference", () => {
  const lines = [
    { sign: "-", text: "let a = one;" },
    { sign: "+", text: "let a = two;" },
    { sign: " ", text: "same" },
    { sign: "-", text: "gone" },
    { sign: "-", text: "gone too" },
    { sign: "+", text: "new" },
  ] as const;

  it("align removed lines with their replacements, and mark the words", () => {
    const rows = diffRows(lines);
    expect(rows.length).toBe(4);
    expect(rows[0]?.before?.pieces.filter(({ changed }) => changed)).toEqual([{ text: "one", changed: true }]);
    expect(rows[0]?.after?.pieces.filter(({ changed }) => changed)).toEqual([{ text: "two", changed: true }]);
    expect(rows[3]).toEqual({
      before: { sign: "-", pieces: [{ text: "gone too", changed: false }] },
      after: undefined,
    });
  });

  it("keep their order in one column", () => {
    const written = unified(diffRows(lines)).map(({ sign, pieces }) => ({
      sign,
      text: pieces.map(({ text }) => text).join(""),
    }));
    expect(written).toEqual(lines);
  });
});
