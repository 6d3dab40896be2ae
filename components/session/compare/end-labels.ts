/** A label beside the end of a line. */
export interface EndLabel {
  readonly index: number;
  /** Where its line ends, in pixels from the top. */
  readonly y: number;
}

/**
 * Places labels beside the ends of lines, in the order of those ends, each as near to its own as the others allow: at least
 * `height` apart, and within [top, bottom] where they fit.
 */
export function placedLabels(
  ends: readonly EndLabel[],
  height: number,
  top: number,
  bottom: number,
): readonly EndLabel[] {
  const order = ends.toSorted((a, b) => a.y - b.y || a.index - b.index);
  let from = top;
  const down = order.map(({ index, y }) => {
    const placed = Math.max(y, from);
    from = placed + height;
    return { index, y: placed };
  });
  let until = bottom;
  return down
    .toReversed()
    .map(({ index, y }) => {
      const placed = Math.max(top, Math.min(y, until));
      until = placed - height;
      return { index, y: placed };
    })
    .toReversed();
}
