import { z } from "zod";
import { tokens } from "./basics";
import { costTerms } from "./cost";
import { replayRequest } from "./replay";

/** What compactions lost: docs/method.md, "Re-fetched content". */

/** One thing that was needed again. Items are rows of the columns. */
export const ledgerRefetch = z.object({
  kind: z.enum(["N1", "N2", "N3", "N4", "N5"]),
  /** How sure it is that it was needed: a hint is in no sum. */
  certainty: z.enum(["certain", "strong", "hint"]),
  /** Whether a check was run again, which says nothing of a need: in no sum either. */
  runAgain: z.boolean(),
  /** Where it was dropped: of several items the cheapest that would bring it back. */
  dropped: z.int(),
  needed: z.int(),
  /** The request whose response, or what came after it, needed it, and how many requests after the boundary that was. */
  request: z.int(),
  requestsLater: z.int(),
  tokens,
  /** Dollars to have it again: its tokens written, and for N3 and N4 one more request; null where the request has no price. */
  usd: z.number().nullable(),
  /** Of N1 and N2. */
  lines: z.int().nullable(),
  chars: z.int().nullable(),
  /** Whether both calls use one file, and neither writes; if not, the texts may be alike by chance. */
  sameFile: z.boolean().nullable(),
  /** Of N3. */
  path: z.string().nullable(),
  origin: z.enum(["carried", "foundAgain", "unexplained"]).nullable(),
});

const bought = z.object({ count: z.int(), chars: z.int() });

/** Of so many names that were needed again, so many stand in the summary; of so many that it names, so many were used. */
const namedShare = z.object({ needed: z.int(), refetchedNamed: z.int(), named: z.int(), namedUsed: z.int() });

/** What a summary names of what was used after it. */
export const summaryScore = z.object({ paths: namedShare, names: namedShare });

export const ledgerBoundary = z.object({
  kind: z.enum(["recorded", "simulated"]),
  /** The request before which it happened. */
  request: z.int(),
  /** Line of its record; null for a simulated one. */
  line: z.int().nullable(),
  /** Results that came out equal again, and lines that were bought again: null after a simulated boundary, since the agent still had the text. */
  N1: bought.nullable(),
  N2: bought.nullable(),
  N3: z.object({ count: z.int(), carried: z.int(), foundAgain: z.int(), unexplained: z.int() }),
  N4: z.object({ count: z.int() }),
  N5: z.object({ count: z.int() }),
  /** What checks printed again; null as above. */
  runAgain: z.object({ N1: bought, N2: bought }).nullable(),
  /** Number of N3 and N4, the tokens that would bring them back, and what that would cost. */
  neededAgain: z.int(),
  neededAgainTokens: tokens,
  usd: z.number().nullable(),
  /** Tokens of N2, without checks; null as above. */
  boughtAgainTokens: tokens.nullable(),
  /** Of those, what came from a file that had held it: the rest may be alike by chance. */
  sameFile: z.object({ lines: z.int(), tokens }).nullable(),
  /** What the summary names of what was used; null where the file does not hold its text, and for a simulated one. */
  summary: summaryScore.nullable(),
  needs: z.array(ledgerRefetch),
});

/** How the rule of simulated boundaries fares at the recorded ones. Shares are null where they would be of nothing. */
export const predictorScore = z.object({
  foreseen: z.int(),
  right: z.int(),
  precision: z.number().nullable(),
  bought: z.int(),
  foreseenBought: z.int(),
  recall: z.number().nullable(),
  foreseenTokens: tokens,
  boughtTokens: tokens,
});

/** What `ledger FILE` prints, and `POST /api/sessions/:id/ledger` answers. */
export const ledger = z.object({
  file: z.string(),
  sessionId: z.string().nullable(),
  policy: z.string(),
  preset: z.string(),
  estimator: z.string(),
  /** One entry a boundary; null where nothing can be said. */
  needs: z.array(ledgerBoundary).nullable(),
  /** Why: a publisher masked more than half of the results, or there is too much text. */
  unknown: z.enum(["masked", "tooLong"]).nullable(),
  /** Null for a simulation, and where no compaction was recorded. */
  predictor: predictorScore.nullable(),
  costTerms,
});

/** Without a policy: the recorded boundaries. */
export const ledgerRequest = replayRequest.partial({ policy: true });

export type LedgerRefetchWire = z.infer<typeof ledgerRefetch>;
export type LedgerBoundaryWire = z.infer<typeof ledgerBoundary>;
export type LedgerAnswer = z.infer<typeof ledger>;
export type LedgerRequest = z.infer<typeof ledgerRequest>;
