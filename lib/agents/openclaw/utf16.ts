/** Cutting texts without leaving half of a surrogate pair. Source: openclaw@2026.9.6, normalization-core/utf16-slice. */

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether the edge before `index` lies within a pair. */
function splitsPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
}

/** `String.slice`, with edges within a pair moved inwards. */
export function sliceWhole(text: string, start: number, end = text.length): string {
  let from = start < 0 ? Math.max(text.length + start, 0) : Math.min(start, text.length);
  let to = end < 0 ? Math.max(text.length + end, 0) : Math.min(end, text.length);
  if (to <= from) return "";
  if (splitsPair(text, from)) from += 1;
  if (splitsPair(text, to)) to -= 1;
  return text.slice(from, to);
}

/** The start of a text, of at most that many units. */
export function truncateWhole(text: string, most: number): string {
  const limit = Math.max(0, Math.floor(most));
  return text.length <= limit ? text : sliceWhole(text, 0, limit);
}
