/** A boundary as drawn in a label lane. */
export interface LaneMark {
  readonly px: number;
  /** Width that its label needs. */
  readonly width: number;
}

/** Where a label stands: beside its line on the right, on the left, or nowhere for want of room. */
export type LabelSide = "right" | "left" | "none";

const GAP = 8;
/** A line and the air beside it. */
const LINE = 4;

/**
 * Sides of the labels of one lane, left to right: right of the line, else left of it, else no label. The mark itself
 * is always drawn, so nothing is lost but the words.
 * @param left @param right ends of the plot in pixels
 * @param crossing lines of another lane that go through this one: no label stands across them
 */
export function labelSides(
  marks: readonly LaneMark[],
  left: number,
  right: number,
  crossing: readonly number[] = [],
): readonly LabelSide[] {
  let taken = left;
  const isFree = (from: number, to: number) => !crossing.some((px) => px > from - LINE && px < to + LINE);
  return marks.map(({ px, width }, index) => {
    const next = marks[index + 1]?.px ?? Number.POSITIVE_INFINITY;
    const needed = width + GAP;
    if (px + needed <= Math.min(right, next - GAP / 2) && isFree(px + GAP, px + needed)) {
      taken = px + needed;
      return "right";
    }
    if (px - needed >= taken && isFree(px - needed, px - GAP)) {
      taken = px;
      return "left";
    }
    taken = Math.max(taken, px);
    return "none";
  });
}

/** What a lane's labels and lines take up of it, in pixels. */
export type Taken = readonly (readonly [from: number, to: number])[];

/** Lines of a lane, its own and those that cross it, and the labels beside its own. */
export function takenBy(marks: readonly LaneMark[], sides: readonly LabelSide[], crossing: readonly number[]): Taken {
  return [
    ...crossing.map((px) => [px - LINE, px + LINE] as const),
    ...marks.map(({ px, width }, index) => {
      const side = sides[index] ?? "none";
      return [side === "left" ? px - width - GAP : px - LINE, side === "right" ? px + width + GAP : px + LINE] as const;
    }),
  ].sort(([one], [other]) => one - other);
}

/** The first place from `from` on where so wide a text stands free and ends before `to`; `undefined` where there is none. */
export function freePlace(taken: Taken, width: number, from: number, to: number): number | undefined {
  let place = from;
  for (const [start, end] of taken) {
    if (place + width <= start) break;
    if (end > place) place = end;
  }
  return place + width <= to ? place : undefined;
}
