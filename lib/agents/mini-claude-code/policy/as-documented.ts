import { ORIGIN } from "@/lib/core/columns/columns";
import type { ContextView, Positions } from "@/lib/core/compaction/policy";
import { runEnd } from "@/lib/core/compaction/selection";
import { type Release, tokensThrough } from "./release";

/** The document's rules: it compares the estimate after every step, and keeps the question. */
export const asDocumented: Release = {
  compared: (view) => (view.turnStart ? tokensThrough(view, runEnd(view)) : view.history),
  kept: questionBefore,
};

/** Position of the newest message before another position that a person typed: the question that the run answers. */
function questionBefore(view: ContextView, end: number): Positions {
  const { origin, message } = view.columns;
  let last = end - 1;
  while (last >= 0 && origin[view.items.at(last)] !== ORIGIN.typed) last -= 1;
  if (last < 0) return [];
  const question = message[view.items.at(last)];
  let first = last;
  while (first > 0 && message[view.items.at(first - 1)] === question) first -= 1;
  return [[first, last + 1]];
}
