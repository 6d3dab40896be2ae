/** How far a row may be out of view to come in at the edge, in rows; one that is farther away comes to the middle. */
const NEAR_ROWS = 4;

/**
 * Where a row is to come into view, in pixels of the list; `undefined` where its first line is in view.
 * @param row where it is and how high it is
 * @param line height of its first line
 */
export function alignment(
  row: { readonly start: number; readonly size: number },
  view: { readonly from: number; readonly height: number },
  line: number,
): "start" | "center" | "end" | undefined {
  const above = view.from - row.start;
  const below = row.start + line - (view.from + view.height);
  if (above <= 0 && below <= 0) return undefined;
  // What is higher than the view is read from its beginning.
  if (above > 0 || row.size > view.height / 2)
    return above > NEAR_ROWS * line && row.size <= 2 * line ? "center" : "start";
  return below > NEAR_ROWS * line ? "center" : "end";
}
