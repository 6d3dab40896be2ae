import type { Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy";
import { CUT } from "../constants";
import { firstCut, isCutAt, overBudget, type Range } from "./cut";
import type { Release } from "./release";

/** What starts a turn, so that a cut before it splits none: anything but a response or a result. */
const TURNS: ReadonlySet<number> = new Set([CUT.TURN, CUT.ENTRY, CUT.MESSAGE]);

/** Release 1.5.2: it also looks within a run, and counts what came since the last response by its own count. */
export const current: Release = {
  comparedWithin: (view, used) => used + view.addedCount,
  losesKept: false,
  cut: currentCut,
  turns: { starts: TURNS, leavesWhole: TURNS },
  carriesSummary: true,
  sendsReasoning: false,
  // A result of 2,000 characters with the note that it was cut, at four characters for a token. Source: README.md, "Compaction".
  mostOfResult: 510,
};

/** Position from which everything stays; −1 where nothing would be summarised. Items without tokens are skipped. */
function currentCut(view: ContextView, range: Range, keepRecentTokens: Tokens): number {
  const first = firstCut(view, range);
  if (first < 0) return -1;
  const over = overBudget(view, range, keepRecentTokens, (tokens) => tokens > 0);
  if (over < 0) return first > range.from ? first : -1;
  const behind = firstCut(view, { from: over, to: range.to });
  const cut = behind >= 0 ? behind : lastCut(view, range);
  return cut > range.from ? cut : -1;
}

/** The last position within a range before which pi may cut; −1 where there is none. */
function lastCut(view: ContextView, { from, to }: Range): number {
  for (let position = to - 1; position >= from; position--) if (isCutAt(view, position)) return position;
  return -1;
}
