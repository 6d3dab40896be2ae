import { replacePolicy } from "@/lib/agents/registry";
import { type OwnPolicy, type OwnSource, ownPolicy } from "@/lib/sandbox/own-policy";
import { OWN_LIMITS } from "./policy-watch";

/** The user policies of a task, sent to the thread that runs it. */
export interface TaskPolicies {
  readonly sources: readonly OwnSource[];
  /** Maximum milliseconds of one replay. */
  readonly ms: number;
  /** A counter, increased when a policy starts and when it returns, so an odd number means that one is running. Lets the parent thread stop it. */
  readonly watch?: SharedArrayBuffer;
}

/** Policies loaded in this thread, by id. */
const loaded = new Map<string, { readonly text: string; readonly ms: number; readonly policy: OwnPolicy }>();
/** The cell that the parent thread watches during this task. */
let watched: Int32Array | undefined;
const step = () => void (watched !== undefined && Atomics.add(watched, 0, 1));

/** Registers policies in this thread under their ids, replacing earlier ones. Rejects with `PolicyError`. */
export async function registerPolicies({ sources, ms, watch }: TaskPolicies): Promise<void> {
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
