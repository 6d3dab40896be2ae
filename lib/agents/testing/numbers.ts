export function sumOf(numbers: Iterable<number>): number {
  let total = 0;
  for (const value of numbers) total += value;
  return total;
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
