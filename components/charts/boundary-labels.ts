/** A boundary as drawn in a label lane. */
interface LaneMark {
  readonly px: number;
  /** The width that its label needs. */
  readonly width: number;
}

/** Position of a label: right of its line, left of it, or left out without space. */
export type LabelSide = "right" | "left" | "none";

const GAP = 8;
/** Half the space that a line takes: its stroke and a margin on both sides. */
const LINE = 4;
/** Space between a label and the next line. */
const BEFORE_NEXT = 3;

/**
 * The sides of a lane's labels, from left to right: right of the line, else left of it, else no label. The mark itself is always drawn.
 * @param left start of the plot in pixels
 * @param right end of the plot in pixels
 * @param crossing lines of another lane that cross this one: no label is placed across them
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
    if (px + needed <= Math.min(right, next - BEFORE_NEXT) && isFree(px + GAP, px + needed)) {
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

/** The parts of a lane that labels and lines occupy, in pixels. */
export type Taken = readonly (readonly [from: number, to: number])[];

/** The parts occupied by the lane's own lines, the lines that cross it, and the labels next to its own lines. */
export function takenBy(marks: readonly LaneMark[], sides: readonly LabelSide[], crossing: readonly number[]): Taken {
  return [
    ...crossing.map((px) => [px - LINE, px + LINE] as const),
    ...marks.map(({ px, width }, index) => {
      const side = sides[index] ?? "none";
      return [side === "left" ? px - width - GAP : px - LINE, side === "right" ? px + width + GAP : px + LINE] as const;
    }),
  ].sort(([one], [other]) => one - other);
}

/**
 * Sides of shorter labels for marks whose own labels had no space. Labels that are already placed stay there.
 * @param marks with the widths of their shorter labels
 * @param sides result of `labelSides`
 * @param occupied parts of the lane (`takenBy`)
 */
export function shortLabelSides(
  marks: readonly LaneMark[],
  sides: readonly LabelSide[],
  occupied: Taken,
  ends: readonly [left: number, right: number],
): readonly LabelSide[] {
  let taken = occupied;
  return marks.map(({ px, width }, index) => {
    if (sides[index] !== "none") return "none";
    const side = (["right", "left"] as const).find((one) => {
      const from = one === "right" ? px + GAP : px - GAP - width;
      return from >= ends[0] && freePlace(taken, width, from, ends[1]) === from;
    });
    if (side === undefined) return "none";
    const from = side === "right" ? px : px - GAP - width;
    taken = [...taken, [from, from + width + GAP] as const].sort(([one], [other]) => one - other);
    return side;
  });
}

/** The first place at or after `from` where a text of this width is free of occupied parts and ends before `to`; `undefined` if there is none. */
export function freePlace(taken: Taken, width: number, from: number, to: number): number | undefined {
  let place = from;
  for (const [start, end] of taken) {
    if (place + width <= start) break;
    if (end > place) place = end;
  }
  return place + width <= to ? place : undefined;
}
