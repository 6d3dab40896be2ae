import { z } from "zod";
import { CHOICES, FACETS } from "@/lib/core/base/facet-keys";
import { tokens } from "./basics";
import { missCause, unpricedModels } from "./cost";

/** Sums over sessions of the list, by what they have in common. */

/** Sums over sessions; `null` where no session says how much. From `requests` on they are of the requests that the sessions count, each once. */
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
  /** What was needed again after recorded compactions, and the tokens that would bring it back, as far as that is known. */
  neededAgain: z.int().nullable(),
  neededAgainTokens: tokens.nullable(),
  /** By list prices; `null` where a request has no price. */
  costUsd: z.number().nullable(),
  /** The same over the requests that have a price. */
  pricedUsd: z.number().nullable(),
  /** Sessions with requests that have no price. */
  unpriced: z.int(),
  unpricedModels,
  /** Sessions that cost at least what is summed of them: not all of their output is recorded. */
  lowerBounds: z.int(),
});

export const missSums = z.array(
  z.object({ cause: missCause, count: z.int(), tokens: z.int(), usd: z.number().nullable() }),
);

/** `GET /api/sessions/facets`. */
export const sessionFacets = z.object({
  total: sessionSums,
  /** What was sent anew although a cache had it. */
  breaksByCause: missSums,
  /** Whose days these are: that of `tz`, else the server's. */
  timeZone: z.string(),
  /** By facet, the sums of every value; of days the last first, of others the most frequent. `value` is `null` where it is not known. */
  facets: z.partialRecord(z.enum(FACETS), z.array(sessionSums.extend({ value: z.string().nullable() }))),
});

/**
 * `GET /api/sessions/choices`: sums over the sessions that match, and what they can be narrowed to: by key, the values with the sessions that each of
 * them leaves, most first. What is already chosen of a key does not narrow its values, since they are the alternatives to it.
 */
export const sessionChoices = z.object({
  total: sessionSums,
  choices: z.record(
    z.enum(CHOICES),
    z.array(
      z.object({
        /** As it stands behind `KEY=` in a condition, and `null` where it is not known. Of costs the least of a band: 100, 10, 1 or 0 dollars. */
        value: z.string().nullable(),
        /** What a person calls it: an agent's name, the end of a project's path by which it is told apart. */
        label: z.string().nullable(),
        sessions: z.int(),
      }),
    ),
  ),
});

export type SessionSums = z.infer<typeof sessionSums>;
export type SessionFacets = z.infer<typeof sessionFacets>;
export type SessionChoices = z.infer<typeof sessionChoices>;
