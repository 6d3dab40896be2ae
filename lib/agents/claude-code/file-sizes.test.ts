import { expect, it } from "vitest";
import type { Block, Message } from "@/lib/core/transcript/model";
import { claudeCodeMeasures } from "./file-sizes";

/** Characters and lines of the file after a result, given the `toolUseResult` of its record. */
function sizeAfter(toolUseResult: unknown, kind: Block["kind"] = "tool_result") {
  // The function reads only the kinds of the blocks.
  const message = { blocks: [{ kind }] } as unknown as Message;
  const measures = claudeCodeMeasures(message, [{ text: "", record: { toolUseResult } }], "claude-code");
  return [measures["claude-code.fileChars"]?.[0], measures["claude-code.fileLines"]?.[0]];
}

it.each([
  ["a read, from the part that it read", { type: "text", file: { content: "one\ntwo", totalLines: 90 } }, [7, 2]],
  ["a write", { type: "create", filePath: "/a.ts", content: "one\n" }, [4, 2]],
  [
    "an edit, from the old file and the replaced text",
    { filePath: "/a.ts", originalFile: "one\ntwo\n", oldString: "two", newString: "three\nfour", replaceAll: false },
    ["one\nthree\nfour\n".length, 4],
  ],
  [
    "an edit of lines after tabs, which its patch shows as spaces",
    {
      originalFile: "if {\n\t\tone\n}\n",
      oldString: "\t\tone\n",
      newString: "\t\ttwo\n\t\tthree\n",
      structuredPatch: [{ oldStart: 1, lines: [" if {", "-    one", "+    two", "+    three", " }"] }],
    },
    ["if {\n\t\ttwo\n\t\tthree\n}\n".length, 5],
  ],
  [
    "an edit of every place",
    { originalFile: "a-a-b", oldString: "a", newString: "cc", replaceAll: true },
    ["cc-cc-b".length, 1],
  ],
  [
    "several edits, each applied to the result of the previous one",
    {
      originalFileContents: "x",
      edits: [
        { old_string: "x", new_string: "y-y", replace_all: false },
        { old_string: "y", new_string: "z\nz", replace_all: true },
      ],
    },
    ["z\nz-z\nz".length, 3],
  ],
  ["an edit of an empty file", { originalFile: "", oldString: "", newString: "one", replaceAll: true }, [3, 1]],
  [
    "an edit whose texts are not recorded",
    { originalFile: "one\ntwo", structuredPatch: [{ lines: ["-one"] }] },
    [0, 0],
  ],
  ["an edit whose texts are odd", { originalFile: "one", oldString: 7, newString: null }, [0, 0]],
  ["several edits, one of them odd", { originalFileContents: "one", edits: [{ old_string: "one" }, null] }, [0, 0]],
  ["a command", { stdout: "one", stderr: "" }, [0, 0]],
  ["a picture", { type: "image", file: { base64: "AAAA" } }, [0, 0]],
  ["a text instead of an object", "Error: no such file", [0, 0]],
  ["nothing", undefined, [0, 0]],
])("the rule computes the size of a file after %s", (_name, result, size) => {
  expect(sizeAfter(result)).toEqual(size);
});

it("the rule measures tool results and no other blocks", () => {
  expect(sizeAfter({ file: { content: "one" } }, "image")).toEqual([0, 0]);
});
