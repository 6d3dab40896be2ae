import { replacePolicy } from "@/lib/agents/registry";
import { type OwnPolicy, type OwnSource, ownPolicy } from "@/lib/sandbox/own-policy";
import { OWN_LIMITS } from "./policy-watch";

/** Policies that a task brings along into its thread. */
export interface BroughtPolicies {
  readonly sources: readonly OwnSource[];
  /** The most milliseconds of one replay. */
  readonly ms: number;
  /** Whether a policy is at work: odd while one is. What does not come back is seen by it from outside. */
  readonly watch?: SharedArrayBuffer;
}

/** Those that this thread has loaded, by their ids. */
const loaded = new Map<string, { readonly text: string; readonly ms: number; readonly policy: OwnPolicy }>();
/** What the asking thread watches during this task. */
let watched: Int32Array | undefined;
const step = () => void (watched !== undefined && Atomics.add(watched, 0, 1));

/** Makes policies known in this thread under their ids, in place of what had these before. Rejects with `PolicyError`. */
export async function bringPolicies({ sources, ms, watch }: BroughtPolicies): Promise<void> {
  watched = watch === undefined ? undefined : new Int32Array(watch);
  for (const source of sources) {
    const known = loaded.get(source.id);
    if (known?.text === source.text && known.ms === ms && !known.policy.isEnded()) continue;
    known?.policy.dispose();
    loaded.delete(source.id);
    const policy = await ownPolicy(source, { ...OWN_LIMITS, ms, watch: { enter: step, leave: step } });
    replacePolicy(policy);
    loaded.set(source.id, { text: source.text, ms, policy });
  }
}
