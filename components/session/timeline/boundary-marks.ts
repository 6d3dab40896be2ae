import { type LabelSide, labelSides } from "@/components/charts/boundary-labels";
import type { Frame } from "@/components/charts/frame";

/** A compaction as far as the timeline draws it. */
export interface DrawnCompaction {
  readonly request: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface PlacedMark {
  /** Place in the list of compactions of the first one that this mark stands for. */
  readonly ordinal: number;
  readonly px: number;
  /** How many compactions it stands for: those that are too near to be told apart are one mark. */
  readonly count: number;
  /** Absent where there is no room for it: writing numbers is what costs most here. */
  readonly label?: string;
  readonly side: LabelSide;
}

/** Width of "156.6k → 40.7k" in 11 px, a little more than it takes; of "12 × " before it. */
const SIZES_PX = 96;
const COUNT_PX = 36;
/** Marks nearer than this are drawn as one. A policy that fires at every request would otherwise draw thousands. */
const NEAR_PX = 3;

/** The marks that fall into the frame, with labels where there is room for them. Compactions come in order. */
export function placedMarks(
  compactions: readonly DrawnCompaction[],
  frame: Frame,
  short: (tokens: number) => string,
  labelled: boolean,
): readonly PlacedMark[] {
  const marks = mergedMarks(compactions, frame);
  const lane = marks.map(({ px, count }) => ({ px, width: SIZES_PX + (count === 1 ? 0 : COUNT_PX) }));
  const sides = labelled ? labelSides(lane, frame.left, frame.right) : [];
  return marks.map(({ ordinal, px, first, count }, index) => {
    const side = sides[index] ?? "none";
    return { ordinal, px, count, side, ...(side === "none" ? {} : { label: labelOf(first, count, short) }) };
  });
}

interface MergedMark {
  readonly ordinal: number;
  readonly px: number;
  readonly first: DrawnCompaction;
  count: number;
}

function mergedMarks(compactions: readonly DrawnCompaction[], frame: Frame): readonly MergedMark[] {
  const marks: MergedMark[] = [];
  compactions.forEach((first, ordinal) => {
    if (first.request < frame.from || first.request > frame.to) return;
    const px = frame.x.px(first.request);
    const last = marks.at(-1);
    if (last !== undefined && px - last.px < NEAR_PX) last.count += 1;
    else marks.push({ ordinal, px, first, count: 1 });
  });
  return marks;
}

function labelOf(first: DrawnCompaction, count: number, short: (tokens: number) => string): string {
  const sizes = `${short(first.tokensBefore)} → ${short(first.tokensAfter)}`;
  return count === 1 ? sizes : `${count} × ${sizes}`;
}
