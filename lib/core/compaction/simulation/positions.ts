import { assert } from "../../base/assert";
import type { ItemIndex } from "../../base/units";
import type { ContextView, Positions } from "../policy/policy";

/** The whole context. */
export function everything(view: ContextView): Positions {
  return from(view, 0);
}

/** The context from a position on. */
export function from(view: ContextView, position: number): Positions {
  return position < view.items.length ? [[position, view.items.length]] : [];
}

/** Ascending ranges, with adjacent ones joined. */
export function joined(ranges: Positions): Positions {
  const joint: (readonly [number, number])[] = [];
  for (const range of ranges) {
    const last = joint.at(-1);
    if (last?.[1] === range[0]) joint[joint.length - 1] = [last[0], range[1]];
    else joint.push(range);
  }
  return joint;
}

/** Ascending positions as ranges. */
export function rangesOf(positions: readonly number[]): Positions {
  const ranges: [number, number][] = [];
  for (const position of positions) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === position) last[1] = position + 1;
    else ranges.push([position, position + 1]);
  }
  return ranges;
}

/** Ranges of the positions from `from` on whose items stay. */
export function positionsWhere(
  view: ContextView,
  from: number,
  stays: (item: ItemIndex, position: number) => boolean,
): Positions {
  const items = view.items.list();
  const ranges: (readonly [number, number])[] = [];
  let start = -1;
  for (let position = from; position < items.length; position++) {
    if (stays(items[position] ?? -1, position)) {
      if (start < 0) start = position;
    } else if (start >= 0) {
      ranges.push([start, position]);
      start = -1;
    }
  }
  if (start >= 0) ranges.push([start, items.length]);
  return ranges;
}

/** Positions of items. Throws `AssertionError` if an item is not in the context, or not after the one before it. */
export function positionsOf(view: ContextView, items: readonly ItemIndex[]): Positions {
  const positions: number[] = [];
  let position = 0;
  for (const item of items) {
    while (position < view.items.length && view.items.at(position) !== item) position += 1;
    assert(position < view.items.length, `kept item ${item} to be in the context, in its order`);
    positions.push(position);
    position += 1;
  }
  return rangesOf(positions);
}

export function itemsAt(view: ContextView, positions: Positions): ItemIndex[] {
  const items: ItemIndex[] = [];
  for (const [start, end] of positions) {
    for (let position = start; position < end; position++) items.push(view.items.at(position));
  }
  return items;
}

export function countOf(positions: Positions): number {
  let count = 0;
  for (const [start, end] of positions) count += end - start;
  return count;
}

/** The ranges between the given ones, in a context of `length` items. */
export function gapsBetween(positions: Positions, length: number): Positions {
  const gaps: (readonly [number, number])[] = [];
  let end = 0;
  for (const [start, next] of positions) {
    if (start > end) gaps.push([end, start]);
    end = next;
  }
  if (end < length) gaps.push([end, length]);
  return gaps;
}

/** Asserts that ranges are ascending, disjoint, and within a context of `length` items. */
export function assertPositions(positions: Positions, length: number): void {
  let end = 0;
  for (const [start, next] of positions) {
    assert(start >= end && next > start && next <= length, "kept positions to be ascending and in the context");
    end = next;
  }
}
