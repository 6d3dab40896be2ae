/**
 * The first version of each preset, newest first. `2026-11`: reported to compact while idle. `reported`: its recordings compact at 167,000 of 200,000.
 * Source: README.md, "Compaction".
 */
const PRESETS_FROM = [
  ["2026-11", [2, 1, 286]],
  ["reported", [2, 1, 25]],
] as const;

/**
 * The preset for a recording. Up to 2.1.20 every recorded compaction fits 155,000 of 200,000, and from 2.1.25 on 167,000. None of the versions
 * between compacted in a recording, so the older rule is assumed until the newer one is seen. A recording without a version gets `reported`, since
 * sessions without it are not old.
 */
export function presetFor(version: string | undefined): string {
  const parts = /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return "reported";
  const isFrom = (first: readonly number[]) =>
    (first.map((part, index) => (parts[index] ?? 0) - part).find((delta) => delta !== 0) ?? 0) >= 0;
  return PRESETS_FROM.find(([, first]) => isFrom(first))?.[0] ?? "reported-2025";
}

/**
 * Releases that use the output count from the start of a response's stream, and never learn the final one. Six of six recorded compactions of 2.1.17
 * show this to within one token; releases before and after it used the whole output.
 */
const BY_FIRST_COUNT: ReadonlySet<string> = new Set(["2.1.17"]);

/** True if the program itself used the first count of a response's output. */
export function usesFirstOutputCount(version: string | undefined): boolean {
  return BY_FIRST_COUNT.has(version ?? "");
}
