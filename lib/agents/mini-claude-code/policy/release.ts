import type { Tokens } from "@/lib/core/base/units";
import type { ContextView, Positions } from "@/lib/core/compaction/policy";

/** The rules of one release. */
export interface Release {
  /** The size that is compared at the end of the last step; what a person typed since then had not come yet. */
  readonly compared: (view: ContextView) => Tokens;
  /** Positions of what stays of the history before a position. */
  readonly kept: (view: ContextView, end: number) => Positions;
}

/** Tokens of the context without the items from a position on. */
export function tokensThrough(view: ContextView, end: number): Tokens {
  let tokens = view.history;
  for (let position = end; position < view.items.length; position++) tokens -= view.tokensOf(view.items.at(position));
  return tokens;
}
