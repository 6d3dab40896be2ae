import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import { isObject, objectField } from "@/lib/core/records/fields";
import type { Block } from "@/lib/core/transcript/model";

/** The size of a file as the program holds it: UTF-16 units, and lines. */
interface FileSize {
  readonly chars: number;
  readonly lines: number;
}

type JsonObject = Readonly<Record<string, unknown>>;

const UNKNOWN: FileSize = { chars: 0, lines: 0 };

/**
 * Size of a file after a call that read, wrote or edited it, on the row of the call's result; without lines if the record does not state them. A read
 * counts only the part that was read, since the program holds no more of the file. Source: `toolUseResult` (README.md, "Records").
 */
export const claudeCodeMeasures: MessageMeasures = (message, contents) => {
  const sizes = message.blocks.map((block, index) => sizeAfter(block, contents[index]?.record));
  return {
    "claude-code.fileChars": sizes.map(({ chars }) => chars),
    "claude-code.fileLines": sizes.map(({ lines }) => lines),
  };
};

function sizeAfter({ kind }: Block, record: JsonObject | undefined): FileSize {
  const result = record?.toolUseResult;
  if (kind !== "tool_result" || !isObject(result)) return UNKNOWN;
  const read = isObject(result.file) ? result.file.content : undefined;
  if (typeof read === "string") return sizeOf(read);
  if (typeof result.content === "string" && typeof result.filePath === "string") return sizeOf(result.content);
  const before = [result.originalFile, result.originalFileContents].find((text) => typeof text === "string");
  const after = typeof before === "string" ? edited(before, editsOf(result)) : undefined;
  return after === undefined ? UNKNOWN : sizeOf(after);
}

function sizeOf(text: string): FileSize {
  return { chars: text.length, lines: text.split("\n").length };
}

/** An edit: a text that replaced another in a file, once or everywhere. */
interface Edit {
  readonly old: unknown;
  readonly new: unknown;
  readonly all: unknown;
}

/** The edits of a call. `structuredPatch` is not used, since it shows leading tabs as spaces. */
function editsOf({ edits, oldString, newString, replaceAll }: JsonObject): readonly Edit[] {
  if (!Array.isArray(edits)) return [{ old: oldString, new: newString, all: replaceAll }];
  return edits
    .map(objectField)
    .map((edit) => ({ old: edit?.old_string, new: edit?.new_string, all: edit?.replace_all }));
}

/** A file's content after a series of edits, each applied to the result of the previous one; `undefined` if a text to replace is missing. */
function edited(before: string, edits: readonly Edit[]): string | undefined {
  let text = before;
  for (const { old, new: by, all } of edits) {
    if (typeof old !== "string" || typeof by !== "string") return undefined;
    // Replacing an empty text inserts the new one at the front, once.
    text = all === true && old !== "" ? text.replaceAll(old, () => by) : text.replace(old, () => by);
  }
  return text;
}
