import type { AdvisedColumns } from "./advised";
import { type Advice, advise, pairedSaving, type Saving } from "./recommend";

/** What is asked of an adviser: the best setting over each of several sets of sessions, or what a given change saves. */
export interface AdviceTask {
  readonly kind: "settings" | "changes";
  readonly asked: readonly AdvisedColumns[];
  readonly seed: number;
}

/** Draws again elsewhere or here: it takes moments for a few sessions, but a good part of a second for a thousand of them under a dozen policies. */
export interface Adviser {
  /** `advise` over each. */
  readonly settings: (asked: readonly AdvisedColumns[], seed: number) => Promise<readonly (Advice | undefined)[]>;
  /** `pairedSaving` over each. */
  readonly changes: (asked: readonly AdvisedColumns[], seed: number) => Promise<readonly Saving[]>;
}

/** In the thread that asks. */
export const ADVISER: Adviser = {
  settings: async (asked, seed) => asked.map((one) => advise(one, seed)),
  changes: async (asked, seed) => asked.map((one) => pairedSaving(one, seed)),
};
