/** Keys of a request's place: git branch, worktree, and the subagent that made it. A session is in the group of each of its requests' places. */
export const PLACE_FACETS = ["branch", "worktree", "subagent"] as const;
export type PlaceFacet = (typeof PLACE_FACETS)[number];

/** Keys that sessions can be grouped by. A session that used several models counts for each of them. */
export const FACETS = ["agent", "project", ...PLACE_FACETS, "model", "version", "day"] as const;
export type Facet = (typeof FACETS)[number];

/** True for a key of a request's place. */
export function isPlaceFacet(facet: string): facet is PlaceFacet {
  return PLACE_FACETS.some((one) => one === facet);
}

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
