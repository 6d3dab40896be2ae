import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { isLoaded, loadAgents } from "@/lib/agents/policies";
import { REPLAY_PARSERS } from "./url-state";

/** Whether what a session needs of agents is there, or why it could not be loaded. */
interface NeededAgents {
  readonly isReady: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * Loads the profile of the agent that wrote a session, and that of the policy which the address names.
 * @param agent `undefined` as long as it is not known; `null` where the session belongs to none
 */
export function useNeededAgents(agent: string | null | undefined): NeededAgents {
  const [policy] = useQueryState("policy", REPLAY_PARSERS.policy);
  const missing = [agent, policy].filter((id) => id !== null && id !== undefined).filter((id) => !isLoaded(id));
  // `isSuccess` is read so that the page is drawn again when they have come.
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ["agents", ...missing],
    queryFn: () => loadAgents(missing).then(() => true),
    enabled: missing.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { isReady: agent !== undefined && (missing.length === 0 || isSuccess), error, retry: () => void refetch() };
}
