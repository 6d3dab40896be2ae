import type { Frame } from "@/components/charts/frame";
import { isNarrow } from "../timeline/geometry";
import type { Payback } from "./paybacks";

/** Space around the words, in px. */
const AIR = 16;

/**
 * Where stretches end that have room for words beside their ends, in px: up to the next stretch, and free of the words of another row, which lie too close above or below.
 * @param width of the words, in px
 */
export function paidWords(
  frame: Frame,
  stretches: readonly Payback[],
  width: number,
  others: readonly number[] = [],
): readonly number[] {
  if (isNarrow(frame)) return [];
  return stretches.flatMap(({ end, isPaid }, index) => {
    const px = frame.x.px(end);
    const next = stretches[index + 1];
    const limit = next === undefined ? frame.right : frame.x.px(next.request);
    const isFree = others.every((other) => Math.abs(other - px) > width + AIR);
    return isPaid && px <= frame.right && px >= frame.left && limit - px > width + AIR && isFree ? [px] : [];
  });
}
