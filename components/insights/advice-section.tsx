"use client";

import { useQueryStates } from "nuqs";
import { useTranslations } from "use-intl";
import { askAdvice } from "@/lib/api/event-answers";
import type { AdviceAnswer, AdviceRequest } from "@/lib/api/types";
import { AdviceCard } from "./advice-card";
import { AdviceControls } from "./advice-controls";
import { type AdviceSetup, adviceSetup } from "./advice-setup";
import { AskingSection } from "./asking-section";
import { INSIGHTS_PARSERS } from "./insights-params";
import type { AskedSelection } from "./selection";
import { useAnswer } from "./use-answer";

interface AdviceSectionProps {
  readonly selection: AskedSelection;
  /** The agent of most sessions; `undefined` until one of them is read. */
  readonly agent: string | null | undefined;
}

/** Which setting to choose over the sessions that the address chooses. */
export function AdviceSection({ selection, agent }: AdviceSectionProps) {
  const [params, set] = useQueryStates(INSIGHTS_PARSERS);
  const setup = adviceSetup(params, agent ?? null);
  const isKnown = agent !== undefined || params.policy !== null;
  const { answered, start, stop } = useAnswer<AdviceRequest, AdviceAnswer>(askAdvice);
  const ask = (wanted: AdviceRequest) => {
    // What is asked stands in the address as a whole, so that a link asks the same.
    void set({ policy: wanted.policy, preset: setup.preset, vary: [...wanted.vary], seed: params.seed });
    void start(wanted);
  };
  return (
    <AskingSection
      name="advice"
      answered={answered}
      wanted={isKnown ? wantedOf(setup, selection, params) : undefined}
      onStart={ask}
      onStop={stop}
      shortcut="r"
      controls={<AdviceControls setup={setup} params={params} set={set} />}
    >
      {(answer, asked) => <Answer answer={answer} setup={setup} asked={asked} />}
    </AskingSection>
  );
}

/** What is asked; `undefined` where nothing can be. */
function wantedOf(
  { policy, preset, axis, problem }: AdviceSetup,
  selection: AskedSelection,
  { small, seed }: { readonly small: AdviceRequest["by"]; readonly seed: number },
): AdviceRequest | undefined {
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
