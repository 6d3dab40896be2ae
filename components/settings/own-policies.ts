import { queryOptions, useQuery } from "@tanstack/react-query";
import { replacePolicy } from "@/lib/agents/policies";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import { ask, request } from "@/lib/queries/client/client";
import type { OwnSource } from "@/lib/sandbox/own-policy";

/** A policy has little time in the page, which is blocked meanwhile. */
const LIMITS = { ms: 1500, megabytes: 128 } as const;

/** The user policies that the page has loaded. */
interface OwnPolicies {
  /** True once they can be selected. Before, an address with one of them would look invalid. */
  readonly isReady: boolean;
  /** Errors of loading, a sentence each. */
  readonly failures: readonly string[];
}

const query = queryOptions({
  queryKey: ["own-policies"],
  queryFn: ({ signal }) => loadAll(signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** The user policies, loaded once for each page: they are then listed next to the built-in ones. */
export function useOwnPolicies(): OwnPolicies {
  const { data = [], isPending } = useQuery(query);
  return { isReady: !isPending, failures: data };
}

/** Loads each into its own interpreter; returns the errors. */
async function loadAll(signal: AbortSignal): Promise<readonly string[]> {
  const { policies } = await ask("ownPolicies", {}, signal);
  if (policies.length === 0) return [];
  const wasm = await (await request("interpreter", {}, signal)).arrayBuffer();
  const failures: string[] = [];
  for (const source of policies) {
    try {
      replacePolicy(await loaded(source, wasm));
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      failures.push(error.message);
    }
  }
  return failures;
}

/** A loaded policy whose settings can be read for every preset. Rejects with `PolicyError`. */
async function loaded(source: OwnSource, wasm: ArrayBuffer): Promise<Policy> {
  const { ownPolicy } = await import("@/lib/sandbox/own-policy");
  const policy = await ownPolicy(source, LIMITS, wasm);
  for (const preset of policy.presets) policy.settings(preset, { window: 200_000, agent: null });
  return forgiving(policy);
}

/**
 * The same policy with neutral answers instead of errors, so that it fails when it is replayed (with a sentence), not while its settings are drawn.
 */
function forgiving(policy: Policy): Policy {
  const { threshold, looksBack } = policy;
  return {
    ...policy,
    settings: (preset, context) => answered(() => policy.settings(preset, context), []),
    ...(threshold && { threshold: (chosen) => answered(() => threshold(chosen), chosen.window) }),
    ...(looksBack && { looksBack: (chosen) => answered(() => looksBack(chosen), false) }),
  };
}

function answered<T>(answer: () => T, otherwise: T): T {
  try {
    return answer();
  } catch (error) {
    if (error instanceof PolicyError) return otherwise;
    throw error;
  }
}
