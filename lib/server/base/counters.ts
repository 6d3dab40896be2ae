/** How much work was done, for tests and `GET /api/health`: looking at a session a second time must not add to it. */
export interface Counters {
  filesParsed: number;
  /** Lines that were parsed of files of lines, beginnings of files left out. */
  linesParsed: number;
  /** Files that were read on from where an earlier reading had ended. */
  tailsRead: number;
  filesCounted: number;
  /** Files of which only the items were counted that were not there at an earlier counting. */
  tailsCounted: number;
  /** Sessions whose columns were written as bytes. */
  columnsEncoded: number;
  recordsLoaded: number;
  /** Records of files with several sessions that were looked at to find out which session they belong to. */
  recordsLookedThrough: number;
  /** How often a background thread stood still because somebody waited for an answer. */
  timesGivenWay: number;
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
  timesGivenWay: 0,
};

const KINDS = Object.keys(counters) as (keyof Counters)[]; // of an object that is written out above

/** The work of this thread since its counters stood like this. */
export function workSince(before: Readonly<Counters>): Counters {
  const work = { ...counters };
  for (const kind of KINDS) work[kind] -= before[kind];
  return work;
}

/** Counts work that another thread did. */
export function addWork(work: Readonly<Counters>): void {
  for (const kind of KINDS) counters[kind] += work[kind];
}
