import { describe, expect, it } from "vitest";
import { colouredRows, diffRows, unified } from "./diff-rows";
import { MAX_READ_CHARS } from "./limits";
import { exitCode, readingOf } from "./reading";

const call = (args: object) => readingOf({ word: "call" }, JSON.stringify(args));

describe("the display of a call", () => {
  it("is an edit if its arguments are named as in an agent's edits", () => {
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

  it("contains both texts in full if they have nothing in common, in limited time", () => {
    const lines = (name: string) => Array.from({ length: 5000 }, (_, at) => `${name} ${at}`).join("\n");
    const reading = call({ path: "a", oldText: lines("old"), newText: lines("new") });
    expect(reading.as === "changes" && reading.changes[0]?.lines.length).toBe(10_000);
  });

  it("is a patch if an argument or a command contains one", () => {
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
    expect(readingOf({ word: "call" }, patch)).toEqual({ as: "changes", changes });
    expect(call({ patchText: patch })).toEqual({ as: "changes", changes });
    expect(call({ command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] })).toEqual({
      as: "changes",
      changes,
    });
  });

  it("is the typed text for a command, and a tree for all other arguments", () => {
    expect(call({ command: "ls -l", description: "List" })).toMatchObject({ as: "command", command: "ls -l" });
    expect(call({ cmd: "ls", workdir: "/a" })).toEqual({ as: "command", command: "ls", folder: "/a" });
    expect(call({ command: ["/bin/bash", "-lc", "ls | wc"] })).toMatchObject({ command: "ls | wc" });
    expect(call({ command: ["git", "status"] })).toMatchObject({ command: "git status" });
    expect(call({ pattern: "x" })).toEqual({ as: "json", value: { pattern: "x" } });
    expect(readingOf({ word: "call" }, '{"cut": "o').as).toBe("plain");
  });
});

describe("the display of a result", () => {
  it("separates what the tool states about its output from the output", () => {
    const text = "Chunk ID: 1\nWall time: 0.1 seconds\nOutput:\n\u001b[31mred\u001b[0m";
    expect(readingOf({ word: "result" }, text)).toEqual({
      as: "terminal",
      head: "Chunk ID: 1\nWall time: 0.1 seconds\nOutput:",
      text: "\u001b[31mred\u001b[0m",
    });
  });

  it("is a tree only if the whole text is JSON", () => {
    expect(readingOf({ word: "result" }, ' {"a": [1]}')).toEqual({ as: "json", value: { a: [1] } });
    expect(readingOf({ word: "result" }, "[INFO] started").as).toBe("terminal");
    expect(readingOf({ word: "result" }, `["${"a".repeat(MAX_READ_CHARS)}"]`).as).toBe("plain");
  });
});

describe("diff rows", () => {
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

  it("have the colours of code, and the same text", () => {
    const rows = diffRows(lines);
    const coloured = colouredRows(rows, "ts");
    expect(coloured[0]?.after?.pieces[0]).toMatchObject({ text: "let", changed: false });
    expect(coloured[0]?.after?.pieces[0]?.colour).toMatch(/text-/);
    const texts = (all: ReturnType<typeof diffRows>) =>
      unified(all).map(({ pieces }) => pieces.map(({ text }) => text).join(""));
    expect(texts(coloured)).toEqual(texts(rows));
    expect(colouredRows(rows, "no language")).toEqual(rows);
  });

  it("keep the order of the written lines", () => {
    const written = unified(diffRows(lines)).map(({ sign, pieces }) => ({
      sign,
      text: pieces.map(({ text }) => text).join(""),
    }));
    expect(written).toEqual(lines);
  });
});

describe("the exit code of a command", () => {
  it("is read from the first or last lines of its result", () => {
    expect(exitCode("Exit code 1\nnot found")).toBe(1);
    expect(exitCode("Error: Exit code 127\n")).toBe(127);
    expect(exitCode("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n")).toBe(0);
    expect(exitCode(`${"x\n".repeat(900)}\nCommand exited with code 2`)).toBe(2);
    expect(exitCode("It says: Exit code 1 is bad")).toBeUndefined();
  });
});

describe("the display of known tools", () => {
  it("has task lists of several agents", () => {
    const tasks = [
      { text: "Look", state: "done" },
      { text: "Write", state: "active" },
      { text: "Test", state: "open" },
    ];
    const states = ["completed", "in_progress", "pending"];
    const list = (name: string) => tasks.map(({ text }, at) => ({ [name]: text, status: states[at] }));
    expect(call({ todos: list("content") })).toEqual({ as: "tasks", tasks, note: "" });
    expect(call({ todos: list("description") })).toEqual({ as: "tasks", tasks, note: "" });
    expect(call({ plan: list("step"), explanation: "Why" })).toEqual({ as: "tasks", tasks, note: "Why" });
    expect(call({ todos: [{ content: "no status" }] }).as).toBe("json");
  });

  it("has the texts of questions, plans and prompts for subagents", () => {
    const options = [{ label: "Yes", description: "It is" }, { label: "No" }];
    expect(call({ questions: [{ question: "So?", header: "S", options, multiSelect: false }] })).toEqual({
      as: "questions",
      questions: [{ text: "So?", options: [options[0], { label: "No", description: "" }] }],
    });
    expect(call({ plan: "# Plan" })).toEqual({ as: "prose", head: [], text: "# Plan" });
    expect(call({ subagent_type: "Explore", description: "Look", prompt: "Look at it" })).toEqual({
      as: "prose",
      head: ["Explore", "Look"],
      text: "Look at it",
    });
    expect(call({ prompt: "alone" }).as).toBe("json");
  });

  it("has the pages that a web search found, and answers of subagents as Markdown", () => {
    const text = 'Web search results for query: "a"\n\nLinks: [{"title":"A","url":"https://a.example"}]\n\nSome.';
    expect(readingOf({ word: "result", tool: "WebSearch" }, text)).toEqual({
      as: "pages",
      pages: [{ title: "A", address: "https://a.example" }],
      text: "Some.",
    });
    expect(readingOf({ word: "result", tool: "WebSearch" }, text.slice(0, 60)).as).toBe("prose");
    expect(readingOf({ word: "result", tool: "Task" }, "# Found")).toEqual({ as: "prose", head: [], text: "# Found" });
    expect(readingOf({ word: "failedResult", tool: "Task" }, "gone").as).toBe("terminal");
    expect(readingOf({ word: "result", tool: "Bash" }, "# not prose").as).toBe("terminal");
  });
});
