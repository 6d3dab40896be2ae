"use client";

import { useQueryStates } from "nuqs";
import { askPolicies } from "@/lib/api/event-answers";
import type { PoliciesAnswer, PoliciesRequest } from "@/lib/api/types";
import { adviceSetup, advisedPolicies } from "./advice-setup";
import { AskingSection } from "./asking-section";
import { INSIGHTS_PARSERS } from "./insights-params";
import { PoliciesTable } from "./policies-table";
import type { AskedSelection } from "./selection";
import { useAnswer } from "./use-answer";

interface PoliciesSectionProps {
  readonly selection: AskedSelection;
  /** As of the recommendation. */
  readonly agent: string | null | undefined;
}

/** Every policy over the sessions that the address chooses, each compared with the one that is chosen above. */
export function PoliciesSection({ selection, agent }: PoliciesSectionProps) {
  const [params] = useQueryStates(INSIGHTS_PARSERS);
  const { policy, preset } = adviceSetup(params, agent ?? null);
  const { answered, start, stop } = useAnswer<PoliciesRequest, PoliciesAnswer>(askPolicies);
  const others = advisedPolicies()
    .filter((one) => one !== policy)
    .map(({ id }) => ({ policy: id }));
  const runs = [{ policy: policy.id, preset }, ...others, { policy: "none" }].slice(0, 12);
  const wanted = { ...selection, runs, seed: Math.max(0, params.seed) };
  return (
    <AskingSection
      name="policies"
      answered={answered}
      wanted={agent === undefined && params.policy === null ? undefined : wanted}
      onStart={(asked) => void start(asked)}
      onStop={stop}
    >
      {(answer) => <PoliciesTable answer={answer} />}
    </AskingSection>
  );
}
