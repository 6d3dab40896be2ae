/** How much work was done, for tests and `GET /api/health`: looking at a session a second time must not add to it. */
export interface Counters {
  filesParsed: number;
  /** Files that were read on from where an earlier reading had ended. */
  tailsRead: number;
  filesCounted: number;
  recordsLoaded: number;
  /** Records of files with several sessions that were looked at to find out which session they belong to. */
  recordsLookedThrough: number;
}

/** Work of this thread since it started. */
export const counters: Counters = {
  filesParsed: 0,
  tailsRead: 0,
  filesCounted: 0,
  recordsLoaded: 0,
  recordsLookedThrough: 0,
};
