import { useQuery } from "@tanstack/react-query";
import { getFidelity } from "@/lib/api/client";
import type { FidelityWire } from "@/lib/api/types";
import { useSession } from "./session-data";

/** The check of the agent's own policy against the recording; `undefined` while it is loading, where there is none, and where it failed. */
export function useFidelity(): FidelityWire | undefined {
  const { id } = useSession();
  const { data } = useQuery({
    queryKey: ["session", id, "fidelity"],
    queryFn: ({ signal }) => getFidelity(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}
