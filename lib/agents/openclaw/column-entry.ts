import type { Chars, ItemIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { EXEC_OUTPUT_CHARS, READ_OUTPUT_BYTES } from "./constants";

/** What of a tool's result enters the context, over numbers; the same rules as `tool-output.ts`. Source: README.md, "Tool results". */

/** `current` is the only preset that limits results. */
export function isCurrent(settings: Settings): boolean {
  return typeof settings.toolResultChars === "number";
}

/** Chars of a result as recorded: weighted ones in `current`; without the measure, as they are. */
export function recordedChars(columns: SessionColumns, item: ItemIndex, current: boolean): Chars {
  const weighted = current ? columns.measures["openclaw.weightedChars"]?.[item] : undefined;
  return weighted ?? columns.chars[item] ?? 0;
}

/**
 * Chars of a result as it enters where the entry rule is in force, in the same measure: what the tool gives, in `current` up to the
 * limit of a result, ends of lines not looked for.
 */
export function enteredChars(columns: SessionColumns, item: ItemIndex, settings: Settings): Chars {
  const current = isCurrent(settings);
  const given = columns.measures[current ? "openclaw.givenWeighted" : "openclaw.givenChars"]?.[item];
  const ofTool = given ?? Math.min(recordedChars(columns, item, current), mostOfTool(columns, item));
  return current ? Math.min(ofTool, numberSetting(settings, "toolResultChars")) : ofTool;
}

/** Chars of a result that is in the context: as it entered, whether the entry rule is in force or not. */
export function resultChars(columns: SessionColumns, item: ItemIndex, settings: Settings): Chars {
  if (settings.entryTruncation === true) return enteredChars(columns, item, settings);
  return recordedChars(columns, item, isCurrent(settings));
}

/** Without the text: lines are not known, and a char is taken for a byte. */
function mostOfTool({ tables, tool }: SessionColumns, item: ItemIndex): Chars {
  return tables.tools[tool[item] ?? -1]?.toLowerCase() === "read" ? Number(READ_OUTPUT_BYTES) : EXEC_OUTPUT_CHARS;
}
