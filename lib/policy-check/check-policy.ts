import type { DrawnRun } from "@/lib/agents/testing/drawn-run";
import { POLICY_INVARIANTS, type PolicyInvariant } from "@/lib/agents/testing/policy-invariants";
import { AssertionError } from "@/lib/core/base/assert";
import type { Policy } from "@/lib/core/compaction/policy";
import { PolicyError } from "@/lib/core/compaction/policy-error";
import { Chance, drawRun } from "./draw-run";

/** How an invariant fared under one preset. */
export interface CheckedInvariant {
  readonly name: string;
  readonly preset: string;
  /** On how many drawn sessions it was tried, and how often the policy compacted in them. */
  readonly runs: number;
  readonly compactions: number;
  /** The first that it does not hold for, made as short as it stays so. */
  readonly failure?: { readonly message: string } & Pick<DrawnRun, "drawing" | "window" | "counting" | "settings">;
}

/**
 * Tries on drawn sessions what has to hold for every policy. Deterministic: the same seed draws the same. Throws `PolicyError` where the policy cannot be asked
 * any more.
 */
export function checkPolicy(policy: Policy, seed: number): readonly CheckedInvariant[] {
  return policy.presets.flatMap((preset) => POLICY_INVARIANTS.map((one) => tried(policy, preset, one, seed)));
}

function tried(policy: Policy, preset: string, invariant: PolicyInvariant, seed: number): CheckedInvariant {
  const chance = new Chance(seed);
  const { name } = invariant;
  let compactions = 0;
  for (let run = 0; run < invariant.runs; run++) {
    const given = drawRun(chance, policy, preset);
    const found = outcomeOf(policy, invariant, given);
    if (typeof found !== "number") {
      const { drawing, window, counting, settings } = shortest(policy, invariant, given);
      const message = messageOf(policy, invariant, { ...given, drawing });
      return { name, preset, runs: run + 1, compactions, failure: { message, drawing, window, counting, settings } };
    }
    compactions += found;
  }
  return { name, preset, runs: invariant.runs, compactions };
}

/** How often the policy compacted, or the error that says that the invariant does not hold. */
function outcomeOf(policy: Policy, { holds }: PolicyInvariant, given: DrawnRun): number | Error {
  try {
    return holds(policy, given).compactions.length;
  } catch (error) {
    if (error instanceof AssertionError || error instanceof PolicyError) return error;
    throw error;
  }
}

function messageOf(policy: Policy, invariant: PolicyInvariant, given: DrawnRun): string {
  const found = outcomeOf(policy, invariant, given);
  if (typeof found === "number") return "it holds now, and did not before: the policy remembers earlier replays";
  return found.message;
}

/** The same session without the elements that do not matter. */
function shortest(policy: Policy, invariant: PolicyInvariant, given: DrawnRun): DrawnRun {
  let elements = given.drawing.split(" ");
  for (let at = elements.length - 1; at >= 0; at--) {
    const shorter = elements.toSpliced(at, 1);
    const found = outcomeOf(policy, invariant, { ...given, drawing: shorter.join(" ") });
    if (typeof found !== "number") elements = shorter;
  }
  return { ...given, drawing: elements.join(" ") };
}
