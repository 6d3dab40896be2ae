import { Fragment, memo, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { triggerHandle } from "@/components/settings/trigger-setting";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import type { Metrics } from "@/lib/core/metrics/values";
import { chosenOf } from "@/lib/queries/session/session-context";
import { useReplay, useStores } from "../shared/state/stores";
import { useOutcome } from "../shared/state/use-outcome";
import { SettingToPaste } from "./setting-to-paste";
import { type Verdict as Found, verdictOf } from "./verdict-sentence";

/** The simulation against the recording in one sentence above the chart, and the setting that gives the real agent the same trigger. */
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

function Sentence() {
  const t = useTranslations("replay.verdict");
  const format = useFormat();
  const words = usePolicyWords();
  const { choice, threshold } = useReplay("choice", "threshold");
  const lead =
    threshold !== undefined && threshold > 0
      ? t("at", { tokens: format.short(threshold) })
      : t("by", { policy: words.policy(choice.policy) });
  const outcome = useOutcome();
  const verdict = verdictOf({ ...outcome, lead }, t, format);
  return (
    <>
      <p data-testid="verdict-sentence">
        {t.rich("sentence", { lead, parts: () => <Parts verdict={verdict} /> })}{" "}
        {verdict.confidence !== undefined && <span className="text-t2">{verdict.confidence}</span>}
      </p>
      {verdict.isAsRecorded && <QuickSweep now={outcome.replayed.metrics} />}
    </>
  );
}

/** Sets the cheapest of some triggers if the replay equals the recording, so that there is something to compare. */
function QuickSweep({ now }: { readonly now: Metrics }) {
  const t = useTranslations("replay.verdict.sweep");
  const { replay, replayActions } = useStores();
  const { choice } = useReplay("choice");
  const [state, setState] = useState<"idle" | "running" | "none">("idle");
  if (triggerHandle(choice.policy, choice.specs, chosenOf(choice)) === undefined) return null;
  const run = async (): Promise<void> => {
    setState("running");
    try {
      const { cheapestTrigger } = await import("./cheapest-trigger");
      const found = await cheapestTrigger(replay.get(), now);
      setState(found === undefined ? "none" : "idle");
      if (found !== undefined) replayActions.setSetting(found.key, found.value);
    } catch {
      // A user policy may fail under another trigger.
      setState("none");
    }
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
