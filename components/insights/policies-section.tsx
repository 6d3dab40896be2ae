"use client";

import { useQueryStates } from "nuqs";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { askPolicies } from "@/lib/api/client";
import type { PoliciesAnswer, PoliciesRequest } from "@/lib/api/types";
import { ADVISED_POLICIES, adviceSetup } from "./advice-setup";
import { AnswerStatus } from "./answer-status";
import { CopyAnswer } from "./copy-answer";
import { INSIGHTS_PARSERS } from "./insights-params";
import { PoliciesTable } from "./policies-table";
import { type AskedSelection, isSame } from "./selection";
import { useAnswer } from "./use-answer";

interface PoliciesSectionProps {
  readonly selection: AskedSelection;
  readonly agent: string | null;
}

/** Every policy over the sessions that the address chooses, each compared with the one that is chosen above. */
export function PoliciesSection({ selection, agent }: PoliciesSectionProps) {
  const t = useTranslations("insights");
  const [params] = useQueryStates(INSIGHTS_PARSERS);
  const { policy, preset } = adviceSetup(params, agent);
  const { answered, start, stop } = useAnswer<PoliciesRequest, PoliciesAnswer>(askPolicies);
  const others = ADVISED_POLICIES.filter((one) => one !== policy).map(({ id }) => ({ policy: id }));
  const runs = [{ policy: policy.id, preset }, ...others, { policy: "none" }].slice(0, 12);
  const wanted: PoliciesRequest = { ...selection, runs, seed: Math.max(0, params.seed) };
  const running = answered.state === "running";
  return (
    <section
      aria-labelledby="insights-policies"
      aria-busy={running}
      className="border-b border-line px-4 py-4"
      data-testid="policies"
    >
      <h2 id="insights-policies" className="text-base font-semibold">
        {t("policies.title")}
      </h2>
      <p className="max-w-180 text-sm text-t2">{t("policies.lead")}</p>
      <div className="flex min-h-10 flex-wrap items-center gap-3 py-2">
        <Button onClick={() => (running ? stop() : void start(wanted))}>
          {t(running ? "stop" : "policies.start")}
        </Button>
        <AnswerStatus answered={answered} />
        {answered.state === "done" && (
          <>
            {!isSame(answered.wanted, wanted) && <span className="text-sm text-t2">{t("stale")}</span>}
            <CopyAnswer answer={{ ...answered.wanted, ...answered.answer }} />
          </>
        )}
      </div>
      {answered.state === "done" && <PoliciesTable answer={answered.answer} />}
    </section>
  );
}
