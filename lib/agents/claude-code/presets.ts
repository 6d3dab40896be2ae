/** First version whose recordings compact at 167,000 of 200,000. */
const REPORTED_FROM = [2, 1, 25] as const;

/**
 * The preset for a recording. Up to 2.1.20 every recorded event fits 155,000 of 200,000, from 2.1.25 on 167,000; of the
 * versions between none compacted in a recording, so the older rule holds until the newer one is seen. A recording without
 * a version gets the newer one, since sessions without it are not old.
 */
export function presetFor(version: string | undefined): string {
  const parts = /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return "reported";
  const difference = parts.map((part, index) => part - (REPORTED_FROM[index] ?? 0)).find((delta) => delta !== 0) ?? 0;
  return difference < 0 ? "reported-2025" : "reported";
}

/**
 * Releases that go by the output with which a response's stream began, and never learn of the rest. Six of six recorded
 * compactions of 2.1.17 show this to within one token; releases before and after it went by the whole output.
 */
const BY_FIRST_COUNT: ReadonlySet<string> = new Set(["2.1.17"]);

/** Whether the program itself went by the first count of a response's output. */
export function goesByFirstCount(version: string | undefined): boolean {
  return BY_FIRST_COUNT.has(version ?? "");
}
