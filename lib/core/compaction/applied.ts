import { AssertionError } from "../base/assert";
import type { Milliseconds, RequestIndex, Tokens } from "../base/units";
import type { Compaction, Outcome, Policy, Retention } from "./policy/policy";
import { PolicyError } from "./policy/policy-error";
import { countOf } from "./simulation/positions";

/** Outcomes of a compaction that asked for a summary, successful or not. */
export const ASKS_FOR_SUMMARY: ReadonlySet<Outcome> = new Set(["summary", "fallback", "failed"]);

/** Outcomes with a summary, written by the model or the program. */
export const MAKES_SUMMARY: ReadonlySet<Outcome> = new Set(["summary", "fallback"]);

/** Number of items of a context, and their tokens with the overhead. */
interface ContextSize {
  readonly length: number;
  readonly total: Tokens;
}

/** A compaction that has changed the context, but is not listed yet: the context of its request may still grow. */
export interface AppliedCompaction {
  readonly retention: Compaction;
  /** True if it changed the context. */
  readonly changes: boolean;
  readonly was: {
    readonly request: RequestIndex;
    readonly tokens: Tokens;
    readonly counted: Tokens;
    readonly items: number;
    readonly at: Milliseconds | undefined;
  };
  readonly left: ContextSize;
}

/** Adds the content that entered after a compaction during a pause: like a prompt that an agent adds after its compaction, it is kept. */
export function withEntered({ retention, was, left, ...rest }: AppliedCompaction, now: ContextSize): AppliedCompaction {
  const [tokens, items] = [now.total - left.total, now.length - left.length];
  if (items === 0 && tokens === 0) return { retention, was, left, ...rest };
  return {
    ...rest,
    left,
    retention: { ...retention, kept: [...retention.kept, [was.items, was.items + items]], entering: items },
    was: { ...was, tokens: was.tokens + tokens, counted: was.counted + tokens, items: was.items + items },
  };
}

/** True if a retention changes a context with this number of items. */
export function changesContext({ kept, added, truncated, cleared }: Retention, items: number): boolean {
  return countOf(kept) !== items || added.length > 0 || truncated.length > 0 || cleared.length > 0;
}

/**
 * Acts on a policy's answer. An invalid answer of a built-in policy is a bug of this program; one of a user's own policy is reported to its author.
 */
export function actOnAnswer<Done>({ own: file }: Pick<Policy, "own">, request: RequestIndex, act: () => Done): Done {
  try {
    return act();
  } catch (error) {
    if (file === undefined || !(error instanceof AssertionError)) throw error;
    throw new PolicyError(`${file}: the policy's answer before request ${request} is not possible: ${error.message}.`);
  }
}
