import { Fenwick } from "../base/fenwick";
import { lowerBound } from "../base/numbers";
import type { ItemIndex, Tokens } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";
import { isRecordedOnly } from "./boundaries";

/** Tokens fetched again, for every size of the context at once. */
export interface ReuseCurve {
  /** Ascending: the number of most recent tokens that have to be kept for an object to be present at its next use. */
  readonly distances: Int32Array;
  /** Tokens of all uses with at least each distance: a smaller context fetches them again. */
  readonly tokens: Float64Array;
}

/**
 * The reuse curve of a session: re-fetched tokens if only the B most recently used tokens had been kept, whatever the agent did. A file is used by
 * every call that names it as its file, any other result by a call of the same tool with equal arguments; all other items are used once and only take
 * space. One pass with a Fenwick tree over the stack distances of Mattson et al. (1970).
 * @param sizes tokens of every row
 * @param source by row of a call or result, the call's tool and arguments as a number; absent if the texts were not indexed
 */
export function reuseCurve(columns: SessionColumns, sizes: Int32Array, source?: Int32Array): ReuseCurve {
  const stack = new Fenwick(columns.length);
  const objects = new Map<string, { row: ItemIndex; size: Tokens }>();
  const reuses: { readonly distance: Tokens; readonly tokens: Tokens }[] = [];
  let all = 0;
  const put = (row: ItemIndex, size: Tokens) => {
    stack.add(row, size);
    all += size;
  };
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (isRecordedOnly(columns, row)) continue;
    const size = sizes[row] ?? 0;
    const key = columns.kind[row] === KIND.tool_result ? objectOf(columns, row, source) : undefined;
    const known = key === undefined ? undefined : objects.get(key);
    if (known !== undefined) {
      reuses.push({ distance: all - stack.before(known.row), tokens: known.size });
      put(known.row, -known.size);
    }
    // A short answer, such as an edit's, does not shrink the read content of a file.
    const held = Math.max(size, known?.size ?? 0);
    put(row, held);
    if (key !== undefined) objects.set(key, { row, size: held });
  }
  return curveOf(reuses);
}

/** Object of a result: a file, or the result of an equal call. */
function objectOf(columns: SessionColumns, row: ItemIndex, source?: Int32Array): string | undefined {
  const file = columns.file[columns.pair[row] ?? -1] ?? -1;
  if (file >= 0) return `file ${file}`;
  const call = source?.[row] ?? -1;
  return call >= 0 ? `call ${call}` : undefined;
}

function curveOf(reuses: readonly { readonly distance: Tokens; readonly tokens: Tokens }[]): ReuseCurve {
  const sorted = [...reuses].sort((a, b) => a.distance - b.distance);
  const tokens = new Float64Array(sorted.length);
  let sum = 0;
  for (let at = sorted.length - 1; at >= 0; at--) {
    sum += sorted[at]?.tokens ?? 0;
    tokens[at] = sum;
  }
  return { distances: Int32Array.from(sorted, ({ distance }) => distance), tokens };
}

/** The tokens fetched again if only the last `budget` tokens were kept. */
export function fetchedAgain({ distances, tokens }: ReuseCurve, budget: Tokens): Tokens {
  return tokens[lowerBound(distances, budget + 1)] ?? 0;
}
