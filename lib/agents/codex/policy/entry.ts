import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { PolicyPlan } from "@/lib/core/compaction/policy";
import { numberSetting } from "@/lib/core/compaction/settings/settings";
import { OUTPUT_BYTES, resized, tokensOfBytes, truncatedBytes } from "../constants";

/** Outputs may exceed the limit by this factor when they enter the history. Source: README.md, "Presets". */
const ENTRY_FACTOR = 1.2;
/** The one tool whose result Codex does not truncate. */
const TOOL_SEARCH = "tool_search";

/**
 * Entry rule: an output keeps its head and tail within 1.2 times the limit. The texts of one output share one budget, in order; what no longer
 * fits is left out.
 */
export function entryTokens({ columns, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  if (columns.kind[item] !== KIND.tool_result || columns.tables.tools[columns.tool[item] ?? -1] === TOOL_SEARCH)
    return tokens;
  const bytes = columns.bytes[item] ?? 0;
  const budget = Math.ceil(numberSetting(settings, "toolOutputTokens") * ENTRY_FACTOR);
  if (tokensOfBytes(bytes) <= budget && !isContinued(columns, item)) return tokens;
  const earlier = earlierTokens(columns, item);
  const left = Math.max(0, budget - earlier);
  if (tokensOfBytes(bytes) <= left) return tokens;
  if (left === 0 && earlier > 0) return 0;
  const scale = (columns.measures["codex.jsonBytes"]?.[item] ?? bytes) / bytes;
  return resized(tokens, OUTPUT_BYTES + bytes * scale, OUTPUT_BYTES + truncatedBytes(bytes, left) * scale);
}

/** Whether the item follows other parts of its message. */
function isContinued(columns: SessionColumns, item: ItemIndex): boolean {
  return ((columns.flags[item] ?? 0) & FLAG.MESSAGE_START) === 0;
}

/** Tokens of the texts of the same output before this one. */
function earlierTokens(columns: SessionColumns, item: ItemIndex): Tokens {
  const call = columns.pair[item] ?? -1;
  // A result whose call is unknown is an output of its own.
  if (call < 0) return 0;
  let sum = 0;
  for (let row = item - 1; row >= columns.overheadRows && columns.message[row] === columns.message[item]; row--) {
    if (columns.kind[row] === KIND.tool_result && columns.pair[row] === call) {
      sum += tokensOfBytes(columns.bytes[row] ?? 0);
    }
  }
  return sum;
}
