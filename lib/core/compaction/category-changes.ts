import { assert } from "../base/assert";
import type { RequestIndex, Tokens } from "../base/units";
import { ITEM_CATEGORIES } from "../context/categories";

/** What one category gains or loses, in the order of the points: of those without a change nothing is written. */
interface Changes {
  readonly points: RequestIndex[];
  readonly tokens: Tokens[];
}

/**
 * Tokens by category at every point, written down as what each point changes and summed up at the end: a point costs as much
 * as it changes, however many categories there are.
 */
export class CategoryChanges {
  readonly #points: number;
  readonly #start: readonly Int32Array[] | undefined;
  readonly #changes: readonly Changes[] = ITEM_CATEGORIES.map(() => ({ points: [], tokens: [] }));

  /** @param start tokens at every point to which the changes come, by category; not written to */
  constructor(points: number, start?: readonly Int32Array[]) {
    this.#points = points;
    this.#start = start;
  }

  /** @param point none before that of the last change */
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

  /**
   * Every category's tokens at every point. Categories that did not change share their column with the start, or one column of
   * zeros: not to be written.
   */
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
