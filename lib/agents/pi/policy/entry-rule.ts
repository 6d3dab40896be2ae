import { charsOverFour } from "@/lib/core/base/characters";
import type { Bytes, Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { OUTPUT_BYTES } from "../base/constants";

/**
 * Entry rule: an output is cut to what pi's own tools would have returned: 2,000 lines, 50 KB. Without the measure its lines are unknown, so only
 * bytes count. Exact under pi's own rule, in proportion under any other. Source: README.md, "Compaction".
 */
export function entryTokens({ columns }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const chars = columns.chars[item] ?? 0;
  if (columns.kind[item] !== KIND.tool_result || chars === 0) return tokens;
  const kept = columns.measures["pi.outputChars"]?.[item] ?? charsWithin(columns, item, OUTPUT_BYTES);
  if (kept >= chars) return tokens;
  return tokens === charsOverFour(chars) ? charsOverFour(kept) : Math.ceil((tokens * kept) / chars);
}

/** UTF-16 units of a text's first `limit` bytes, in proportion. */
function charsWithin({ bytes, chars }: SessionColumns, item: ItemIndex, limit: Bytes): Chars {
  const [size, units] = [bytes[item] ?? 0, chars[item] ?? 0];
  return size <= limit ? units : Math.ceil((units * limit) / size);
}
