/** A boundary as drawn in a label lane. */
export interface LaneMark {
  readonly px: number;
  /** Width that its label needs. */
  readonly width: number;
}

/** Where a label stands: beside its line on the right, on the left, or nowhere for want of room. */
export type LabelSide = "right" | "left" | "none";

const GAP = 8;

/**
 * Sides of the labels of one lane, left to right: right of the line, else left of it, else no label. The mark itself
 * is always drawn, so nothing is lost but the words.
 * @param left @param right ends of the plot in pixels
 */
export function labelSides(marks: readonly LaneMark[], left: number, right: number): readonly LabelSide[] {
  let taken = left;
  return marks.map(({ px, width }, index) => {
    const next = marks[index + 1]?.px ?? Number.POSITIVE_INFINITY;
    const needed = width + GAP;
    if (px + needed <= Math.min(right, next - GAP / 2)) {
      taken = px + needed;
      return "right";
    }
    if (px - needed >= taken) {
      taken = px;
      return "left";
    }
    taken = Math.max(taken, px);
    return "none";
  });
}
