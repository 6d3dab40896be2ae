import { isObject } from "@/lib/core/transcript/fields";
import type { Block } from "@/lib/core/transcript/model";
import type { MessageMeasures } from "../server-half";

/** The size of a file as the program holds it: UTF-16 units, and lines. */
interface FileSize {
  readonly chars: number;
  readonly lines: number;
}

type JsonObject = Readonly<Record<string, unknown>>;

const UNKNOWN: FileSize = { chars: 0, lines: 0 };

/**
 * How large a file was after a call that read, wrote or edited it, on the row of its result; 0 where the record does not say.
 * A read counts what it read of the file, as that is what the program holds of it. Source: `toolUseResult` (README.md, "Records").
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
  return typeof before === "string" ? edited(sizeOf(before), result.structuredPatch) : UNKNOWN;
}

function sizeOf(text: string): FileSize {
  return { chars: text.length, lines: text.split("\n").length };
}

/** The size behind an edit: the patch has a line for each that came (`+`) and each that went (`-`), its sign in place of its end. */
function edited(before: FileSize, patch: unknown): FileSize {
  let { chars, lines } = before;
  for (const line of linesOf(patch)) {
    const sign = line.startsWith("+") ? 1 : line.startsWith("-") ? -1 : 0;
    chars += sign * line.length;
    lines += sign;
  }
  return { chars: Math.max(0, chars), lines: Math.max(0, lines) };
}

function linesOf(patch: unknown): readonly string[] {
  const hunks = Array.isArray(patch) ? patch : [];
  const lines = hunks.flatMap((hunk: unknown) => (isObject(hunk) && Array.isArray(hunk.lines) ? hunk.lines : []));
  return lines.filter((line) => typeof line === "string");
}
