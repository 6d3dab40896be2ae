import { memo } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { useReplay, useSession } from "../shared/state/stores";
import { useSummaryBand } from "../shared/timeline/use-marks";

/** Names of the bands, in stacking order. */
export const BandLegend = memo(function BandLegend() {
  const t = useTranslations("session.band");
  const { bands } = useSession("bands");
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2 text-sm text-t2 max-md:sr-only">
      {bands.map(({ band }) => (
        <li key={band.id} className="flex items-center gap-1.5">
          <Swatch band={band} />
          {t(band.id)}
        </li>
      ))}
    </ul>
  );
});

/** Explains the band around the simulated line, if there is one. */
function SummaryBandKey() {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const words = usePolicyWords();
  const { choice } = useReplay("choice");
  const band = useSummaryBand();
  if (band === undefined) return null;
  const sizes = choice.specs.flatMap((spec) => {
    const range = band.settings[spec.key];
    return range === undefined ? [] : [{ key: spec.key, name: words.setting(spec), low: range[0], high: range[1] }];
  });
  const told = sizes.map(({ name, low, high }) =>
    t("bandSize", { name, low: format.count(low), high: format.count(high) }),
  );
  return (
    <li
      className="flex items-center gap-1.5 text-accent"
      title={t("bandNote", { sizes: told.join(", ") })}
      data-testid="summary-band"
    >
      <span aria-hidden className="h-2 w-4.5 bg-accent/25" />
      <BandName sizes={sizes} />
    </li>
  );
}

function BandName({ sizes }: { readonly sizes: readonly { key: string; low: number; high: number }[] }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const [only, ...others] = sizes;
  if (only === undefined || others.length > 0 || !isNamed(only.key)) return t("bandOf.several");
  return t(`bandOf.${only.key}`, { low: format.short(only.low), high: format.short(only.high) });
}

/** True if the messages have a name for a band that varies this setting alone. */
function isNamed(key: string): key is "summaryTokens" | "reattachedRest" {
  return key === "summaryTokens" || key === "reattachedRest";
}

/** Meaning of the two lines. On a phone it is one line, beside the button after it. */
export function LineLegend({ policy }: { readonly policy: string }) {
  const t = useTranslations("session.timeline");
  const { hasUsage } = useSession("hasUsage");
  return (
    <ul className="flex min-w-0 items-center gap-x-4 gap-y-1 text-sm text-t2 phone-line max-md:grow md:flex-wrap">
      <li className="flex items-center gap-1.5">
        <svg aria-hidden="true" width="18" height="4">
          <line
            x2="18"
            y1="2"
            y2="2"
            className={hasUsage ? "stroke-t1" : "stroke-t2"}
            strokeWidth="1.75"
            strokeDasharray={hasUsage ? undefined : "2 2"}
          />
        </svg>
        {hasUsage ? t("lineRecorded") : t("lineEstimated")}
      </li>
      <li className="flex items-center gap-1.5 text-accent">
        <svg aria-hidden="true" width="18" height="4">
          <line x2="18" y1="2" y2="2" className="stroke-accent" strokeWidth="1.75" strokeDasharray="5 3" />
        </svg>
        {t("lineSimulated", { policy })}
      </li>
      <SummaryBandKey />
    </ul>
  );
}
