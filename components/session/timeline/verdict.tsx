import { Fragment, memo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useCopy } from "@/components/hooks/use-copy";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { type SettingLine, settingToType } from "@/lib/core/compaction/policy/setting-to-type";
import { useReplay } from "../shared/state/stores";
import { useOutcome } from "../shared/state/use-outcome";
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

/** The lines that give the real agent the changed settings, to be copied together. */
function SettingToPaste() {
  const t = useTranslations("replay.verdict.paste");
  const [said, copy] = useCopy();
  const { choice } = useReplay("choice");
  const lines = settingToType(choice, choice.settings, choice.window.tokens);
  if (lines === undefined) return null;
  const texts = lines.flatMap(({ text }) => text ?? []);
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-t2" data-testid="setting-to-paste">
      {t("label")}
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
      {texts.length > 0 && (
        <Button size="tiny" variant="ghost" className="w-auto px-1.5 text-sm" onClick={() => copy(texts.join("\n"))}>
          <span aria-live="polite">{t(said ?? "copy")}</span>
        </Button>
      )}
    </p>
  );
}

function Line({ line: { text, file, source } }: { readonly line: SettingLine }) {
  const t = useTranslations("replay.verdict.paste");
  const kind = useTranslations("replay.source");
  if (text === undefined) return <span>{t("none")}</span>;
  return (
    <span>
      <code className="rounded-sm bg-sunk px-1 break-all text-t1">{text}</code>
      {file !== undefined && ` ${t("in", { file })}`}
      {source !== undefined && (
        <span className="text-xs text-t3" title={source.text}>
          {` ${kind(source.kind)}`}
        </span>
      )}
    </span>
  );
}
