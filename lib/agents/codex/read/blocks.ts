import { idOf } from "@/lib/agents/shared/ids";
import { isObject, parsedOr } from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import {
  type ContentItem,
  callIdOf,
  contentItems,
  isCompactionItem,
  type ResponseItem,
  stringField,
} from "../messages/item";
import { hiddenBytes } from "../messages/masked";

/** A block, possibly a stand-in for a text that the file does not hold. */
export interface CodexBlock extends DraftBlock {
  /** Size in bytes if the file does not hold the text itself, as with encrypted reasoning; one byte counts as one character. */
  readonly hiddenBytes?: number;
}

/**
 * The blocks of an item, in the order of `BlockSource.part`. Empty for items that are never sent (ghost snapshots) and for unknown kinds. An item
 * that is sent but holds no text gives one empty block, so that its message exists.
 */
export function blocksOf(item: ResponseItem): readonly CodexBlock[] {
  switch (item.type) {
    case "message":
    case "agent_message":
      return orEmptyText(contentItems(item.content).flatMap(contentBlock));
    case "reasoning":
    case "compaction":
    case "compaction_summary":
    case "context_compaction":
      return [hiddenBlock(item)];
    case "web_search_call":
      return [{ kind: "text", text: asJson(item.action) }];
    case "image_generation_call":
      return [
        { kind: "text", text: stringField(item, "revised_prompt") ?? "" },
        { kind: "image", text: stringField(item, "result") ?? "", payload: true },
      ];
    default:
      return callBlocks(item) ?? outputBlocks(item) ?? [];
  }
}

function orEmptyText(blocks: readonly CodexBlock[]): readonly CodexBlock[] {
  return blocks.length > 0 ? blocks : [{ kind: "text", text: "" }];
}

/** The block of a content item, as a list, which is empty if the item holds neither text nor image. */
export function contentBlock(entry: ContentItem): readonly CodexBlock[] {
  const image = imageOf(entry);
  if (image !== undefined) return [{ kind: "image", text: image, payload: true }];
  const text = stringField(entry, "text") ?? stringField(entry, "encrypted_content") ?? stringField(entry, "audio_url");
  return text === undefined ? [] : [{ kind: "text", text }];
}

function imageOf(entry: ContentItem): string | undefined {
  return entry.type === "input_image" ? (stringField(entry, "image_url") ?? "") : undefined;
}

/** The block of a reasoning or compaction item: its readable text, and the size of its hidden text. */
function hiddenBlock(item: ResponseItem): CodexBlock {
  const hidden = hiddenBytes(item);
  const readable = [...contentItems(item.summary), ...contentItems(item.content)].flatMap(
    (entry) => stringField(entry, "text") ?? [],
  );
  return {
    kind: isCompactionItem(item) ? "text" : "thinking",
    text: readable.join("\n\n"),
    ...(hidden > 0 ? { hiddenBytes: hidden } : {}),
  };
}

function callBlocks(item: ResponseItem): readonly CodexBlock[] | undefined {
  const call = callOf(item);
  if (call === undefined) return undefined;
  const file = filesOfCall(call.tool, call.text)[0];
  return [{ kind: "tool_call", ...call, callId: callLinkOf(item), ...(file === undefined ? {} : { file }) }];
}

function callOf(item: ResponseItem): { tool: string; text: string } | undefined {
  switch (item.type) {
    case "function_call":
      return { tool: stringField(item, "name") ?? "", text: asJson(item.arguments) };
    case "custom_tool_call":
      return { tool: stringField(item, "name") ?? "", text: asJson(item.input) };
    case "local_shell_call":
      return { tool: "local_shell", text: asJson(item.action) };
    case "tool_search_call":
      return { tool: "tool_search", text: asJson(item.arguments) };
    default:
      return undefined;
  }
}

/** A call's id unless it was masked: it links a call and its output. */
export function callLinkOf(item: ResponseItem): string | undefined {
  return idOf(callIdOf(item));
}

function outputBlocks(item: ResponseItem): readonly CodexBlock[] | undefined {
  const callId = callLinkOf(item);
  if (item.type === "tool_search_output") return [{ kind: "tool_result", text: asJson(item.tools), callId }];
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return undefined;
  if (!Array.isArray(item.output)) {
    const text = asJson(item.output);
    return [{ kind: "tool_result", text, callId, isError: reportsError(text) }];
  }
  const blocks = contentItems(item.output).flatMap((entry): readonly CodexBlock[] =>
    contentBlock(entry).map((block) => ({ ...block, kind: block.kind === "image" ? "image" : "tool_result", callId })),
  );
  // An image belongs to the result's text before it. If an image comes first, an empty text is put before it.
  return blocks[0]?.kind === "tool_result" ? blocks : [{ kind: "tool_result", text: "", callId }, ...blocks];
}

const EXIT_CODE = /^(?:Exit code: |Process exited with code )(-?\d+)/m;
const JSON_EXIT_CODE = /"exit_code":\s*(-?\d+)/;

/** True if an output reports that its command failed: Codex writes the exit code into the text in one of three formats. */
function reportsError(output: string): boolean {
  const head = EXIT_CODE.exec(output.slice(0, 400))?.[1];
  const code = head ?? (output.startsWith("{") ? JSON_EXIT_CODE.exec(output.slice(-200))?.[1] : undefined);
  return code !== undefined && code !== "0";
}

function asJson(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** `apply_patch` names each file that it changes on a line of its own. */
const PATCH_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;
/** A first command that reads one file: `cat`, `head`, `tail`, `nl` or `sed -n`, with options, up to a pipe or the end. */
const READ_COMMAND =
  /^(?:cat|head|tail|nl|sed)\s(?:-[\w-]+\s+(?:\d+\s+)?|'[^']*'\s+|"[^"]*"\s+)*([^\s|;&<>'"$*?]+)\s*(?:$|[|;&])/;
const PATH_KEYS = ["file_path", "path", "dir_path"] as const;
const COMMAND_KEYS = ["cmd", "command"] as const;

/** Files that a call reads or writes, as written in its arguments; the first is the call's file. */
export function filesOfCall(tool: string, args: string): readonly string[] {
  // The arguments of an interrupted call may be incomplete, and then name no file.
  const parsed = args.startsWith("{") ? parsedOr(args) : undefined;
  if (!isObject(parsed)) return patchFiles(args);
  for (const key of PATH_KEYS) {
    const path = parsed[key];
    if (typeof path === "string" && path !== "") return [path];
  }
  if (tool === "apply_patch") {
    return Object.values(parsed).flatMap((value) => (typeof value === "string" ? patchFiles(value) : []));
  }
  return commandFiles(parsed);
}

function commandFiles(args: Readonly<Record<string, unknown>>): readonly string[] {
  const words = COMMAND_KEYS.map((key) => args[key]).find((value) => value !== undefined);
  const command = Array.isArray(words) ? shellScript(words) : words;
  if (typeof command !== "string") return [];
  const patched = patchFiles(command);
  if (patched.length > 0) return patched;
  const read = READ_COMMAND.exec(command.trim())?.[1];
  return read === undefined ? [] : [read];
}

/** For `["bash", "-lc", script]` the script, for any other list its words. */
function shellScript(words: readonly unknown[]): string {
  const texts = words.filter((word) => typeof word === "string");
  return texts.length === 3 && (texts[1] ?? "").startsWith("-") ? (texts[2] ?? "") : texts.join(" ");
}

function patchFiles(text: string): readonly string[] {
  return [...text.matchAll(PATCH_FILE)].flatMap((match) => match[1]?.trim() ?? []);
}
