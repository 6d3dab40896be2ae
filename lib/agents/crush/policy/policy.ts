import { bytesOverFour } from "@/lib/core/base/characters";
import type { Tokens } from "@/lib/core/base/units";
import { isOrphan, isUnanswered, ORIGIN } from "@/lib/core/columns/columns";
import { thresholdPolicy } from "@/lib/core/compaction/policies/threshold";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { runEnd, tokensBetween, writtenToCache } from "@/lib/core/compaction/selection";
import { from } from "@/lib/core/compaction/simulation/positions";
import { CONTINUATION_PREFIX, MISSING_RESULT } from "../base/constants";
import { CRUSH_PRESETS, crushSettings } from "../base/presets";
import { triggerOf } from "./threshold";

/**
 * Crush's compaction, computed from the columns. After a step whose prompt and answer leave less than a reserve of the window free, a summary
 * replaces the whole history; within a turn, the turn's prompt is repeated after it. Source: README.md, "Rules".
 */
export const crushPolicy = thresholdPolicy({
  id: "crush",
  label: "Crush",
  presets: CRUSH_PRESETS,
  presetDates: { current: "2026-08" },
  settings: crushSettings,
  threshold: ({ settings }) => triggerOf(numberSetting(settings, "contextWindow")),
  // The last step. Tokens written to the cache are not counted, as far as they are recorded.
  size: (view) => (view.lastInput > 0 ? view.lastInput + view.lastOutput - writtenToCache(view) : undefined),
  takesEmptySummary: true,
  pairedTokens: ({ columns, own }, item, tokens) => {
    if (own === true && isOrphan(columns, item)) return 0;
    return tokens + (isUnanswered(columns, item) ? MISSING_RESULT_TOKENS : 0);
  },
  // Compacts after a step: the next typed message is not in the session yet.
  split: (view) => {
    const end = view.turnStart ? runEnd(view) : view.items.length;
    if (end === 0) return undefined;
    return {
      kept: from(view, end),
      added: view.turnStart ? [] : [continuation(view)],
      summaryCallTokens: view.history - view.overhead - tokensBetween(view, end, view.items.length),
    };
  },
});

const MISSING_RESULT_TOKENS: Tokens = bytesOverFour(MISSING_RESULT.length);
/** Tokens of the sentence around the repeated prompt. */
const CONTINUATION_TOKENS: Tokens = bytesOverFour(CONTINUATION_PREFIX.length + 1);
const CONTINUATION = "goOnRequest";

/** The turn's prompt in a sentence of Crush's own. A second compaction in the same turn wraps that sentence in another one. */
function continuation(view: ContextView): SyntheticItem {
  return {
    kind: "request",
    name: CONTINUATION,
    category: "user",
    tokens: CONTINUATION_TOKENS + promptTokens(view),
    label: "request to go on",
  };
}

/** Tokens of the newest prompt: a typed message, or an earlier repetition of it. */
function promptTokens(view: ContextView): Tokens {
  const { items, columns } = view;
  let tokens = 0;
  let message: number | undefined;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    const own = columns.message[item];
    if (message !== undefined && own !== message) break;
    if (message === undefined && view.synthetic(item)?.name === CONTINUATION) return view.tokensOf(item);
    if (columns.origin[item] !== ORIGIN.typed) continue;
    message = own;
    tokens += view.tokensOf(item);
  }
  return tokens;
}
