import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND } from "@/lib/core/columns/columns";
import type { PolicyPlan } from "@/lib/core/compaction/policy";
import { numberSetting } from "@/lib/core/compaction/settings/settings";
import { tokensOfChars } from "../constants";
import { miniPreset } from "../presets";
import { omittedHint } from "./tool-output";

/** Length of a result's JSON without its text, its call's id and its tool's name. Source: README.md, "Messages". */
const RESULT_CHARS: Chars = '{"type":"tool-result","toolCallId":"","toolName":"","result":""},'.length;
/** What a result that reports an error adds. */
const ERROR_CHARS: Chars = ',"isError":true'.length;
/** The usual length of a call's id. */
const CALL_ID_CHARS: Chars = "toolu_012345678901234567890123".length;

/** Entry rule: of an output above the limit, its first units and a hint enter. Under any other estimator the tokens change in proportion. */
export function entryTokens({ columns, preset, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const chars = columns.chars[item] ?? 0;
  const limit = numberSetting(settings, "toolOutputChars");
  if (columns.kind[item] !== KIND.tool_result || chars <= limit) return tokens;
  const tool = columns.tables.tools[columns.tool[item] ?? -1] ?? "";
  const hint = omittedHint(tool, chars, miniPreset(preset), limit);
  const isError = ((columns.flags[item] ?? 0) & FLAG.ERROR) !== 0;
  const json = RESULT_CHARS + tool.length + (isError ? ERROR_CHARS : 0);
  const id = (columns.pair[item] ?? -1) < 0 ? 0 : CALL_ID_CHARS;
  // The program's own count includes the JSON around the text.
  const around = tokens >= tokensOfChars(chars + json) ? json + id : 0;
  // An output hardly above the limit becomes larger through its hint.
  return Math.ceil((tokens * (around + limit + hint.length)) / (around + chars));
}
