/** Names the version of the session's file that columns are of. Later questions may name it: `since` for what has changed, `at` for the same version. */
export const VERSION_HEADER = "Session-Version";
