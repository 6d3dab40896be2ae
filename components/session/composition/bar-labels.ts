import { textWidth } from "@/components/charts/text-width";

/** A label that wants to stand below a bar. All places are pixels from the bar's left end. */
export interface WantedLabel {
  readonly key: string;
  readonly text: string;
  readonly x: number;
  /** Which part of the label stands at `x`. */
  readonly anchor: "start" | "middle" | "end";
}

export interface PlacedLabel {
  readonly key: string;
  readonly text: string;
  readonly left: number;
}

const GAP = 12;
const ANCHORS = { start: 0, middle: 0.5, end: 1 } as const;

/** The labels that have room, the more important ones first: none leaves the bar's width, and none touches another. */
export function placedLabels(wanted: readonly WantedLabel[], width: number): readonly PlacedLabel[] {
  const placed: (PlacedLabel & { readonly right: number })[] = [];
  for (const { key, text, x, anchor } of wanted) {
    const own = textWidth(text);
    const left = Math.max(0, Math.min(width - own, x - own * ANCHORS[anchor]));
    const right = left + own;
    const isFree = placed.every((other) => right + GAP <= other.left || other.right + GAP <= left);
    if (own <= width && isFree) placed.push({ key, text, left, right });
  }
  return placed.map(({ key, text, left }) => ({ key, text, left }));
}
