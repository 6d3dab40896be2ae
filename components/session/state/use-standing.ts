import { useQuery } from "@tanstack/react-query";
import { getOverhead } from "@/lib/api/client";
import type { OverheadAnswer } from "@/lib/api/types";
import { NO_STANDING, type StandingCategory, type StandingOverhead } from "@/lib/core/context/standing";

/** What is known about the overhead from outside the file, and where that comes from. */
export interface GivenOverhead {
  readonly standing: StandingOverhead;
  readonly profile: OverheadAnswer["profile"];
  readonly source: OverheadAnswer["source"];
}

const NOTHING: GivenOverhead = { standing: NO_STANDING, profile: null, source: null };

/** The agent's report or the selected context profile, measured by the estimator. Until it arrives the overhead is inferred. */
export function useStanding(id: string, estimator: string): GivenOverhead {
  const { data } = useQuery({
    queryKey: ["session", id, "overhead", estimator],
    queryFn: async ({ signal }) => givenOf(await getOverhead(id, estimator, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  return data ?? NOTHING;
}

function givenOf({ profile, source, declaredTokens, categories }: OverheadAnswer): GivenOverhead {
  if (categories.length === 0) return { ...NOTHING, profile, source };
  // The contract's own tests ensure that the server sends only ids of the overhead.
  const standing = { categories: categories as readonly StandingCategory[] };
  return { profile, source, standing: declaredTokens === null ? standing : { ...standing, declaredTokens } };
}
