"use client";

import { useQueryStates } from "nuqs";
import { useTranslations } from "use-intl";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { askAdvice } from "@/lib/api/client";
import type { AdviceAnswer, AdviceRequest } from "@/lib/api/types";
import { AdviceCard } from "./advice-card";
import { AdviceControls } from "./advice-controls";
import { type AdviceSetup, adviceSetup } from "./advice-setup";
import { AnswerStatus } from "./answer-status";
import { CopyAnswer } from "./copy-answer";
import { INSIGHTS_PARSERS } from "./insights-params";
import { type AskedSelection, isSame } from "./selection";
import { useAnswer } from "./use-answer";

interface AdviceSectionProps {
  readonly selection: AskedSelection;
  /** The agent of most sessions. */
  readonly agent: string | null;
}

/** Which setting to choose over the sessions that the address chooses. A button asks, and the server does the work. */
export function AdviceSection({ selection, agent }: AdviceSectionProps) {
  const t = useTranslations("insights");
  const [params, set] = useQueryStates(INSIGHTS_PARSERS);
  const setup = adviceSetup(params, agent);
  const { answered, start, stop } = useAnswer<AdviceRequest, AdviceAnswer>(askAdvice);
  const wanted = wantedOf(setup, selection, params);
  const running = answered.state === "running";
  const press = () => {
    if (running) return stop();
    if (wanted === undefined) return false;
    // What is asked stands in the address as a whole, so that a link asks the same.
    void set({ policy: wanted.policy, preset: setup.preset, vary: [...wanted.vary], seed: params.seed });
    return void start(wanted);
  };
  useShortcuts({ r: press });
  return (
    <section
      aria-labelledby="insights-advice"
      aria-busy={running}
      className="border-b border-line px-4 py-4"
      data-testid="advice"
    >
      <h2 id="insights-advice" className="text-base font-semibold">
        {t("advice.title")}
      </h2>
      <p className="max-w-180 pb-3 text-sm text-t2">{t("advice.lead")}</p>
      <AdviceControls setup={setup} params={params} set={set} />
      <div className="flex min-h-10 flex-wrap items-center gap-3 py-2">
        <Button variant={running ? "outline" : "primary"} disabled={!running && wanted === undefined} onClick={press}>
          {t(running ? "stop" : "advice.start")}
          <Kbd className="border-current/40 bg-transparent text-current touch:hidden">r</Kbd>
        </Button>
        <AnswerStatus answered={answered} />
        {answered.state === "done" && (
          <>
            {!isSame(answered.wanted, wanted) && <span className="text-sm text-t2">{t("stale")}</span>}
            <CopyAnswer answer={{ ...answered.wanted, ...answered.answer }} />
          </>
        )}
      </div>
      {answered.state === "done" && <Answer answer={answered.answer} setup={setup} asked={answered.wanted} />}
    </section>
  );
}

/** What is asked; `undefined` where nothing can be. */
function wantedOf(
  { policy, preset, axis, problem }: AdviceSetup,
  selection: AskedSelection,
  { small, seed }: { readonly small: AdviceRequest["by"]; readonly seed: number },
): (AdviceRequest & Required<Pick<AdviceRequest, "vary">>) | undefined {
  if (axis === undefined || problem !== undefined) return undefined;
  return { ...selection, policy: policy.id, preset, vary: [{ ...axis.range }], by: small, seed: Math.max(0, seed) };
}

interface AnswerProps {
  readonly answer: AdviceAnswer;
  readonly setup: AdviceSetup;
  readonly asked: AdviceRequest;
}

function Answer({ answer, setup, asked }: AnswerProps) {
  const t = useTranslations("insights.advice");
  const spec = setup.specs.find((one) => one.key === asked.vary[0]?.key);
  if (answer.found === null)
    return (
      <p role="status" className="text-sm" data-testid="no-sessions">
        {t("noSessions", { matched: answer.asked.matched, leftOut: answer.leftOut.length })}
      </p>
    );
  // Of another policy's answer the setting has no name here.
  if (spec?.type !== "number" || asked.policy !== setup.policy.id) return null;
  return <AdviceCard answer={answer} found={answer.found} spec={spec} />;
}
