import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Positions, Retention } from "@/lib/core/compaction/policy";
import { firstRecorded, tokensBetween } from "@/lib/core/compaction/selection";
import { positionsWhere } from "@/lib/core/compaction/simulation/positions";
import type { History } from "./history";

/** Size of what is summarised: the history up to the cut; where that does not fit the window, with the cut results. */
export function summarisedTokens(view: ContextView, { split, cut }: History): Tokens {
  const whole = tokensBetween(view, 0, split);
  if (whole < view.window || cut.size === 0) return whole;
  const items = view.items.list();
  let tokens = whole;
  for (let position = 0; position < split; position++) {
    const item = items[position] ?? -1;
    const size = cut.get(item);
    if (size !== undefined) tokens += size - view.tokensOf(item);
  }
  return tokens;
}

/**
 * What stays after the cut, and the turn with which every new chat begins. Results whose call leaves are dropped; one whose call the file does
 * not name stays.
 */
export function keptPositions(view: ContextView, split: number): Positions {
  const { flags, kind, pair } = view.columns;
  const first = firstRecorded(view, split);
  const isInitial = (item: ItemIndex) => ((flags[item] ?? 0) & FLAG.INITIAL_CONTEXT) !== 0;
  const isOrphan = (call: ItemIndex) => call >= 0 && !(view.items.has(call) && (call >= first || isInitial(call)));
  let gone = -1;
  return positionsWhere(view, hasInitialContext(view.columns) ? 0 : split, (item, position) => {
    // Pictures after a response are nested in it, and leave with it.
    const nested = kind[item] === KIND.image && gone === item - 1;
    if (nested || (kind[item] === KIND.tool_result && isOrphan(pair[item] ?? -1))) gone = item;
    return gone !== item && (position >= split || isInitial(item));
  });
}

const initial = new WeakMap<Uint8Array, boolean>();

/** Whether a recording shows a turn with which every new chat begins; many do not. */
function hasInitialContext({ flags }: SessionColumns): boolean {
  const known = initial.get(flags) ?? flags.some((bits) => (bits & FLAG.INITIAL_CONTEXT) !== 0);
  initial.set(flags, known);
  return known;
}

/** The kept results that are cut, and the size of the new history by the program's estimate, without what is about to be sent. */
export function resized(
  view: ContextView,
  kept: Positions,
  { end, cut }: History,
): { readonly tokens: Tokens; readonly truncated: Retention["truncated"] } {
  const items = view.items.list();
  const truncated: (readonly [ItemIndex, Tokens])[] = [];
  let tokens: Tokens = 0;
  for (const [from, to] of kept) {
    for (let position = from; position < Math.min(to, end); position++) {
      const item = items[position] ?? -1;
      const size = cut.size === 0 ? undefined : cut.get(item);
      tokens += size ?? view.tokensOf(item);
      if (size !== undefined) truncated.push([item, size]);
    }
  }
  return { tokens, truncated };
}
