import type { AdvisedColumns } from "./advised";
import { type Advice, advise, pairedSaving, type Saving } from "./recommend";

/** A task for an adviser: find the best setting over each of several sets of sessions, or the saving of a given change. */
export interface AdviceTask {
  readonly kind: "settings" | "changes";
  readonly sets: readonly AdvisedColumns[];
  readonly seed: number;
}

/**
 * Runs the resampling in a worker or in this thread. It takes moments for a few sessions and a good part of a second for a thousand under a dozen
 * policies.
 */
export interface Adviser {
  /** Runs `advise` on each set. */
  readonly settings: (sets: readonly AdvisedColumns[], seed: number) => Promise<readonly (Advice | undefined)[]>;
  /** Runs `pairedSaving` on each set. */
  readonly changes: (sets: readonly AdvisedColumns[], seed: number) => Promise<readonly Saving[]>;
}

/** Computes in the calling thread. */
export const ADVISER: Adviser = {
  settings: async (sets, seed) => sets.map((one) => advise(one, seed)),
  changes: async (sets, seed) => sets.map((one) => pairedSaving(one, seed)),
};
