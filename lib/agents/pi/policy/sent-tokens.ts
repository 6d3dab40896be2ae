import { charsOverFour } from "@/lib/core/base/characters";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { isUnanswered, type SessionColumns } from "@/lib/core/columns/columns";
import type { PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { NO_RESULT } from "../base/constants";

/** Differences between sent and stored items. Source: README.md, "Sent messages"; pi-ai 0.51.0 and 1.5.2, transform-messages. */

/** Size of the generated result for a call without one. */
const STAND_IN_TOKENS: Tokens = charsOverFour(NO_RESULT.length);

/** Size of an item as it is sent: a call with its stand-in, and nothing of a response that failed or was aborted. */
export function sentTokens({ columns }: Pick<PolicyPlan, "columns">, item: ItemIndex, tokens: Tokens): Tokens {
  if (unsentOf(columns, item) > 0) return 0;
  return tokens + (isUnanswered(columns, item) ? STAND_IN_TOKENS : 0);
}

/** The inverse: size of an item as the session holds it, by which pi cuts and summarises. */
export function heldTokens(columns: SessionColumns, item: ItemIndex, sent: Tokens): Tokens {
  const unsent = unsentOf(columns, item);
  return unsent > 0 ? unsent - 1 : sent - (isUnanswered(columns, item) ? STAND_IN_TOKENS : 0);
}

function unsentOf({ measures }: SessionColumns, item: ItemIndex): number {
  return measures["pi.unsent"]?.[item] ?? 0;
}
