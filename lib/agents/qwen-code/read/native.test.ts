import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { generatedSession } from "@/verify/agents/qwen-code/generated-session";
import { readRecords, readTranscript } from "@/verify/support/read";
import { type Content, mediaOf, partsOf, responseOf } from "../messages/content";
import { nativeMessage, toNative, toolNameOf } from "./native";
import { qwenCodeReader } from "./reader";

const FOLDER = fileURLToPath(new URL("../fixtures/", import.meta.url));

function loaded(bytes: Uint8Array) {
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  const { messages } = readTranscript(bytes, qwenCodeReader);
  return messages.map((message) => {
    const contents = message.blocks.map(({ source }): BlockContent => {
      const record = records.get(source.offset) ?? {};
      return { record, text: qwenCodeReader.texts(record)[source.part] ?? "" };
    });
    return { message, contents };
  });
}

describe("conversion inverts the reader on Qwen Code's own files", () => {
  // These files hold what our model does not: media types, signatures, other parts, results that are not text, inherited contents, masked ids.
  const lossy = new Set(["media-and-results.jsonl", "subagent-file.jsonl", "masked-ids.jsonl"]);
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl") && !lossy.has(name));
  const files = [
    ...names.map((name) => [name, readFileSync(`${FOLDER}${name}`)] as const),
    ...[1, 2, 3].map((seed) => [`generated ${seed}`, generatedSession(seed)] as const),
  ];

  // In other agents' files, an image after a result counts as part of it, and all media count as PNG pictures.
  const isLossy = (content: Content) =>
    partsOf(content).some(
      (part, at) => mediaOf(part) !== undefined && responseOf(partsOf(content)[at - 1] ?? {}) !== undefined,
    ) || JSON.stringify(content).includes("application/pdf");

  it.each(files)("%s", (_name, bytes) => {
    for (const { message, contents } of loaded(bytes)) {
      const native = nativeMessage(message, contents, "qwen-code");
      if (!isLossy(native.content)) expect(toNative(message, contents)).toEqual(native);
    }
  });
});

const source = { line: 1, offset: 0, length: 1, part: 0 };
const foreign = (
  role: Message["role"],
  blocks: readonly Omit<Block, "source" | "text">[],
  texts: readonly string[],
) => {
  const message: Message = {
    role,
    origin: role === "assistant" ? "response" : "tool",
    line: 1,
    blocks: blocks.map((block, at) => ({ ...block, source, text: { chars: texts[at]?.length ?? 0, bytes: 0 } })),
  };
  return toNative(
    message,
    texts.map((text) => ({ text, record: {} })),
  ).content;
};

describe("conversion of another agent's message", () => {
  it("turns a response into thinking, text and a call", () => {
    const blocks = [{ kind: "thinking" }, { kind: "text" }, { kind: "tool_call", callId: "t1", tool: "Read" }] as const;
    expect(foreign("assistant", blocks, ["hm", "I read.", '{"file_path":"/a"}'])).toEqual({
      role: "model",
      parts: [
        { text: "hm", thought: true },
        { text: "I read." },
        { functionCall: { id: "t1", name: "read_file", args: { file_path: "/a" } } },
      ],
    });
  });

  it("adds later blocks of the same call, and images without a call, to the result", () => {
    const blocks = [
      { kind: "tool_result", callId: "t1", tool: "Bash" },
      { kind: "image", callId: "t1" },
      { kind: "tool_result", callId: "t2", isError: true },
      { kind: "image" },
      { kind: "image", callId: "t3" },
      { kind: "image" },
    ] as const;
    expect(foreign("user", blocks, ["ok", "data:image/webp;base64,UklG", "no", "iVBO", "AAAA", "BBBB"])).toEqual({
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "t1",
            name: "run_shell_command",
            response: { output: "ok" },
            parts: [{ inlineData: { mimeType: "image/webp", data: "UklG" } }],
          },
        },
        {
          functionResponse: {
            id: "t2",
            name: "",
            response: { error: "no" },
            parts: [{ inlineData: { mimeType: "image/png", data: "iVBO" } }],
          },
        },
        { inlineData: { mimeType: "image/png", data: "AAAA" } },
        { inlineData: { mimeType: "image/png", data: "BBBB" } },
      ],
    });
  });

  it("uses Qwen Code's argument name for the file of a file tool", () => {
    const argsOf = (tool: string, file: string | undefined, json: string) => {
      const call = { kind: "tool_call", callId: "t", tool, ...(file === undefined ? {} : { file }) } as const;
      const content = foreign("assistant", [call], [json]);
      return JSON.stringify(content.parts).match(/"args":({.*?})/)?.[1];
    };
    expect(argsOf("read", "/a.ts", '{"filePath":"/a.ts","limit":9}')).toBe('{"file_path":"/a.ts","limit":9}');
    expect(argsOf("Write", "/a.ts", '{"content":"x","path":"/a.ts"}')).toBe('{"content":"x","file_path":"/a.ts"}');
    // Arguments are unchanged if the tool is not a file tool, names no file, or already uses this name.
    expect(argsOf("grep", "/a.ts", '{"path":"/a.ts"}')).toBe('{"path":"/a.ts"}');
    expect(argsOf("read", undefined, '{"path":"/a.ts"}')).toBe('{"path":"/a.ts"}');
    expect(argsOf("read", "/a.ts", '{"file_path":"/a.ts","path":"/a.ts"}')).toBe(
      '{"file_path":"/a.ts","path":"/a.ts"}',
    );
  });

  it("wraps arguments that are not an object", () => {
    const call = { kind: "tool_call", callId: "t", tool: "x" } as const;
    expect(foreign("assistant", [call], ["*** Begin Patch"])).toMatchObject({
      parts: [{ functionCall: { args: { input: "*** Begin Patch" } } }],
    });
    expect(foreign("assistant", [call], ["[1]"])).toMatchObject({
      parts: [{ functionCall: { args: { input: [1] } } }],
    });
  });

  it.each([
    ["Read", "read_file"],
    ["apply_patch", "edit"],
    ["exec_command", "run_shell_command"],
    ["mcp__git__log", "mcp__git__log"],
    ["constructor", "constructor"],
  ])("renames the tool %s to %s", (name, own) => {
    expect(toolNameOf(name)).toBe(own);
  });
});
