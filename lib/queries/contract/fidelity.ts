import { z } from "zod";
import { calibration, contextWindow, instant, tokens } from "./basics";

/** A recording's own policy, compared with its recorded compactions. */

const tokenError = z.object({ boundaries: z.int(), bias: tokens, meanAbsolute: tokens });

/** A predicted compaction. */
export const prediction = z.object({ request: z.int(), tokensBefore: tokens, tokensAfter: tokens });

/** A prediction that matches no recorded compaction. */
const alarm = prediction.extend({
  /** True if it could be due to estimation error; then it is not a false alarm. */
  withinError: z.boolean(),
});

/**
 * `withinError`: the outcome depends on an error of the estimate within the session's mean error. `manual`, `unseen` (the first thing in the file),
 * `overflow` (the provider refused the prompt, which the policy did not predict) and `untold` (evidence is `missing`) are neither hit nor miss.
 */
export const verdict = z.enum(["hit", "withinError", "miss", "manual", "unseen", "overflow", "untold"]);
export const checkedPrediction = z.object({
  verdict,
  prediction: prediction.nullable(),
  /** The possible error of the estimate that decides; null except within error. */
  error: tokens.nullable(),
});

export const fidelityMetrics = z.object({
  hits: z.int(),
  withinError: z.int(),
  misses: z.int(),
  falseAlarms: z.int(),
  /** Predicted less recorded tokens, over the hits with both numbers. */
  errorBefore: tokenError.nullable(),
  errorAfter: tokenError.nullable(),
  alarms: z.array(alarm),
});

export const checkedBoundary = z.object({
  request: z.int(),
  line: z.int().positive(),
  /** Time of the previous request. */
  at: instant,
  tokensBefore: tokens.nullable(),
  /** As recorded, else the recorded context of the first request after it. */
  tokensAfter: tokens.nullable(),
  /** Recorded context of the request before it. */
  lastRecorded: tokens.nullable(),
  /** `lastRecorded` plus the estimate of later content. */
  wouldSend: tokens.nullable(),
  /** The evidence that is missing for `untold`: a call's result, a masked text, the file's beginning, the window, the policy's idle rule, or usage. */
  missing: z.enum(["call", "masked", "trimmed", "window", "idle", "usage"]).nullable().optional(),
  reanchored: checkedPrediction,
  freeRunning: checkedPrediction,
});

/** The policy of the recording's own agent, with its own settings, compared with the recorded compactions. */
export const fidelity = z.object({
  policy: z.string(),
  preset: z.string(),
  window: contextWindow,
  /** The policy's trigger size; null for policies without one. */
  threshold: tokens.nullable(),
  /** Scales estimates to the usage: of the messages after the last response, and of the context after a predicted compaction. */
  calibration: calibration.nullable(),
  /** Number of recorded compactions, and how many of them the user requested. */
  recorded: z.int(),
  manual: z.int(),
  /** Recorded compactions after an unpredicted overflow, and recorded compactions with missing evidence. */
  overflow: z.int().optional(),
  untold: z.int().optional(),
  /** Each boundary is predicted from the recorded state after the one before it. */
  reanchored: fidelityMetrics,
  /** The policy runs alone, from the first request. */
  freeRunning: fidelityMetrics,
  boundaries: z.array(checkedBoundary),
});

/** `GET /api/sessions/:id/fidelity`. */
export const fidelityAnswer = z.object({ fidelity: fidelity.nullable() });

/** Output of `fidelity`: the checks of many files; a compaction that several of them hold counts once. */
export const fidelityTable = z.object({
  rows: z.array(
    z.object({
      policy: z.string(),
      preset: z.string(),
      sessions: z.int(),
      recorded: z.int(),
      manual: z.int(),
      overflow: z.int().optional(),
      untold: z.int().optional(),
      reanchored: fidelityMetrics.omit({ alarms: true }),
      freeRunning: fidelityMetrics.omit({ alarms: true }),
    }),
  ),
  boundaries: z.array(
    checkedBoundary.extend({
      policy: z.string(),
      preset: z.string(),
      threshold: tokens.nullable(),
      /** The file whose check counts: the longest one that holds the compaction. */
      file: z.string(),
      files: z.int(),
    }),
  ),
  alarms: z.array(
    alarm.extend({
      policy: z.string(),
      preset: z.string(),
      file: z.string(),
      figure: z.enum(["reanchored", "freeRunning"]),
    }),
  ),
  /** Files with an unreliable calibration. */
  doubtful: z.array(z.object({ file: z.string(), calibration })),
});

export type FidelityMetricsWire = z.infer<typeof fidelityMetrics>;
export type CheckedBoundaryWire = z.infer<typeof checkedBoundary>;
export type FidelityWire = z.infer<typeof fidelity>;
export type FidelityAnswer = z.infer<typeof fidelityAnswer>;
export type FidelityTable = z.infer<typeof fidelityTable>;
