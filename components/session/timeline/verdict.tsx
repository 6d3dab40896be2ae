import { Fragment, memo, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { inSlices } from "@/components/hooks/newest-result";
import { triggerHandle } from "@/components/settings/trigger-setting";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { thresholdRuleOf } from "@/lib/core/compaction/threshold-rule";
import { chosenOf } from "@/lib/queries/session/session-context";
import { SettingToPaste } from "../shared/runs/setting-to-paste";
import { useReplay, useSession, useStores } from "../shared/state/stores";
import { useOutcome } from "../shared/state/use-outcome";
import { cheapestTrigger, openingTrigger } from "./cheapest-trigger";
import { type Verdict as Found, noneCheaperText, triggerLead, verdictOf } from "./verdict-sentence";

/** The simulation compared with the recording in one sentence above the chart, and the setting that gives the real agent the same trigger. */
export const Verdict = memo(function Verdict() {
  const t = useTranslations("replay.verdict");
  const { choice, failure } = useReplay("choice", "failure");
  if (isRecordedPolicy(choice.policy)) return <p>{t("recording")}</p>;
  if (failure !== undefined) return <p>{t("failed")}</p>;
  return (
    <>
      <Sentence />
      <SettingToPaste />
    </>
  );
});

/** Sweeps some triggers after a session was opened without a replay in its address, and again when its sizes change, unless its file is growing. */
export function OpeningSweep() {
  const { replay, replayActions } = useStores();
  const { over } = useReplay("over");
  const isDue = useIsSweepDue();
  useEffect(() => {
    if (!isDue) return;
    return inSlices(openingTrigger({ ...replay.get(), over }), (found) =>
      replayActions.setOpening(found && { ...found, over: over.tokens }),
    );
  }, [isDue, over, replay, replayActions]);
  return null;
}

function useIsSweepDue(): boolean {
  const { live } = useSession("live");
  const { opening, over } = useReplay("opening", "over");
  return opening === "pending" || (opening !== undefined && opening.over !== over.tokens && !live);
}

function Sentence() {
  const t = useTranslations("replay.verdict");
  const format = useFormat();
  const words = usePolicyWords();
  const { choice, threshold, opening, over } = useReplay("choice", "threshold", "opening", "over");
  const swept = typeof opening === "object" && opening.over === over.tokens ? opening : undefined;
  const lead =
    threshold === undefined || threshold <= 0
      ? t("by", { policy: words.policy(choice.policy) })
      : triggerLead(swept, format.short(threshold), t);
  const outcome = useOutcome();
  // A conclusion that the sweep is about to replace would confuse the reader.
  if (useIsSweepDue()) return <p data-testid="verdict-sentence">{t("looking")}</p>;
  const verdict = verdictOf({ ...outcome, lead }, t, format);
  return (
    <>
      <p data-testid="verdict-sentence">
        {t.rich("sentence", { lead, parts: () => <Parts verdict={verdict} /> })}{" "}
        {verdict.confidence !== undefined && <span className="text-t2">{verdict.confidence}</span>}
      </p>
      {swept !== undefined && swept.best === undefined && <p>{noneCheaperText(swept, outcome.replayed, t, format)}</p>}
      <ThresholdNote />
      {verdict.isAsRecorded && opening === undefined && <QuickSweep />}
    </>
  );
}

/** Says why the simulated context passes its trigger, or is compacted below it. */
function ThresholdNote() {
  const t = useTranslations("replay.thresholdRule");
  const words = usePolicyWords();
  const { choice, simulated } = useReplay("choice", "simulated");
  const rule = thresholdRuleOf(choice.policy, chosenOf(choice), simulated);
  return rule === undefined ? null : (
    <p className="text-t2" data-testid="threshold-note">
      {t(rule, { policy: words.policy(choice.policy) })}
    </p>
  );
}

/** Sets the cheapest of some triggers if the replay equals the recording, so that there is something to compare. */
function QuickSweep() {
  const t = useTranslations("replay.verdict.sweep");
  const { replay, replayActions } = useStores();
  const { choice } = useReplay("choice");
  const [state, setState] = useState<"idle" | "running" | "none">("idle");
  if (triggerHandle(choice.policy, choice.specs, chosenOf(choice)) === undefined) return null;
  const run = (): void => {
    setState("running");
    inSlices(cheapestTrigger(replay.get()), (found) => {
      setState(found?.best === undefined ? "none" : "idle");
      if (found?.best !== undefined) replayActions.setSetting(found.best.key, found.best.value);
    });
  };
  return (
    <Button disabled={state !== "idle"} title={t("note")} onClick={run} className="h-6 px-1.5">
      {t(state)}
    </Button>
  );
}

const COLOUR = { better: "font-semibold text-better", worse: "font-semibold text-danger" } as const;

function Parts({ verdict: { parts } }: { readonly verdict: Found }) {
  const format = useFormat();
  return parts.map(({ text, effect }, index) => (
    <Fragment key={text}>
      {index > 0 && format.list(["", ""])}
      <span className={effect && COLOUR[effect]} data-effect={effect}>
        {text}
      </span>
    </Fragment>
  ));
}
