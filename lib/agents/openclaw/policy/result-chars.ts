import type { Chars, ItemIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { EXEC_OUTPUT_CHARS, READ_OUTPUT_BYTES } from "../constants";

/**
 * What of a tool's result enters the context, over numbers, as a release counts it; the same rules as `tool-output.ts`.
 * Source: README.md, "Tool results".
 */
export interface ResultChars {
  /** Chars of an item as recorded. */
  readonly recorded: (columns: SessionColumns, item: ItemIndex) => Chars;
  /** Chars of reasoning. */
  readonly reasoning: (columns: SessionColumns, item: ItemIndex) => Chars;
  /** Chars of a result as it enters where the entry rule is in force. */
  readonly entered: (columns: SessionColumns, item: ItemIndex, settings: Settings) => Chars;
}

/** What the tool gives. The size of reasoning may be that of a text which is not in the file; then it is that of its own text. */
export const resultChars202621: ResultChars = {
  recorded: ({ chars }, item) => chars[item] ?? 0,
  reasoning: ({ measures, chars }, item) => measures["openclaw.givenChars"]?.[item] ?? chars[item] ?? 0,
  entered: (columns, item) =>
    columns.measures["openclaw.givenChars"]?.[item] ?? Math.min(columns.chars[item] ?? 0, mostOfTool(columns, item)),
};

/** In weighted chars: what the tool gives, up to the limit of a result, ends of lines not looked for. Without the measure chars weigh one. */
export const resultChars202696: ResultChars = {
  recorded: weightedChars,
  reasoning: weightedChars,
  entered: (columns, item, settings) => {
    const given = columns.measures["openclaw.givenWeighted"]?.[item];
    const ofTool = given ?? Math.min(weightedChars(columns, item), mostOfTool(columns, item));
    return Math.min(ofTool, numberSetting(settings, "toolResultChars"));
  },
};

function weightedChars({ measures, chars }: SessionColumns, item: ItemIndex): Chars {
  return measures["openclaw.weightedChars"]?.[item] ?? chars[item] ?? 0;
}

/** Without the text: lines are not known, and a char is taken for a byte. */
function mostOfTool({ tables, tool }: SessionColumns, item: ItemIndex): Chars {
  return tables.tools[tool[item] ?? -1]?.toLowerCase() === "read" ? Number(READ_OUTPUT_BYTES) : EXEC_OUTPUT_CHARS;
}

/** Chars of a result that is in the context: as it entered, whether the entry rule is in force or not. */
export function charsInContext(
  chars: ResultChars,
  columns: SessionColumns,
  item: ItemIndex,
  settings: Settings,
): Chars {
  return settings.entryTruncation === true ? chars.entered(columns, item, settings) : chars.recorded(columns, item);
}
