/**
 * Results that a summary call omits, as positions among all results: a percentage of them, at least one, from the middle outwards, alternately on
 * both sides. Source: `filter_tool_responses` (README.md, "Rules").
 */
export function removedResults(count: number, percent: number): ReadonlySet<number> {
  if (percent === 0 || count === 0) return new Set();
  const number = Math.max(1, Math.trunc((count * percent) / 100));
  const middle = Math.trunc(count / 2);
  const removed = new Set<number>();
  for (let step = 0; step < number; step++) {
    const offset = Math.trunc(step / 2);
    const at = step % 2 === 0 ? middle - offset - 1 : middle + offset;
    if (at >= 0 && at < count) removed.add(at);
  }
  return removed;
}
