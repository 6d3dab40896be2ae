import { z } from "zod";
import { CHOICES, FACETS } from "@/lib/core/base/facet-keys";
import { tokens } from "./basics";
import { missCause, unpricedModels } from "./cost";

/** Sums over listed sessions by shared values. */

/** Sums over sessions; `null` if no session has the number. The fields from `requests` on cover the requests that the sessions count, each once. */
export const sessionSums = z.object({
  sessions: z.int(),
  /** Sessions whose requests are all counted by other sessions. */
  copies: z.int(),
  bytes: z.number(),
  requests: z.int().nullable(),
  compactions: z.int().nullable(),
  /** Recorded time spent compacting, in milliseconds; compactions without a recorded duration do not count. */
  compactingMs: z.number().nullable(),
  input: tokens.nullable(),
  cacheRead: tokens.nullable(),
  cacheWrite: tokens.nullable(),
  output: tokens.nullable(),
  sent: tokens.nullable(),
  /** Content re-fetched after recorded compactions, and its tokens, as far as known. */
  neededAgain: z.int().nullable(),
  neededAgainTokens: tokens.nullable(),
  /** At list prices; `null` if a request has no price. */
  costUsd: z.number().nullable(),
  /** Cost of the requests that have a price. */
  pricedUsd: z.number().nullable(),
  /** Sessions with requests that have no price. */
  unpriced: z.int(),
  unpricedModels,
  /** Sessions whose cost is a lower bound: not all of their output is recorded. */
  lowerBounds: z.int(),
});

export const missSums = z.array(
  z.object({ cause: missCause, count: z.int(), tokens: z.int(), usd: z.number().nullable() }),
);

/** `GET /api/sessions/facets`. */
export const sessionFacets = z.object({
  total: sessionSums,
  /** Tokens sent uncached although a cache held them. */
  breaksByCause: missSums,
  /** Time zone of the days: `tz`, else the server's. */
  timeZone: z.string(),
  /** By facet, the sums of every value; days newest first, others most frequent first. `value` is `null` if unknown. */
  facets: z.partialRecord(z.enum(FACETS), z.array(sessionSums.extend({ value: z.string().nullable() }))),
});

/**
 * `GET /api/sessions/choices`: sums over matching sessions, and the values that can narrow them: by key, the values with their numbers of sessions,
 * most first. A key's own condition does not narrow its values, since they are the alternatives to it.
 */
export const sessionChoices = z.object({
  total: sessionSums,
  choices: z.record(
    z.enum(CHOICES),
    z.array(
      z.object({
        /** The value after `KEY=` in a condition; `null` if unknown. For costs, the lower end of a band: 100, 10, 1 or 0 dollars. */
        value: z.string().nullable(),
        /** Display name: an agent's name, or the distinguishing end of a project's path. */
        label: z.string().nullable(),
        sessions: z.int(),
      }),
    ),
  ),
});

export type SessionSums = z.infer<typeof sessionSums>;
export type SessionFacets = z.infer<typeof sessionFacets>;
export type SessionChoices = z.infer<typeof sessionChoices>;
