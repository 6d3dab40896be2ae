import { describe, expect, it } from "vitest";
import { previewLine as lineOf, subjectLine as subjectOf } from "./preview";

const previewLine = (text: string, kind: string) => lineOf(text, kind, "/home/ada/shop");
const subjectLine = (call: string) => subjectOf(call, "/home/ada/shop");

describe("an item's preview line", () => {
  it("has white space collapsed and colours removed", () => {
    expect(previewLine("  first\n\tsecond \u001b[31mred\u001b[0m ", "text")).toBe("first second red");
  });

  it("shows a call's action instead of its JSON", () => {
    expect(previewLine('{"timeout":5,"command":"npm test"}', "tool_call")).toBe("npm test");
    expect(previewLine('{"command":["bash","-lc","ls"]}', "tool_call")).toBe("bash -lc ls");
    expect(previewLine('{"todos":[],"title":"plan"}', "tool_call")).toBe("plan");
    expect(previewLine('{"todos":[{"content":"Test it"}]}', "tool_call")).toBe("Test it");
    const todos = [
      { content: "Read", status: "completed" },
      { content: "Write", status: "in_progress" },
    ];
    expect(previewLine(JSON.stringify({ todos }), "tool_call")).toBe("Write");
    expect(previewLine('{"questions":[{"question":"A?"},{"question":"B?"}]}', "tool_call")).toBe("A? · B?");
    expect(previewLine('{"description":"Look","prompt":"Look at it all"}', "tool_call")).toBe("Look");
  });

  it("shows a search's pattern before its folder, both relative to the project", () => {
    expect(previewLine('{"path":"/home/ada/shop","pattern":"price"}', "tool_call")).toBe("price");
    expect(previewLine('{"file_path":"/home/ada/shop/src/a.ts"}', "tool_call")).toBe("src/a.ts");
    expect(subjectLine('{"cmd":"cd /home/ada/shop && rg price"}')).toBe("rg price");
    expect(previewLine("/home/ada/shop/src/a.ts", "text")).toBe("/home/ada/shop/src/a.ts");
  });

  it("is the plain text if arguments are truncated or not an object", () => {
    expect(previewLine('{"command":"npm te', "tool_call")).toBe('{"command":"npm te');
    expect(previewLine("*** Begin Patch", "tool_call")).toBe("*** Begin Patch");
    expect(previewLine('{"n":1}', "tool_call")).toBe('{"n":1}');
  });

  it("starts a result after the header that its tool wrote", () => {
    const head = "Chunk ID: 056982\nWall time: 0.0100 seconds\nProcess exited with code 0\nOriginal token count: 16\n";
    expect(previewLine(`${head}Output:\nname: a\nOutput:\nb`, "tool_result")).toBe("name: a Output: b");
    expect(previewLine("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nfailed", "tool_result")).toBe("failed");
  });

  it("keeps a header without output, and text that only resembles one", () => {
    expect(previewLine("Exit code: 0\nWall time: 0 seconds\nOutput:\n", "tool_result")).toBe(
      "Exit code: 0 Wall time: 0 seconds Output:",
    );
    expect(previewLine("Wall time: 3\nand more", "tool_result")).toBe("Wall time: 3 and more");
    expect(previewLine("Exit code: 1\nOutput:\nfailed", "text")).toBe("Exit code: 1 Output: failed");
  });

  it("starts a result with the subject of its call, shortened to leave room", () => {
    expect(subjectLine('{"cmd":"git  status","workdir":"/"}')).toBe("git status");
    expect(subjectLine(`{"command":"${"x".repeat(500)}"}`)).toBe(`${"x".repeat(120)}…`);
  });

  it("is truncated to the length that a row can show", () => {
    expect(previewLine("x".repeat(1_000_000), "text")).toHaveLength(400);
  });
});
