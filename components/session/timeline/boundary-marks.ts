import { type LabelSide, labelSides } from "@/components/charts/boundary-labels";
import type { Frame } from "@/components/charts/frame";

/** A compaction as far as the timeline draws it. */
export interface DrawnCompaction {
  readonly request: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface PlacedMark {
  readonly ordinal: number;
  readonly px: number;
  readonly label: string;
  readonly side: LabelSide;
}

/** Width of a digit of an 11 px label, a little more than it takes. */
const DIGIT_PX = 6.4;

/** The marks that fall into the frame, with labels where there is room for them. */
export function placedMarks(
  compactions: readonly DrawnCompaction[],
  frame: Frame,
  short: (tokens: number) => string,
  labelled: boolean,
): readonly PlacedMark[] {
  const marks = compactions
    .map((compaction, ordinal) => ({
      ordinal,
      px: frame.x.px(compaction.request),
      request: compaction.request,
      label: `${short(compaction.tokensBefore)} → ${short(compaction.tokensAfter)}`,
    }))
    .filter(({ request }) => request >= frame.from && request <= frame.to);
  const lane = marks.map(({ px, label }) => ({ px, width: label.length * DIGIT_PX }));
  const sides = labelSides(lane, frame.left, frame.right);
  return marks.map(({ ordinal, px, label }, index) => ({
    ordinal,
    px,
    label,
    side: labelled ? (sides[index] ?? "none") : "none",
  }));
}
