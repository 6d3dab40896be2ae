import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Term } from "@/components/glossary/term";
import type { Breakdown } from "@/lib/core/context/breakdown";

/** Sizes at which the agent warns, compacts or refuses, and which of them the context has reached. */
export function Levels({ breakdown }: { readonly breakdown: Breakdown }) {
  const t = useTranslations("session.composition");
  const format = useFormat();
  const { levels = [], tier, cachedTokens } = breakdown;
  if (levels.length === 0 && cachedTokens === undefined) return null;
  return (
    <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm" data-testid="levels">
      {levels.map(({ id, tokens }) => (
        <Metric
          key={id}
          name={id === "auto" ? <Term id="trigger">{t(`level.${id}`)}</Term> : t(`level.${id}`)}
          value={format.count(Math.round(tokens))}
        />
      ))}
      {tier !== undefined && (
        // The agent's own word, if there is no message for it.
        <Metric name={t("tier")} value={t.has(`tiers.${tier}` as never) ? t(`tiers.${tier}` as "tiers.safe") : tier} />
      )}
      {cachedTokens !== undefined && <Metric name={t("cached")} value={format.count(cachedTokens)} />}
    </dl>
  );
}

function Metric({ name, value }: { readonly name: ReactNode; readonly value: string }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-t2">{name}</dt>
      <dd className="font-medium tabular-nums">{value}</dd>
    </div>
  );
}
