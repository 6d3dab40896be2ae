import type { Frame } from "@/components/charts/frame";
import { textWidth } from "@/components/charts/text-width";
import type { CacheMiss } from "@/lib/core/cost/cache-misses";

interface PlacedMark extends Pick<CacheMiss, "request" | "cause"> {
  /** Middle of the mark, in pixels. */
  readonly x: number;
  /** The cause in words, if there is room. */
  readonly label: string | undefined;
}

/** Space between a mark and its words, and between the words and the next mark. */
const GAP_PX = 8;

/** The cache misses inside a frame, in order. Each has its words unless they would reach the next mark. */
export function placedMarks(
  misses: readonly CacheMiss[],
  { from, to, x, right }: Pick<Frame, "from" | "to" | "x" | "right">,
  words: (one: CacheMiss) => string,
): readonly PlacedMark[] {
  const shown = misses
    .filter(({ request }) => request >= from && request < to)
    .toSorted((a, b) => a.request - b.request);
  const middle = ({ request }: CacheMiss): number => Math.round(x.px(request + 0.5)) + 0.5;
  return shown.map((one, index) => {
    const next = shown[index + 1];
    const limit = next === undefined ? right : middle(next) - GAP_PX / 2;
    const label = words(one);
    const fits = middle(one) + GAP_PX + textWidth(label) <= limit;
    return { request: one.request, cause: one.cause, x: middle(one), label: fits ? label : undefined };
  });
}
