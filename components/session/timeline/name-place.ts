import type { Frame } from "@/components/charts/frame";

/** A name of a level: how wide it is, at what height its middle stands, and where its start should stand. */
export interface NamePlace {
  readonly width: number;
  readonly y: number;
  readonly start: number;
}

/** Half the height of a name, and the distance that it keeps from a line. */
const HALF_PX = 10;
/** How far apart the places are that are tried. */
const STEP_PX = 16;

/**
 * Where a name hides no line: at its place if that is free, else as near to it as there is room, else at its place all the same.
 * @param lines the values of every line at every request
 */
export function clearStart(frame: Frame, lines: readonly ArrayLike<number>[], place: NamePlace): number {
  const { width, start } = place;
  const [first, last] = [frame.left + 6, frame.right - width - 6];
  for (let away = 0; away <= frame.plotWidth; away += STEP_PX) {
    for (const from of away === 0 ? [start] : [start - away, start + away]) {
      const isInside = away === 0 || (from >= first && from <= last);
      if (isInside && !hidesLine(frame, lines, { ...place, start: from })) return from;
    }
  }
  return start;
}

/** Whether a name at a place would hide a line. */
export function hidesLine(frame: Frame, lines: readonly ArrayLike<number>[], place: NamePlace): boolean {
  return lines.some((line) => crosses(frame, line, place));
}

/** Whether a line of steps goes through a name's box. A request's step up or down stands where the request begins. */
function crosses(frame: Frame, line: ArrayLike<number>, { width, y, start }: NamePlace): boolean {
  const from = Math.max(frame.from, Math.floor(frame.x.value(start - 4)));
  const to = Math.min(frame.to - 1, Math.ceil(frame.x.value(start + width + 4)));
  for (let request = from; request <= to; request++) {
    const [at, before] = [frame.y.px(line[request] ?? 0), frame.y.px(line[Math.max(from, request - 1)] ?? 0)];
    if (Math.min(at, before) < y + HALF_PX && Math.max(at, before) > y - HALF_PX) return true;
  }
  return false;
}
