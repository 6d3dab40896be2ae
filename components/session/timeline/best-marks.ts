import type { Frame } from "@/components/charts/frame";

/** Marks closer than this are drawn as one. */
const NEAR_PX = 6;

/** One or more requests before which it is best to compact. */
export interface BestMark {
  readonly px: number;
  readonly request: number;
  readonly count: number;
}

/** Where the requests of a schedule stand in a frame; those outside of it are left out. @param requests ascending */
export function bestMarks(requests: readonly number[], frame: Pick<Frame, "x" | "from" | "to">): readonly BestMark[] {
  const marks: BestMark[] = [];
  for (const request of requests) {
    if (request < frame.from || request >= frame.to) continue;
    const px = Math.round(frame.x.px(request));
    const last = marks.at(-1);
    if (last !== undefined && px - last.px < NEAR_PX) marks[marks.length - 1] = { ...last, count: last.count + 1 };
    else marks.push({ px, request, count: 1 });
  }
  return marks;
}
