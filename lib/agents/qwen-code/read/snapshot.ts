/** Matches a snapshot with the history before it, by marks and from the end, to find the kept messages. */

/** Marks a block that always counts as new. Other marks are numbers of `Nodes.marks`. */
export const NO_MARK = -1;

/** A message of the history, with the marks of its blocks. A snapshot may have dropped thoughts, so their marks are separate. */
export interface HistoryEntry {
  readonly message: number;
  readonly marks: readonly number[];
  readonly thoughtMarks: readonly number[];
}

/**
 * For every block of every content of a snapshot: its message in the history; −1 if it is new. Blocks are matched from the last back and in order. A
 * message counts as kept if all its blocks except thoughts are found.
 */
export function matchSnapshot(
  history: readonly HistoryEntry[],
  snapshot: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const positions = new Map<number, number[]>();
  const owners: number[] = [];
  for (const [index, entry] of history.entries()) {
    for (const mark of [...entry.thoughtMarks, ...entry.marks]) {
      const known = positions.get(mark);
      if (known === undefined) positions.set(mark, [owners.length]);
      else known.push(owners.length);
      owners.push(index);
    }
  }
  const found = snapshot.map((marks) => marks.map(() => -1));
  let limit = owners.length;
  for (let content = snapshot.length - 1; content >= 0; content--) {
    const marks = snapshot[content] ?? [];
    for (let block = marks.length - 1; block >= 0; block--) {
      const position = takenBelow(positions.get(marks[block] ?? NO_MARK), limit);
      if (position < 0) continue;
      limit = position;
      const row = found[content];
      if (row !== undefined) row[block] = owners[position] ?? -1;
    }
  }
  return wholeMessages(history, snapshot, found);
}

/** The last position below the limit. It and those above it are used up, since the limit only falls. */
function takenBelow(positions: number[] | undefined, limit: number): number {
  for (let last = positions?.pop(); last !== undefined; last = positions?.pop()) if (last < limit) return last;
  return -1;
}

function wholeMessages(
  history: readonly HistoryEntry[],
  snapshot: readonly (readonly number[])[],
  found: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const counts = history.map(() => 0);
  found.forEach((row, content) =>
    row.forEach((index, block) => {
      const isThought = history[index]?.thoughtMarks.includes(snapshot[content]?.[block] ?? NO_MARK) === true;
      if (index >= 0 && !isThought) counts[index] = (counts[index] ?? 0) + 1;
    }),
  );
  const isWhole = (index: number) => index >= 0 && (counts[index] ?? 0) >= (history[index]?.marks.length ?? 0);
  return found.map((row) => row.map((index) => (isWhole(index) ? (history[index]?.message ?? -1) : -1)));
}
