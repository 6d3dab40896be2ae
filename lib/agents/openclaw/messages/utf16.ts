/** Cuts texts without leaving half of a surrogate pair. Source: openclaw@2026.9.6, normalization-core/utf16-slice. */

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** True if the edge before `index` splits a pair. */
function splitsPair(text: string, index: number): boolean {
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
}

/**
 * Like `String.slice`, but with edges within a pair moved inwards.
 * @param start negative values count from the end
 * @param end not negative
 */
export function sliceWhole(text: string, start: number, end = text.length): string {
  const from = start < 0 ? Math.max(text.length + start, 0) : start;
  return text.slice(splitsPair(text, from) ? from + 1 : from, splitsPair(text, end) ? end - 1 : end);
}

/** The beginning of a text, with at most `most` units. */
export function truncateWhole(text: string, most: number): string {
  return sliceWhole(text, 0, Math.max(0, most));
}
