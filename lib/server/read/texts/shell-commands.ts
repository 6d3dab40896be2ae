import { toolKind } from "@/lib/agents/shared/tool-kinds";
import type { ItemIndex } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { callArguments } from "@/lib/core/refetch/arguments";
import { commandName } from "@/lib/core/refetch/checks";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { isInputError } from "../../base/input-error";
import type { SourceFile } from "../source-file";
import { RecordLoader } from "./record-loader";

/** Maximum number of calls whose texts are loaded: those with the largest results. */
const MAX_CALLS = 60;

/** Maps rows of shell calls to command names (`commandName`), for the calls with the largest results. Empty if the file has changed. */
export function shellCommands(
  file: SourceFile,
  reader: Reader,
  { list }: Transcript,
  columns: SessionColumns,
): ReadonlyMap<ItemIndex, string> {
  const loader = new RecordLoader(file, reader);
  const names = new Map<ItemIndex, string>();
  try {
    for (const row of largestCalls(columns)) {
      const { text } = loader.content(list.blocks.block(row - columns.overheadRows).source);
      const name = commandName(callArguments(text).value);
      if (name !== undefined) names.set(row, name);
    }
  } catch (error) {
    // The file was rewritten meanwhile, and is read again.
    if (!isInputError(error)) throw error;
  }
  return names;
}

/** Rows of the shell calls with the largest results, in file order. */
function largestCalls({ kind, tool, pair, chars, overheadRows, length, tables }: SessionColumns): ItemIndex[] {
  const isShell = tables.tools.map((name) => toolKind(name) === "shell");
  const calls: ItemIndex[] = [];
  for (let row = overheadRows; row < length; row++)
    if (kind[row] === KIND.tool_call && isShell[tool[row] ?? -1] === true && (pair[row] ?? -1) >= 0) calls.push(row);
  const size = (row: ItemIndex) => chars[pair[row] ?? -1] ?? 0;
  return calls
    .sort((a, b) => size(b) - size(a))
    .slice(0, MAX_CALLS)
    .sort((a, b) => a - b);
}
