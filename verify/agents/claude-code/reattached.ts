import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { isObject, objectField } from "@/lib/core/records/fields";
import type { Block } from "@/lib/core/transcript/model";
import type { ItemList } from "@/verify/support/item-list";
import type { LoadedRecording } from "@/verify/support/loaded-recording";

/** An answered call: its arguments, and its record's information about the file. */
interface Answered {
  /** Row of the result. */
  readonly row: ItemIndex;
  readonly callRow: ItemIndex;
  /** Lower case. */
  readonly tool: string;
  readonly call: Block;
  readonly result: Block;
  readonly toolUseResult: unknown;
}

/**
 * Tokens of the session's content that is re-attached after a compaction, by the rule of README.md, "Compaction" over messages and records: five
 * files, the newest first, the plan and the todo list.
 */
export function reattachedSize({ recording, items }: ItemList): Tokens {
  const newest = Math.max(-1, ...items.map(({ row = -1 }) => row));
  const results = items.filter(({ kind, row, isCleared }) => kind === "tool_result" && row !== undefined && !isCleared);
  const chars = sumOf(results.map(({ row }) => recording.columns.chars[row ?? -1] ?? 0));
  const perChar = chars > 0 ? sumOf(results.map(({ tokens }) => tokens)) / chars : 1 / 4;
  const answered = answeredCalls(recording);
  const byFile = new Map<string, readonly Answered[]>();
  for (const one of answered.filter(({ row }) => row <= newest).toSorted((a, b) => b.row - a.row)) {
    const { file } = one.call;
    if (!/^(read|write|edit|multiedit|notebookedit)$/.test(one.tool) || file === undefined) continue;
    byFile.set(file, [...(byFile.get(file) ?? []), one]);
  }
  const sizes = [...byFile].map(([file, touches]) => ({ isPlan: isPlan(file), tokens: sizeOf(touches, perChar) }));
  const files = sizes.filter((file) => !file.isPlan).slice(0, 5);
  const plan = sizes.find((file) => file.isPlan)?.tokens ?? 0;
  const todo = todoChars(answered, newest);
  const fromFiles = files.length === 0 ? 6000 : sumOf(files.map(({ tokens }) => tokens));
  return fromFiles + plan + (todo === undefined ? 0 : Math.round(todo * perChar));
}

function isPlan(file: string): boolean {
  return file.endsWith(".md") && /[\\/]\.claude[\\/]plans$/.test(file.replace(/[\\/][^\\/]*$/, ""));
}

/** @param touches calls on one file, newest first */
function sizeOf(touches: readonly Answered[], perChar: number): Tokens {
  const text = touches[0] === undefined ? undefined : textAfter(touches[0].toolUseResult);
  const whole = touches.find(({ tool }) => tool === "read" || tool === "write");
  const passed = whole === undefined ? 0 : (whole.tool === "read" ? whole.result : whole.call).text.chars;
  const [chars, lines] = text === undefined ? [passed, 0] : [text.length, text.split("\n").length];
  return chars * perChar > 5000 ? 0 : Math.round((chars + 7 * lines) * perChar);
}

/** A text as long as the file is after the call; `undefined` if the record does not contain it. */
function textAfter(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  if (isObject(result.file) && typeof result.file.content === "string") return result.file.content;
  if (typeof result.filePath === "string" && typeof result.content === "string") return result.content;
  const before = [result.originalFile, result.originalFileContents].find((file) => typeof file === "string");
  if (typeof before !== "string") return undefined;
  if (!Array.isArray(result.edits)) return withPart(before, result.oldString, result.newString, result.replaceAll);
  let text: string | undefined = before;
  for (const edit of result.edits.map(objectField)) {
    text = withPart(text, edit?.old_string, edit?.new_string, edit?.replace_all);
  }
  return text;
}

/** A text with one part replaced: the first of several equal parts, or all of them. `undefined` if one of the texts is missing. */
function withPart(text: string | undefined, part: unknown, by: unknown, isEvery: unknown): string | undefined {
  if (text === undefined || typeof part !== "string" || typeof by !== "string") return undefined;
  if (part === "") return by + text;
  const [head = "", ...rest] = text.split(part);
  return rest.length === 0 ? head : [head, rest.join(isEvery === true ? by : part)].join(by);
}

/** Characters of the newest call that wrote the todo list. */
function todoChars(answered: readonly Answered[], newest: ItemIndex): number | undefined {
  const calls = answered.filter(({ tool, callRow }) => tool === "todowrite" && callRow <= newest);
  return calls.toSorted((a, b) => a.callRow - b.callRow).at(-1)?.call.text.chars;
}

/** Every call whose first result is not an error, together with that result. */
function answeredCalls({ transcript, rowsOf, contents }: LoadedRecording): readonly Answered[] {
  const calls = new Map<string, readonly [ItemIndex, Block]>();
  const found = new Map<string, Answered>();
  for (const [message, { blocks, recordedOnly }] of transcript.messages.entries()) {
    if (recordedOnly === true) continue;
    for (const [index, block] of blocks.entries()) {
      const { kind, callId = "" } = block;
      if (callId === "") continue;
      const row = rowsOf(message)[index] ?? -1;
      if (kind === "tool_call" && !calls.has(callId)) calls.set(callId, [row, block]);
      const answeredCall = kind === "tool_result" && !found.has(callId) ? calls.get(callId) : undefined;
      if (answeredCall === undefined) continue;
      const [callRow, call] = answeredCall;
      const { toolUseResult } = contents(message)[index]?.record ?? {};
      const tool = call.tool?.toLowerCase() ?? "";
      found.set(callId, { row, callRow, tool, call, result: block, toolUseResult });
    }
  }
  return [...found.values()].filter(({ result }) => result.isError !== true);
}
