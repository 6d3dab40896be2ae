import { assert } from "../../base/assert";
import { ITEM_CATEGORIES } from "../../base/categories";
import type { RequestIndex, Tokens } from "../../base/units";

/** Gains and losses of one category, in the order of the points; points without a change are omitted. */
interface Changes {
  readonly points: RequestIndex[];
  readonly tokens: Tokens[];
}

/** Tokens by category at every point. Only changes are stored per point, and summed up at the end, so that a point costs no more than its changes. */
export class CategoryChanges {
  readonly #points: number;
  readonly #start: readonly Int32Array[] | undefined;
  readonly #changes: readonly Changes[] = ITEM_CATEGORIES.map(() => ({ points: [], tokens: [] }));

  /** @param start tokens by category at every point before any change; not written to */
  constructor(points: number, start?: readonly Int32Array[]) {
    this.#points = points;
    this.#start = start;
  }

  /** @param point not before that of the last change */
  add(category: number, tokens: Tokens, point: RequestIndex): void {
    const changes = this.#changes[category];
    if (changes === undefined) return;
    const last = changes.points.length - 1;
    const before = changes.points[last] ?? -1;
    if (before === point) changes.tokens[last] = (changes.tokens[last] ?? 0) + tokens;
    else this.#begin(changes, tokens, point, before);
  }

  #begin(changes: Changes, tokens: Tokens, point: RequestIndex, before: RequestIndex): void {
    assert(point > before, "changes to come in the order of the points");
    changes.points.push(point);
    changes.tokens.push(tokens);
  }

  /** Returns every category's tokens at every point. Do not write to them: unchanged categories share a column. */
  sums(): readonly Int32Array[] {
    const none = new Int32Array(this.#start === undefined ? this.#points : 0);
    return this.#changes.map((changes, category) => {
      const start = this.#start?.[category] ?? none;
      return changes.points.length === 0 ? start : summedUp(start, changes);
    });
  }
}

function summedUp(start: Int32Array, { points, tokens }: Changes): Int32Array {
  const sums = start.slice();
  let sum = 0;
  for (let index = 0; index < points.length; index++) {
    sum += tokens[index] ?? 0;
    const end = points[index + 1] ?? sums.length;
    for (let point = points[index] ?? 0; point < end; point++) sums[point] = (sums[point] ?? 0) + sum;
  }
  return sums;
}
