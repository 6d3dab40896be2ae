import { isObject, type JsonObject, parsedOr } from "@/lib/agents/shared/json";
import { type BlockContent, textAt } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { type Content, nestedParts, type Part, responseOf } from "../messages/content";
import { blocksOf, type PartBlock } from "./blocks";

/** A part made from a message, and the blocks of the message that it carries. */
export interface NativePart {
  readonly part: Part;
  readonly blocks: readonly number[];
}

interface NativeMessage {
  readonly content: Content;
  readonly parts: readonly NativePart[];
}

/** The message as Qwen Code holds it: its own messages as recorded, any other converted. */
export function nativeMessage(message: Message, contents: readonly BlockContent[], format: string): NativeMessage {
  const recorded = format === "qwen-code" ? recordedParts(message, contents) : undefined;
  return recorded === undefined ? toNative(message, contents) : withParts(message, recorded);
}

/**
 * Our message as a content of Qwen Code: each text, thought, call and response is one part, with the parts of a response within it. For its own files
 * this is the inverse of the reader, except for fields that our model does not hold (README.md).
 * @param contents the blocks' texts, in their order
 */
export function toNative(message: Message, contents: readonly BlockContent[]): NativeMessage {
  const parts: { part: Part; blocks: number[] }[] = [];
  for (const [index, block] of message.blocks.entries()) {
    const text = textAt(contents, index);
    const last = parts.at(-1);
    const joined = last === undefined ? undefined : joinedResponse(last.part, block, text);
    if (last !== undefined && joined !== undefined) {
      last.part = joined;
      last.blocks.push(index);
    } else parts.push({ part: partOf(block, text), blocks: [index] });
  }
  return withParts(message, parts);
}

function withParts(message: Message, parts: readonly NativePart[]): NativeMessage {
  const role = message.role === "assistant" ? "model" : "user";
  return { content: { role, parts: parts.map(({ part }) => part) }, parts };
}

function recordedParts(message: Message, contents: readonly BlockContent[]): readonly NativePart[] | undefined {
  const drafts = new Map<JsonObject, readonly PartBlock[]>();
  const parts: { part: Part; blocks: number[] }[] = [];
  for (const [index, block] of message.blocks.entries()) {
    const record = contents[index]?.record;
    if (record === undefined) return undefined;
    const own = drafts.get(record) ?? blocksOf(record);
    drafts.set(record, own);
    const part = own[block.source.part]?.owner;
    if (part === undefined) return undefined;
    const last = parts.at(-1);
    if (last?.part === part) last.blocks.push(index);
    else parts.push({ part, blocks: [index] });
  }
  return parts;
}

function partOf(block: Block, text: string): Part {
  const named = { ...(block.callId === undefined ? {} : { id: block.callId }), name: toolNameOf(block.tool ?? "") };
  switch (block.kind) {
    case "text":
      return { text };
    case "thinking":
      return { text, thought: true };
    case "tool_call":
      return { functionCall: { ...named, args: withFilePath(argsOf(text), block.file, named.name) } };
    case "tool_result":
      return { functionResponse: { ...named, response: block.isError === true ? { error: text } : { output: text } } };
    case "image":
      return imagePart(text);
  }
}

/** The response with one more part, if the block belongs to it. An image after a result does, unless it names another call. */
function joinedResponse(part: Part, block: Block, text: string): Part | undefined {
  const response = responseOf(part);
  if (response === undefined) return undefined;
  const isImage = block.kind === "image";
  const isNamed = block.callId !== undefined && response.id === block.callId;
  if (isImage ? block.callId !== undefined && !isNamed : block.kind !== "tool_result" || !isNamed) return undefined;
  const added = isImage ? imagePart(text) : { text };
  return { functionResponse: { ...response, parts: [...nestedParts(part), added] } };
}

function imagePart(payload: string): Part {
  const data = /^data:([^;,]*)(?:;[^,]*)?,/.exec(payload.slice(0, 200));
  return {
    inlineData: { mimeType: data?.[1] || "image/png", data: data === null ? payload : payload.slice(data[0].length) },
  };
}

/** The arguments of a call; a text that is not a JSON object is wrapped in one. */
function argsOf(text: string): JsonObject {
  const value = parsedOr(text);
  return isObject(value) ? value : { input: value };
}

const FILE_TOOLS: ReadonlySet<string> = new Set(["read_file", "write_file", "edit"]);

/** The arguments with the file under the name that these tools have for it; only the name changes the size. */
function withFilePath(args: JsonObject, file: string | undefined, tool: string): JsonObject {
  if (file === undefined || !FILE_TOOLS.has(tool) || args.file_path !== undefined) return args;
  const entries = Object.entries(args);
  const at = entries.findIndex(([, value]) => value === file);
  return at < 0 ? args : Object.fromEntries(entries.with(at, ["file_path", file]));
}

/** Qwen Code's names for tools, by their usual names in small letters and without separators. */
const TOOL_NAMES: Readonly<Record<string, string>> = {
  read: "read_file",
  readfile: "read_file",
  view: "read_file",
  write: "write_file",
  writefile: "write_file",
  create: "write_file",
  edit: "edit",
  multiedit: "edit",
  strreplaceeditor: "edit",
  strreplacebasededittool: "edit",
  applypatch: "edit",
  bash: "run_shell_command",
  shell: "run_shell_command",
  exec: "run_shell_command",
  execcommand: "run_shell_command",
  localshell: "run_shell_command",
  runshellcommand: "run_shell_command",
  grep: "grep_search",
  ripgrep: "grep_search",
  glob: "glob",
  find: "glob",
  webfetch: "web_fetch",
  websearch: "web_search",
  skill: "skill",
  task: "agent",
  agent: "agent",
  ls: "list_directory",
  list: "list_directory",
  listdir: "list_directory",
  todowrite: "todo_write",
};

/** The tool's name in Qwen Code; the given name if Qwen Code has no such tool. */
export function toolNameOf(name: string): string {
  const key = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return Object.hasOwn(TOOL_NAMES, key) ? (TOOL_NAMES[key] ?? name) : name;
}
