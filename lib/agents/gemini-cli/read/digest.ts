/**
 * A 53-bit number for some texts, so that they can be compared without being kept. It tells apart what one session holds, but gives no protection
 * against texts that are made to collide.
 */
export function digest(texts: readonly string[]): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x85ebca6b) + 1;
    }
    low = Math.imul(low ^ 0x10000, 0x01000193);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
