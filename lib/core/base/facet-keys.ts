/** Keys that sessions can be grouped by. A session that used several models counts for each of them. */
export const FACETS = ["agent", "project", "model", "version", "day"] as const;
export type Facet = (typeof FACETS)[number];

/** Keys that the session list can be filtered by. */
export const CHOICES = [
  "agent",
  "project",
  "model",
  "version",
  "state",
  "compacted",
  "faulty",
  "near",
  "cost",
] as const;
export type Choice = (typeof CHOICES)[number];

/** A session came near its limit if it filled at least this share of its window. */
export const NEAR_LIMIT = 0.85;

/** Lower bound of each cost band, in dollars. */
export const COST_BANDS = [100, 10, 1, 0] as const;
