import { expect, it } from "vitest";
import type { Block, Message } from "@/lib/core/transcript/model";
import { claudeCodeMeasures } from "./file-sizes";

/** Characters and lines of the file behind a result whose record has this beside it. */
function sizeAfter(toolUseResult: unknown, kind: Block["kind"] = "tool_result") {
  // Only the kind of its blocks is looked at.
  const message = { blocks: [{ kind }] } as unknown as Message;
  const measures = claudeCodeMeasures(message, [{ text: "", record: { toolUseResult } }], "claude-code");
  return [measures["claude-code.fileChars"]?.[0], measures["claude-code.fileLines"]?.[0]];
}

it.each([
  ["a read: what it read of the file", { type: "text", file: { content: "one\ntwo", totalLines: 90 } }, [7, 2]],
  ["a file that was written", { type: "create", filePath: "/a.ts", content: "one\n" }, [4, 2]],
  [
    "an edit: the file before it, and the lines that came and went",
    {
      filePath: "/a.ts",
      originalFile: "one\ntwo\n",
      structuredPatch: [{ lines: [" one", "-two", "+three", "+four"] }, { lines: ["\\ No newline at end of file"] }],
    },
    ["one\nthree\nfour\n".length, 4],
  ],
  [
    "several edits",
    { filePath: "/a.ts", originalFileContents: "x", structuredPatch: [{ lines: ["-x", "+yy"] }] },
    [2, 1],
  ],
  ["a command", { stdout: "one", stderr: "" }, [0, 0]],
  ["a picture", { type: "image", file: { base64: "AAAA" } }, [0, 0]],
  ["an edit whose patch is odd", { originalFile: "one", structuredPatch: [{ lines: [7] }, null, "x"] }, [3, 1]],
  ["a text in its place", "Error: no such file", [0, 0]],
  ["nothing", undefined, [0, 0]],
])("knows the size of a file after %s", (_name, result, size) => {
  expect(sizeAfter(result)).toEqual(size);
});

it("looks at results alone", () => {
  expect(sizeAfter({ file: { content: "one" } }, "image")).toEqual([0, 0]);
});
