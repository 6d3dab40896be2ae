/** Text sent as the result of a call without one. Source: README.md, "Calls without a result". */
export const MISSING_RESULT = "[Tool result missing due to internal error]";
