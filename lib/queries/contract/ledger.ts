import { z } from "zod";
import { tokens } from "./basics";
import { costTerms } from "./cost";
import { replayRequest } from "./replay";

/** One re-fetch: docs/method.md, "Re-fetched content". Items are rows of the columns. */
export const ledgerRefetch = z.object({
  kind: z.enum(["N1", "N2", "N3", "N4", "N5"]),
  /** Certainty of the re-fetch: a hint is in no sum. */
  certainty: z.enum(["certain", "strong", "hint"]),
  /** True for a repeated check, which is not evidence of a re-fetch, so no sum includes it. */
  runAgain: z.boolean(),
  /** The dropped item; of several, the one that is cheapest to re-fetch. */
  dropped: z.int(),
  needed: z.int(),
  /** The request whose response, or later content, re-fetched it, and its distance from the boundary in requests. */
  request: z.int(),
  requestsLater: z.int(),
  tokens,
  /** Dollars of the re-fetch: its tokens written, and for N3 and N4 one more request; null if the request has no price. */
  usd: z.number().nullable(),
  /** For N1 and N2. */
  lines: z.int().nullable(),
  chars: z.int().nullable(),
  /** True if both calls use one file, and neither writes; otherwise the texts may be alike by chance. */
  sameFile: z.boolean().nullable(),
  /** For N3. */
  path: z.string().nullable(),
  origin: z.enum(["carried", "foundAgain", "unexplained"]).nullable(),
});

const repeatedTexts = z.object({ count: z.int(), chars: z.int() });

/** Re-fetched names and how many the summary contains; names in the summary and how many were used. */
const namedShare = z.object({ needed: z.int(), neededNamed: z.int(), named: z.int(), namedUsed: z.int() });

/** Names in a summary that were used after it. */
export const summaryScore = z.object({ paths: namedShare, names: namedShare });

export const ledgerBoundary = z.object({
  kind: z.enum(["recorded", "simulated"]),
  /** The request after it. */
  request: z.int(),
  /** Line of its record; null for a simulated one. */
  line: z.int().nullable(),
  /** Repeated equal results, and re-fetched lines: null after a simulated boundary, since the agent still had the text. */
  N1: repeatedTexts.nullable(),
  N2: repeatedTexts.nullable(),
  N3: z.object({ count: z.int(), carried: z.int(), foundAgain: z.int(), unexplained: z.int() }),
  N4: z.object({ count: z.int() }),
  N5: z.object({ count: z.int() }),
  /** Repeated output of checks; null as above. */
  runAgain: z.object({ N1: repeatedTexts, N2: repeatedTexts }).nullable(),
  /** Number of N3 and N4, their tokens, and their cost. */
  neededAgain: z.int(),
  neededAgainTokens: tokens,
  usd: z.number().nullable(),
  /** Tokens of N2, without checks; null as above. */
  boughtAgainTokens: tokens.nullable(),
  /** The part of it from a file that had held the content: the rest may be alike by chance. */
  sameFile: z.object({ lines: z.int(), tokens }).nullable(),
  /** Names in the summary that were used later; null if the file does not hold its text, and for a simulated one. */
  summary: summaryScore.nullable(),
  needs: z.array(ledgerRefetch),
});

/** Accuracy of the rule of simulated boundaries at the recorded ones. Shares are null for an empty whole. */
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

/** Output of `ledger FILE`, and answer of `POST /api/sessions/:id/ledger`. */
export const ledger = z.object({
  file: z.string(),
  sessionId: z.string().nullable(),
  policy: z.string(),
  preset: z.string(),
  estimator: z.string(),
  /** One entry per boundary; null if the report cannot be made. */
  needs: z.array(ledgerBoundary).nullable(),
  /** The reason: a publisher masked more than half of the results, or there is too much text. */
  unknown: z.enum(["masked", "tooLong"]).nullable(),
  /** Null for a simulation, and without a recorded compaction. */
  predictor: predictorScore.nullable(),
  costTerms,
});

/** Without a policy: the recorded boundaries. */
export const ledgerRequest = replayRequest.partial({ policy: true });

export type LedgerRefetchWire = z.infer<typeof ledgerRefetch>;
export type LedgerBoundaryWire = z.infer<typeof ledgerBoundary>;
export type LedgerAnswer = z.infer<typeof ledger>;
export type LedgerRequest = z.infer<typeof ledgerRequest>;
