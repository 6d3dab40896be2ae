import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { aggregateResultChars } from "../base/constants";
import { charsInContext, resultChars202696 } from "./result-chars";
import { resizedTokens } from "./sizes";

/**
 * Chars that release 2026.9.6 removes from tool results if a prompt does not fit, computed from the columns; the same rules as `result-budget.ts`, to
 * within the markers. Source: README.md, "Tool results".
 */
const RESULT = KIND.tool_result;
const CHARS_PER_TOKEN = 4;
/** Chars of the marker for omitted text, with a number of five digits. */
const MARKER_CHARS: Chars = 82;

/** Results that become smaller, and by how many chars in all. */
interface ReducedResults {
  readonly chars: Chars;
  /** Computed on request, which must be before the context changes. */
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
}

/** Chars that are removed from results within their limit, oldest first: down to the marker, and then the marker too. */
interface Excess {
  readonly shortened: Chars;
  readonly cleared: Chars;
}

/**
 * Cuts every result to its limit, and then shortens the oldest until all of them fit the common limit.
 * @param among items of the context, in order
 */
export function reducedResults(view: ContextView, settings: Settings, among: ArrayLike<ItemIndex>): ReducedResults {
  const most = Math.max(1, numberSetting(settings, "toolResultChars"));
  const sizes = sizesOf(view.columns, settings);
  let [count, whole, within, spare] = [0, 0, 0, 0];
  for (let at = 0; at < among.length; at++) {
    const size = currentChars(view, sizes, among[at] ?? -1);
    if (size <= 0) continue;
    const kept = Math.min(size, most);
    count += 1;
    whole += size;
    within += kept;
    spare += Math.max(0, kept - MARKER_CHARS);
  }
  const budget = Math.max(1, aggregateResultChars(view.window, most));
  const excess = count > 1 ? Math.max(0, within - budget) : 0;
  const shortened = Math.min(excess, spare);
  let found: ReducedResults["truncated"] | undefined;
  return {
    chars: whole - within + excess,
    get truncated() {
      const left = { shortened, cleared: excess - shortened };
      found ??= truncatedResults(view, sizes, among, { most, hasLarger: whole > within, left });
      return found;
    },
  };
}

/**
 * The results that become smaller, with their remaining size.
 * @param hasLarger true if a single result exceeds the limit
 */
function truncatedResults(
  view: ContextView,
  sizes: Sizes,
  among: ArrayLike<ItemIndex>,
  { most, hasLarger, left }: { readonly most: Chars; readonly hasLarger: boolean; readonly left: Excess },
): ReducedResults["truncated"] {
  const truncated: (readonly [ItemIndex, Tokens])[] = [];
  let { shortened, cleared } = left;
  for (let at = 0; at < among.length && (hasLarger || shortened > 0 || cleared > 0); at++) {
    const item = among[at] ?? -1;
    const before = currentChars(view, sizes, item);
    if (before <= 0) continue;
    const within = Math.min(before, most);
    const marked = Math.max(Math.min(within, MARKER_CHARS), within - shortened);
    const after = Math.max(0, marked - cleared);
    shortened -= within - marked;
    cleared -= marked - after;
    if (after >= before) continue;
    const rest = sizes.uncut[item] ?? 0;
    const tokens = resizedTokens(view.tokensOf(item), rest + before, rest + after);
    if (tokens < view.tokensOf(item)) truncated.push([item, tokens]);
  }
  return truncated;
}

/** Current weighted chars of a result; 0 for anything else. */
function currentChars(view: ContextView, { entered, uncut }: Sizes, item: ItemIndex): Chars {
  const size = entered[item] ?? 0;
  if (size === 0) return 0;
  return Math.max(0, Math.min(size, view.tokensOf(item) * CHARS_PER_TOKEN - (uncut[item] ?? 0)));
}

/** Chars of results by row; 0 for other rows. */
interface Sizes {
  /** Weighted chars as it entered. */
  readonly entered: Float64Array;
  /** Chars that no limit takes. */
  readonly uncut: Float64Array;
}

/** The sizes, and their inputs other than the columns. */
interface KnownSizes extends Sizes {
  readonly measures: SessionColumns["measures"];
  readonly entry: boolean;
  readonly limit: Chars;
}

const known = new WeakMap<Int32Array, KnownSizes>();

/** Computed once for a session and a limit. */
function sizesOf(columns: SessionColumns, settings: Settings): Sizes {
  const { measures, chars, kind } = columns;
  const [entry, limit] = [settings.entryTruncation === true, numberSetting(settings, "toolResultChars")];
  const last = known.get(chars);
  if (last?.measures === measures && last.entry === entry && last.limit === limit) return last;
  const ofResults = (size: (row: ItemIndex) => Chars) =>
    Float64Array.from(kind, (code, row) => (code === RESULT ? size(row) : 0));
  const entered = ofResults((row) => charsInContext(resultChars202696, columns, row, settings));
  const uncut = ofResults((row) => resultChars202696.uncut(columns, row));
  const sizes = { measures, entry, limit, entered, uncut };
  known.set(chars, sizes);
  return sizes;
}
