import { Fragment, memo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { useReplay } from "../shared/state/stores";
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
  const verdict = verdictOf({ ...useOutcome(), lead }, t, format);
  return (
    <p data-testid="verdict-sentence">
      {t.rich("sentence", { lead, parts: () => <Parts verdict={verdict} /> })}{" "}
      {verdict.confidence !== undefined && <span className="text-t2">{verdict.confidence}</span>}
    </p>
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
