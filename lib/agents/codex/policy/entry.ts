import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import type { PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { OUTPUT_BYTES, resized, tokensOfBytes, truncatedBytes } from "../base/constants";
import { codexPreset } from "../base/presets";
import { REMOVED, UNPAIRED } from "./measures";

/** Outputs may exceed the limit by this factor when they enter the history. Source: README.md, "Presets". */
const ENTRY_FACTOR = 1.2;
/** The one tool whose result Codex does not truncate. */
export const TOOL_SEARCH = "tool_search";

/**
 * Entry rule: size of the item in every request. A call that never gets an output has the size of its generated one, and an output without a call has
 * no size. A request waits for the outputs of its calls, and a compaction keeps neither, so this holds at every request.
 */
export function entryTokens(plan: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const unpaired = unpairedChange(plan, item);
  return unpaired === REMOVED ? 0 : truncatedTokens(plan, item, tokens) + unpaired;
}

/** The measure of an item without its counterpart; 0 if it has one. */
function unpairedChange({ columns, preset }: PolicyPlan, item: ItemIndex): Tokens {
  const measure = columns.measures[UNPAIRED[codexPreset(preset)]];
  const change = measure?.[item] ?? 0;
  if (measure === undefined || change === 0) return 0;
  const { kind } = columns;
  const other = columns.pair[item] ?? -1;
  // The document pairs only function calls: a local shell's call keeps no output.
  if (other >= 0) return change === REMOVED && (measure[other] ?? 0) === 0 ? REMOVED : 0;
  if (kind[item] !== KIND.tool_call) return kind[item] === KIND.tool_result ? change : 0;
  // Columns do not pair images: an output that begins with an image may be the answer.
  for (let row = item + 1; row < columns.length && isToolWork(columns, row); row++) {
    const continues = isContinued(columns, row) && kind[row - 1] === KIND.tool_result;
    if (kind[row] === KIND.image && !continues) return 0;
  }
  return change;
}

/** An output keeps its head and tail within 1.2 times the limit. The texts of one output share one budget, in order; texts beyond it are omitted. */
function truncatedTokens({ columns, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
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

/** True for a call, and for a part of a tool's result. */
function isToolWork({ kind, origin }: SessionColumns, item: ItemIndex): boolean {
  return kind[item] === KIND.tool_call || origin[item] === ORIGIN.tool;
}

/** True if the item follows other parts of its message. */
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
