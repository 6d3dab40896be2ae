import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { isSameUsd } from "@/lib/core/base/number-text";
import type { Cost as CostAnswer } from "@/lib/queries/contract/types";

type WhatIf = CostAnswer["whatIf"];

/** The change in cost from another schedule of compactions or another cache TTL: a sentence each, and the parts of its sum. */
export function WhatIfs({
  whatIf: { beforeBreaks, lifetimes: ttls },
  priced,
}: {
  readonly whatIf: WhatIf;
  readonly priced: boolean;
}) {
  const t = useTranslations("cost.whatIf");
  const notKnown = <p className="mt-1 text-sm text-t2">{t(priced ? "notSold" : "noPrice")}</p>;
  return (
    <section aria-label={t("title")} data-testid="what-if">
      <h2 className="font-semibold">{t("title")}</h2>
      <div className="mt-2" data-what-if="before-breaks">
        <h3 className="text-sm text-t2">{t("beforeBreaks.title")}</h3>
        {beforeBreaks === null ? notKnown : <BeforeBreaks found={beforeBreaks} />}
      </div>
      <div className="mt-3" data-what-if="lifetimes">
        <h3 className="text-sm text-t2">{t("lifetimes.title")}</h3>
        {ttls === null ? notKnown : <OtherTtls found={ttls} />}
      </div>
    </section>
  );
}

function BeforeBreaks({ found }: { readonly found: NonNullable<WhatIf["beforeBreaks"]> }) {
  const t = useTranslations("cost.whatIf.beforeBreaks");
  const format = useFormat();
  const { pauses, compactions, behindPausesUsd, laterUsd, callsUsd, savedUsd, assumed } = found;
  const left = format.count(assumed.left);
  if (compactions === 0)
    return <p className="mt-1 text-sm">{t(pauses === 0 ? "noPause" : "nothingToLeave", { pauses, left })}</p>;
  return (
    <>
      <Sentence>
        {t.rich(savedUsd < 0 ? "moreExpensive" : "cheaper", {
          usd: format.usd(Math.abs(savedUsd)),
          compactions,
          pauses,
          b: strong,
        })}
      </Sentence>
      <Parts
        parts={[
          [t("behindPauses"), -behindPausesUsd],
          [t("later"), -laterUsd],
          [t("calls", { count: compactions }), callsUsd],
        ]}
      />
      <p className="mt-1 text-sm text-t3">
        {t(assumed.leftIsRecorded ? "leftRecorded" : "leftAssumed", { left })}{" "}
        {t(assumed.sharesPrefix ? "reads" : "readsNothing")}
      </p>
    </>
  );
}

function OtherTtls({ found }: { readonly found: NonNullable<WhatIf["lifetimes"]> }) {
  const t = useTranslations("cost.whatIf.lifetimes");
  const format = useFormat();
  const { shortUsd, longUsd, pauses, dearerWritesUsd, warmPausesUsd } = found;
  const [short, long] = [format.usd(shortUsd), format.usd(longUsd)];
  const difference = longUsd - shortUsd;
  const comparison = difference < 0 ? "longCheaper" : "longDearer";
  return (
    <>
      <Sentence>
        {t.rich(isSameUsd(shortUsd, longUsd) ? "same" : comparison, {
          usd: format.usd(Math.abs(difference)),
          short,
          long,
          b: strong,
        })}
      </Sentence>
      <Parts
        parts={[
          [t("writes"), dearerWritesUsd],
          [t("pauses", { count: pauses }), -warmPausesUsd],
        ]}
      />
    </>
  );
}

function Sentence({ children }: { readonly children: ReactNode }) {
  return <p className="mt-0.5">{children}</p>;
}

function strong(chunks: ReactNode): ReactNode {
  return <strong className="font-semibold">{chunks}</strong>;
}

/** The parts of a sum, each with its sign: more or less expensive. */
function Parts({ parts }: { readonly parts: readonly (readonly [string, number])[] }) {
  const format = useFormat();
  return (
    <dl className="mt-1 grid max-w-120 grid-cols-[minmax(0,1fr)_auto] gap-x-4 text-sm text-t2">
      {parts.map(([name, usd]) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd className="text-right">{format.usdDifference(usd)}</dd>
        </div>
      ))}
    </dl>
  );
}
