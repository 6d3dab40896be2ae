import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { agentName } from "@/lib/agents/agents";
import type { OutcomeAnswer } from "@/lib/queries/contract/types";

type Change = OutcomeAnswer["changes"][number];

/** Prediction and recorded sessions of the settings that the command line applied; nothing is changed from here. */
export function OutcomeCard({ answer: { changes, damagedLines, file } }: { readonly answer: OutcomeAnswer }) {
  const t = useTranslations("insights.outcome");
  const [newest, ...earlier] = changes;
  return (
    <section aria-labelledby="insights-outcome" className="border-b border-line px-4 py-4" data-testid="outcome">
      <h2 id="insights-outcome" className="pb-2 text-base font-semibold">
        {t("title")}
      </h2>
      {newest !== undefined && <ChangeOutcome change={newest} />}
      {earlier.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="text-t2">{t("earlier", { count: earlier.length })}</summary>
          {earlier.map((change) => (
            <ChangeOutcome key={change.at} change={change} />
          ))}
        </details>
      )}
      {damagedLines.length > 0 && (
        <p className="mt-1 text-sm">
          {t("damaged", { count: damagedLines.length, file, lines: damagedLines.join(", ") })}
        </p>
      )}
    </section>
  );
}

function ChangeOutcome({ change }: { readonly change: Change }) {
  const t = useTranslations("insights.outcome");
  const metric = useTranslations("insights.by");
  const interval = useTranslations("insights");
  const format = useFormat();
  const { agent, at, undoneAt, settings, path, predicted, by, saving, before, after, needed } = change;
  const share = (one: NonNullable<Change["saving"]>) =>
    interval("interval", {
      estimate: format.percent(one.estimate, 1),
      low: format.percent(one.low, 1),
      high: format.percent(one.high, 1),
    });
  const left = change.unmatched + change.across + change.unknown;
  return (
    <div className="max-w-260 text-sm" data-testid="outcome-change">
      <p>
        {t("applied", { agent: agentName(agent)?.label ?? agent, date: format.dateTime(Date.parse(at)) })}{" "}
        {settings.map(({ key, named, from, to }) => (
          <code key={key} className="mr-2 rounded-sm bg-sunk px-1 break-all">
            {`${named}: ${from ?? t("unset")} → ${to ?? t("unset")}`}
          </code>
        ))}
        <span className="text-t2">{path}</span>
        {undoneAt !== null && ` ${t("undone", { date: format.dateTime(Date.parse(undoneAt)) })}`}
      </p>
      <p className="font-medium" data-testid="realised">
        {saving !== null
          ? t("realised", { saving: share(saving), metric: metric(by), before: before.sessions, after: after.sessions })
          : after.sessions < needed
            ? t("few", { count: after.sessions, needed })
            : before.sessions < needed
              ? t("fewBefore", { count: before.sessions, needed })
              : t("zero")}
      </p>
      <p className="text-t2">
        {t("predicted", {
          saving: share(predicted.saving),
          sessions: predicted.sessions,
          projects: predicted.projects,
        })}
        {left > 0 && ` ${t("leftOut", { count: left })}`} {t("note")}
      </p>
    </div>
  );
}
