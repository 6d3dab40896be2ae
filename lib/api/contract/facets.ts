import { z } from "zod";
import { FACETS } from "../facet-keys";
import { tokens } from "./basics";
import { breakCause } from "./cost";

/** Sums over sessions of the list, by what they have in common. */

/** Sums over sessions; `null` where no session says how much. The sessions that others count whole are left out of all but the first three. */
export const sessionSums = z.object({
  sessions: z.int(),
  /** Sessions all of whose requests another one counts. */
  copies: z.int(),
  bytes: z.number(),
  requests: z.int().nullable(),
  compactions: z.int().nullable(),
  input: tokens.nullable(),
  cacheRead: tokens.nullable(),
  cacheWrite: tokens.nullable(),
  output: tokens.nullable(),
  sent: tokens.nullable(),
  /** By list prices; `null` where a session has a request without a price. */
  costUsd: z.number().nullable(),
  /** The same over the sessions that have a price. */
  pricedUsd: z.number().nullable(),
  /** Sessions with requests that have no price. */
  unpriced: z.int(),
});

/** `GET /api/sessions/facets`. */
export const sessionFacets = z.object({
  total: sessionSums,
  /** What was sent anew although a cache had it. */
  breaksByCause: z.array(z.object({ cause: breakCause, count: z.int(), tokens: z.int(), usd: z.number().nullable() })),
  /** By facet, the sums of every value; of days the last first, of others the most frequent. `value` is `null` where it is not known. */
  facets: z.partialRecord(z.enum(FACETS), z.array(sessionSums.extend({ value: z.string().nullable() }))),
});

export type SessionSums = z.infer<typeof sessionSums>;
export type SessionFacets = z.infer<typeof sessionFacets>;
