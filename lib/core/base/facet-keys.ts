/** What sessions can be grouped by. A session of several models counts with each of them. */
export const FACETS = ["agent", "project", "model", "version", "day"] as const;
export type Facet = (typeof FACETS)[number];

/** What a list can be narrowed by, value by value. */
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

/** From this share of its window on a session came near it. */
export const NEAR_LIMIT = 0.85;

/** The least cost of each band of costs, in dollars. */
export const COST_BANDS = [100, 10, 1, 0] as const;
