import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import type { AdviceAnswer } from "@/lib/api/types";
import { becauseParts, type Found, missingOf } from "./advice-view";
import { AssumedTable } from "./assumed-table";
import { SessionLinks } from "./session-links";
import { SettingCurve } from "./setting-curve";
import { SettingsTable } from "./settings-table";
import { useAdviceWords } from "./use-advice-words";

interface AdviceCardProps {
  readonly answer: AdviceAnswer;
  readonly found: Found;
  readonly spec: NumberSpec;
}

/** A recommendation, or that there is no evidence for one: the answer first, then why, and all that it rests on. */
export function AdviceCard({ answer, found, spec }: AdviceCardProps) {
  const t = useTranslations("insights.advice");
  const words = useAdviceWords();
  return (
    <article aria-label={t("title")} className="rounded-lg border border-line2 bg-bg" data-testid="advice-card">
      <div className="border-b border-line px-4 py-3">
        <h3 className="text-lg font-semibold" data-evidence={found.isEvidence}>
          {found.isEvidence
            ? t("saves", { setting: words.set(spec, found.advice.set), saving: words.saving(found.advice.saving) })
            : t("noEvidence")}
        </h3>
        {!found.isEvidence && <Missing found={found} spec={spec} />}
        <Because found={found} />
        <Evidence answer={answer} found={found} />
      </div>
      <div className="grid gap-x-6 gap-y-4 px-4 py-3 lg:grid-cols-2">
        <SettingCurve found={found} spec={spec} />
        <SettingsTable found={found} spec={spec} />
      </div>
      <AssumedTable found={found} spec={spec} />
      <div className="flex flex-col gap-1.5 border-t border-line px-4 py-3 text-sm text-t2">
        <BesideThresholds found={found} />
        <p>{t("fixed")}</p>
        {found.by !== "neededAgain" && <p>{t("noLoss")}</p>}
        {found.lowerBounds > 0 && <p>{t("lowerBounds", { count: found.lowerBounds })}</p>}
        {found.by === "cost" && <p>{t("listPrices")}</p>}
        <Unaffected found={found} answer={answer} />
      </div>
    </article>
  );
}

function Missing({ found, spec }: Pick<AdviceCardProps, "found" | "spec">) {
  const t = useTranslations("insights");
  const words = useAdviceWords();
  return (
    <ul className="mt-1 list-disc pl-5 text-sm" data-testid="missing">
      {missingOf(found).map(({ under, missing }) => (
        <li key={`${under} ${missing}`}>
          {/* Both come from the contract, which the compiler sees as plain texts here. */}
          {t(`missing.${missing}` as "missing.sessions")}
          {under !== "as-set" && `, ${t(`under.${under}` as "under.5m", { model: "" })}`}
        </li>
      ))}
      <li className="text-t2">
        {t("advice.bestOfAll", {
          setting: words.set(spec, found.advice.set),
          saving: words.saving(found.advice.saving),
        })}
      </li>
    </ul>
  );
}

/** One sentence of why: the parts of the difference. */
function Because({ found }: Pick<AdviceCardProps, "found">) {
  const t = useTranslations("insights.advice");
  const format = useFormat();
  const parts = becauseParts(found);
  if (parts.length === 0) return null;
  return (
    <p className="mt-1 text-sm" data-testid="because">
      {t("because", {
        parts: format.list(parts.map(({ part, usd }) => `${t(`part.${part}`)} ${format.usdDifference(usd)}`)),
      })}
    </p>
  );
}

function Evidence({ answer: { asked }, found }: Pick<AdviceCardProps, "answer" | "found">) {
  const t = useTranslations("insights.advice");
  const { sessions, projects, crossing, seed } = found;
  return (
    <p className="mt-1 text-sm text-t2" data-testid="evidence">
      {t("evidence", { sessions, projects, crossing, seed: String(seed), digest: asked.digest })} {t("heldOut")}
    </p>
  );
}

function BesideThresholds({ found: { whatIf, sessions: all } }: Pick<AdviceCardProps, "found">) {
  const t = useTranslations("insights.advice");
  const format = useFormat();
  if (whatIf === null) return null;
  const { beforeBreaks, lifetimes } = whatIf;
  const known = (of: number) => (of < all ? t("knownOf", { known: of, all }) : "");
  const saved = {
    known: known(beforeBreaks.sessions),
    usd: format.usd(Math.abs(beforeBreaks.savedUsd)),
    pauses: beforeBreaks.pauses,
  };
  return (
    <>
      {beforeBreaks.pauses > 0 && <p>{t(beforeBreaks.savedUsd < 0 ? "breaksDearer" : "breaksCheaper", saved)}</p>}
      {lifetimes.sessions > 0 && (
        <p>
          {t("lifetimes", {
            short: format.usd(lifetimes.shortUsd),
            long: format.usd(lifetimes.longUsd),
            known: known(lifetimes.sessions),
          })}
        </p>
      )}
    </>
  );
}

/** The sessions that no setting changes, and those that could not be asked. */
function Unaffected({ found, answer }: Pick<AdviceCardProps, "found" | "answer">) {
  const t = useTranslations("insights.advice");
  const { leftOut, asked } = answer;
  const ids = [
    ...found.unaffected.map((id) => [id, ""] as const),
    ...leftOut.map(({ session, why }) => [session, t(`why.${why}`)] as const),
  ];
  if (ids.length === 0) return null;
  return (
    <details>
      <summary>
        {t("apart", { unaffected: found.unaffected.length, leftOut: leftOut.length, asked: asked.ids.length })}
      </summary>
      <SessionLinks sessions={ids} />
    </details>
  );
}
