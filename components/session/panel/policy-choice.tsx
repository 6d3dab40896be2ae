import Link from "next/link";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Term } from "@/components/glossary/term";
import { useOwnPolicies } from "@/components/settings/own-policies";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { vocabularyOf } from "@/lib/agents/agents";
import { loadAllAgents, policyNames, profileOf } from "@/lib/agents/policies";
import { defaultWindowOf } from "@/lib/agents/shared/profile";
import { lastingName } from "@/lib/core/compaction/preset-names";
import { isServed } from "@/lib/queries/client/client";
import { offeredEstimators } from "../shared/state/estimators";
import { useReplay, useReplayActions, useSession } from "../shared/state/stores";
import { COUNTING_MODES } from "../shared/state/url-state";
import { useDoubtText, useEstimatorName } from "../shared/state/use-estimator-words";

/** Selects the replayed policy and its preset. */
export function PolicyChoice() {
  const t = useTranslations("replay.panel");
  const words = usePolicyWords();
  const choice = useReplay(({ chosen }) => chosen);
  const actions = useReplayActions();
  // The name of an agent's rule set is shown even if it is the only one; other policies' have no names.
  const hasPresets = choice.preset !== "default";
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-1 px-4 pt-2.5 pb-1.5">
      <Choice
        label={t("policy")}
        value={choice.policy.id}
        options={policyNames().map((policy) => [policy.id, words.policy(policy)])}
        onChange={actions.setPolicy}
        onApproach={() => void loadAllAgents().catch(() => undefined)}
        {...(hasPresets ? {} : { className: "col-span-2" })}
      />
      {hasPresets && (
        <Choice
          label={t("preset")}
          value={choice.preset}
          options={choice.policy.presets.map((preset) => [preset, words.preset(preset, choice.policy)])}
          onChange={(preset) => actions.setPreset(lastingName(choice.policy, preset))}
        />
      )}
      <OwnPolicyLines />
      <ChangedLine />
    </div>
  );
}

/** Errors of user policies: of the selected one, and of those that could not be loaded. */
function OwnPolicyLines() {
  const t = useTranslations("replay.panel");
  const { failure } = useReplay("failure");
  const { failures } = useOwnPolicies();
  const lines = [
    ...(failure === undefined ? [] : [t("ownFailed", { sentence: failure })]),
    ...failures.map((sentence) => t("ownNotLoaded", { sentence })),
  ];
  return lines.map((line) => (
    <p key={line} className="col-span-2 text-sm break-words text-danger" role="alert" data-testid="own-failed">
      {line}
    </p>
  ));
}

function ChangedLine() {
  const t = useTranslations("replay.panel");
  const { choice } = useReplay("choice");
  if (choice.policy.id === "recorded") return null;
  // A document states its values for the default window of its preset.
  const documented = profileOf(choice.policy.id);
  const isDocumented =
    choice.preset === "as-documented" &&
    documented !== undefined &&
    choice.window.tokens === defaultWindowOf(documented, choice.preset).value;
  return (
    <p className="col-span-2 text-sm text-t3">
      {t(isDocumented ? "constants" : "constantsOurs", { changed: choice.changed.size })}{" "}
      {isServed() && choice.policy.own === undefined && choice.policy.id !== "none" && (
        <Link href={`/systems#${choice.policy.id}`} prefetch={false} className="text-t2 underline">
          {t("about")}
        </Link>
      )}
    </p>
  );
}

/** Selects the estimator and the counting mode. */
export function CountingChoice() {
  const t = useTranslations("replay");
  const { counted, summary } = useSession("counted", "summary");
  const choice = useReplay(({ chosen }) => chosen);
  const actions = useReplayActions();
  const nameOf = useEstimatorName();
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-1.5 border-t border-line px-4 py-3">
      <p className="col-span-2 text-sm text-t2">{t("panel.countedBy")}</p>
      <Choice
        label={t("panel.estimator")}
        value={counted.pending ? undefined : counted.estimator}
        placeholder={t("panel.counting")}
        options={offeredEstimators(summary, counted.estimator)
          // A page without a server has no tables of tokens; a bundle contains the counts.
          .filter((id) => isServed() || summary.numbersOnly || vocabularyOf(id) === undefined)
          .map((id) => [id, nameOf(id)])}
        onChange={actions.setEstimator}
      />
      <Choice
        label={t("panel.mode")}
        value={choice.counting}
        options={COUNTING_MODES.map((mode) => [mode, t(`counting.${mode}`)])}
        onChange={actions.setCounting}
      />
      <div className="col-span-2 min-h-4" aria-live="polite">
        <ErrorLine />
      </div>
    </div>
  );
}

/** Error of the estimator on this session, or the reason why it is unknown. */
function ErrorLine() {
  const t = useTranslations("replay.panel");
  const mode = useTranslations("replay.counting");
  const format = useFormat();
  const doubtText = useDoubtText();
  const { counted, hasUsage } = useSession("counted", "hasUsage");
  const { choice, simulated } = useReplay("choice", "simulated");
  if (counted.pending) return <p className="text-sm text-t3">{t("countingExact")}</p>;
  if (counted.failed) {
    return (
      <p className="flex items-center gap-2 text-sm text-danger" role="alert">
        {t("countingFailed")}
        <Button onClick={counted.retry}>{t("retry")}</Button>
      </p>
    );
  }
  const doubt = choice.counting === "estimate" ? undefined : doubtText(simulated.calibration);
  return (
    <>
      <p className="text-sm text-t3">
        {choice.policy.id !== "recorded" && (
          <>
            <Term id={choice.counting === "estimate" ? "estimated" : choice.counting}>{mode(choice.counting)}</Term>
            {" · "}
          </>
        )}
        {sentence()}
      </p>
      {doubt !== undefined && choice.policy.id !== "recorded" && (
        <p className="mt-1 text-sm text-t1" data-testid="doubtful">
          {doubt}
        </p>
      )}
    </>
  );

  function sentence(): string {
    if (choice.policy.id === "recorded") return t("modeUnused");
    if (choice.counting === "estimate") return t("modeEstimate");
    if (simulated.calibration === undefined) return hasUsage ? t("notCalibrated") : t("noUsage");
    const { outOfSampleBias, outOfSampleError, pairs } = simulated.calibration;
    return t("error", {
      bias: format.change(outOfSampleBias, 1),
      error: format.percent(outOfSampleError, 1),
      pairs,
    });
  }
}
