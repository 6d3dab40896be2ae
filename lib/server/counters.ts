/** How much work was done, for tests and `GET /api/health`: a second look at a session must not add to it. */
export interface Counters {
  filesParsed: number;
  /** Files that were read on from where an earlier reading had ended. */
  tailsRead: number;
  filesCounted: number;
  recordsLoaded: number;
  /** Records that were looked at for the session that they belong to, in files of several. */
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
