/**
 * Digits with a comma before every three, as English writes a whole number: `toLocaleString("en-US")` gives the same, but loading the tables of languages for that
 * takes as long as reading a small recording.
 * @param digits of a number that is not negative
 */
export function grouped(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(",");
}
