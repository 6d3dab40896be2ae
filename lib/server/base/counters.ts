/** Work counters for tests: opening a session a second time must not add to them. */
export interface Counters {
  filesParsed: number;
  /** Parsed lines of line-based files, except first lines read for the list. */
  linesParsed: number;
  /** Files from which only the added part was read. */
  tailsRead: number;
  filesCounted: number;
  /** Growing files for which only new items were counted. */
  tailsCounted: number;
  /** Sessions whose columns were encoded. */
  columnsEncoded: number;
  recordsLoaded: number;
  /** Records of files with several sessions that were assigned to a session. */
  recordsLookedThrough: number;
  /** Pauses of background threads during an answer. */
  backgroundPauses: number;
}

/** Work of this thread since it started. */
export const counters: Counters = {
  filesParsed: 0,
  linesParsed: 0,
  tailsRead: 0,
  filesCounted: 0,
  tailsCounted: 0,
  columnsEncoded: 0,
  recordsLoaded: 0,
  recordsLookedThrough: 0,
  backgroundPauses: 0,
};

const KINDS = Object.keys(counters) as (keyof Counters)[]; // The keys come from the object literal above.

/** Work of this thread since a snapshot of its counters. */
export function workSince(before: Readonly<Counters>): Counters {
  const work = { ...counters };
  for (const kind of KINDS) work[kind] -= before[kind];
  return work;
}

/** Adds the work of another thread. */
export function addWork(work: Readonly<Counters>): void {
  for (const kind of KINDS) counters[kind] += work[kind];
}
