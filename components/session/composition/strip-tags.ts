const GAP = 2;
/** How far a number may stand out of the strip, whose sides have room beside them. */
const AIR = 8;

/** Where the number of a request stands below the strip. */
export interface StripTag {
  readonly left: number;
  readonly width: number;
}

/** The number of the shown request, below its line and within the strip. @param x of its line, in px */
export function shownTag(request: number, x: number, stripWidth: number): StripTag {
  const width = tagWidth(request);
  return { left: Math.max(0, Math.min(stripWidth - width, x - width / 2)), width };
}

/** The number of the request that it is compared with: below its line, or beside the number of the shown one where that stands there. */
export function baseTag(request: number, x: number, shown: StripTag, stripWidth: number): StripTag {
  const width = tagWidth(request);
  const left = Math.max(-AIR, Math.min(stripWidth + AIR - width, x - width / 2));
  const [before, after] = [shown.left - GAP - width, shown.left + shown.width + GAP];
  if (left + width + GAP <= shown.left || left >= after) return { left, width };
  const isBefore = x <= shown.left + shown.width / 2;
  if (before < -AIR) return { left: after, width };
  if (after + width > stripWidth + AIR) return { left: before, width };
  return { left: isBefore ? before : after, width };
}

function tagWidth(request: number): number {
  return Math.max(28, String(request).length * 8 + 12);
}
