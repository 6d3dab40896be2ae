/** What sessions can be grouped by. A session of several models counts with each of them. */
export const FACETS = ["agent", "project", "model", "version", "day"] as const;
export type Facet = (typeof FACETS)[number];
