import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import type { MadeSummary, SummaryPreviewAnswer } from "@/lib/api/types";
import { useReplay, useReplayActions } from "../../state/replay-data";
import { spreadOf } from "./sending";

/** The summaries that the endpoint made of this prompt: their sizes, what they name of what was used, and their texts. */
export function MadeSummaries({ answer }: { readonly answer: SummaryPreviewAnswer }) {
  const t = useTranslations("session.realSummary");
  const format = useFormat();
  const { made, summaryTokens } = answer;
  const [least, most] = spreadOf(made) ?? [];
  const own = format.count(summaryTokens);
  return (
    <div className="mt-3 max-w-180" data-testid="made-summaries">
      <p className="text-sm text-t2">
        {least === undefined || most === undefined
          ? t("made", { count: made.length, own })
          : t("madeSpread", { count: made.length, least: format.count(least), most: format.count(most), own })}
      </p>
      <ul className="mt-2 border-t border-line">
        {made.map((summary) => (
          <Made key={summary.id} summary={summary} />
        ))}
      </ul>
    </div>
  );
}

function Made({ summary }: { readonly summary: MadeSummary }) {
  const t = useTranslations("session.realSummary");
  const l = useTranslations("session.ledger");
  const format = useFormat();
  const { tokens, usage, isCut, score, text } = summary;
  return (
    <li className="border-b border-line py-2 text-sm text-t2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold text-t1">{t("size", { tokens: format.count(tokens) })}</span>
        <span>{usage.output !== null && t("usage", { tokens: format.count(usage.output) })}</span>
        <UseSize tokens={tokens} />
      </div>
      {isCut && <p>{t("cut")}</p>}
      {score !== null && <p>{l("summaryPaths", { ...score.paths })}</p>}
      {score !== null && <p>{l("summaryNames", { ...score.names })}</p>}
      <details className="mt-1">
        <summary className="cursor-pointer underline touch:min-h-10">{t("text")}</summary>
        <p className="mt-1 break-words whitespace-pre-wrap">{text}</p>
      </details>
    </li>
  );
}

/** Puts the measured size in the place of the assumed one, where the policy in force has such a setting. */
function UseSize({ tokens }: { readonly tokens: number }) {
  const t = useTranslations("session.realSummary");
  const { choice } = useReplay();
  const { setSetting } = useReplayActions();
  if (!choice.specs.some(({ key }) => key === "summaryTokens")) return null;
  const isUsed = choice.settings.summaryTokens === tokens;
  return (
    <Button disabled={isUsed} onClick={() => setSetting("summaryTokens", tokens)}>
      {t(isUsed ? "used" : "use")}
    </Button>
  );
}
