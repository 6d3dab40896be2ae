import type { Chars, ItemIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { EXEC_OUTPUT_CHARS, READ_OUTPUT_BYTES } from "../base/constants";

/**
 * Chars of a tool's result that enter the context, computed from the columns, as a release counts them; the same rules as `tool-output.ts`. Source:
 * README.md, "Tool results".
 */
export interface ResultChars {
  readonly recorded: (columns: SessionColumns, item: ItemIndex) => Chars;
  readonly reasoning: (columns: SessionColumns, item: ItemIndex) => Chars;
  /** Chars of a result on entry, if the entry rule applies. */
  readonly entered: (columns: SessionColumns, item: ItemIndex, settings: Settings) => Chars;
  /** Chars of a result other than its own text, which no limit removes. */
  readonly uncut: (columns: SessionColumns, item: ItemIndex) => Chars;
}

/** Output of the tool. The size of reasoning may be that of a text that is not in the file; its own text then counts. */
export const resultChars202621: ResultChars = {
  recorded: ({ chars }, item) => chars[item] ?? 0,
  reasoning: ({ measures, chars }, item) => measures["openclaw.givenChars"]?.[item] ?? chars[item] ?? 0,
  entered: (columns, item) =>
    columns.measures["openclaw.givenChars"]?.[item] ?? Math.min(columns.chars[item] ?? 0, mostOfTool(columns, item)),
  uncut: () => 0,
};

/**
 * In weighted chars: the output of the tool, up to the limit of a result; line ends are not searched for. Without the measure, every char weighs one.
 */
export const resultChars202696: ResultChars = {
  recorded: weightedChars,
  reasoning: weightedChars,
  entered: (columns, item, settings) => {
    const given = columns.measures["openclaw.givenWeighted"]?.[item];
    const ofTool = given ?? Math.min(weightedChars(columns, item), mostOfTool(columns, item));
    return Math.min(ofTool, numberSetting(settings, "toolResultChars"));
  },
  uncut: ({ measures }, item) => measures["openclaw.uncutChars"]?.[item] ?? 0,
};

function weightedChars({ measures, chars }: SessionColumns, item: ItemIndex): Chars {
  return measures["openclaw.weightedChars"]?.[item] ?? chars[item] ?? 0;
}

/** Without the text, lines are unknown, and a char counts as a byte. */
function mostOfTool({ tables, tool }: SessionColumns, item: ItemIndex): Chars {
  return tables.tools[tool[item] ?? -1]?.toLowerCase() === "read" ? Number(READ_OUTPUT_BYTES) : EXEC_OUTPUT_CHARS;
}

/** Chars of a result in the context, with or without the entry rule. */
export function charsInContext(
  chars: ResultChars,
  columns: SessionColumns,
  item: ItemIndex,
  settings: Settings,
): Chars {
  return settings.entryTruncation === true ? chars.entered(columns, item, settings) : chars.recorded(columns, item);
}
