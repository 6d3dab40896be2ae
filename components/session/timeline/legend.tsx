import { memo, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { cn } from "@/components/ui/cn";
import { useReplay, useSession, useView } from "../shared/state/stores";
import { usePlacesInTime } from "../shared/timeline/geometry";
import { useSummaryBand } from "../shared/timeline/use-marks";

interface KeyProps {
  readonly name: string;
  readonly note: string;
  readonly className?: string;
  /** False hides it and keeps its space. */
  readonly shown?: boolean;
  /** The mark, drawn in ten pixels. */
  readonly children: ReactNode;
}

/** The legend entry of a mark, with its meaning on hover. */
function Key({ name, note, className, shown = true, children }: KeyProps) {
  return (
    <li className={cn("flex items-center gap-1", !shown && "invisible", className)} title={note}>
      <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0">
        {children}
      </svg>
      {name}
    </li>
  );
}

interface CostMarkKeysProps {
  readonly misses?: boolean;
  readonly best?: boolean;
  readonly paid?: boolean;
}

/** Entries of the marks that depend on prices and the simulation. A hidden one keeps its space: the legend must not wrap while a slider moves. */
export function CostMarkKeys({ misses = false, best = false, paid = false }: CostMarkKeysProps) {
  const t = useTranslations("session.timeline.key");
  return (
    <>
      <Key name={t("miss")} note={t("missNote")} shown={misses}>
        <path d="M1 9h8l-4 -6Z" className="fill-danger" />
      </Key>
      <Key name={t("best")} note={t("bestNote")} shown={best}>
        <path d="M5 0l5 5l-5 5l-5 -5Z" className="fill-t1" />
      </Key>
      <Key name={t("paid")} note={t("paidNote")} shown={paid}>
        <path d="M0 5h6" className="stroke-t1" strokeWidth="2" />
        <circle cx="7" cy="5" r="3" className="fill-t1" />
      </Key>
    </>
  );
}

/** Names of the bands in stacking order, then of the marks, and the entries that the caller adds. */
export function Legend({ children }: { readonly children: ReactNode }) {
  return (
    <ul className="flex shrink-0 flex-wrap gap-x-2.5 px-4 py-0.5 text-sm text-t2 max-md:sr-only">
      <BandKeys />
      <MarkKeys />
      {children}
    </ul>
  );
}

const BandKeys = memo(function BandKeys() {
  const t = useTranslations("session.band");
  const { bands } = useSession("bands");
  return bands.map(({ band }) => (
    <li key={band.id} className="flex items-center gap-1">
      <Swatch band={band} />
      {t(band.id)}
    </li>
  ));
});

/** Entries of the marks that only some recordings have. */
function MarkKeys() {
  const t = useTranslations("session.timeline.key");
  const { recorded, hasUsage } = useSession("recorded", "hasUsage");
  const { axis } = useView("axis");
  const hasIdle = (usePlacesInTime(axis)?.idle.length ?? 0) > 0;
  return (
    <>
      {hasUsage && recorded.estimated.includes(1) && (
        <Key name={t("estimated")} note={t("estimatedNote")}>
          <path d="M0 5h10" className="stroke-t3" strokeWidth="1.5" strokeDasharray="2 2" />
        </Key>
      )}
      {hasIdle && (
        <Key name={t("idle")} note={t("idleNote")}>
          <rect width="10" height="10" fill="url(#buffer-hatch)" />
        </Key>
      )}
    </>
  );
}

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
  const texts = sizes.map(({ name, low, high }) =>
    t("bandSize", { name, low: format.count(low), high: format.count(high) }),
  );
  return (
    <li
      // In the narrow place next to the tabs it shares the first row with the recorded line.
      className="flex items-center gap-1.5 text-accent lg:max-xl:order-1"
      title={t("bandNote", { sizes: texts.join(", ") })}
      data-testid="summary-band"
    >
      <span aria-hidden className="h-2 w-4.5 border border-accent/45 bg-accent/8" />
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

/** True if the messages have a name for a band in which only this setting varies. */
function isNamed(key: string): key is "summaryTokens" | "reattachedRest" {
  return key === "summaryTokens" || key === "reattachedRest";
}

/** Meaning of the lines. Next to the tabs there is space for two rows. */
export function LineLegend({ policy }: { readonly policy: string }) {
  const t = useTranslations("session.timeline");
  const { hasUsage, recorded } = useSession("hasUsage", "recorded");
  const { simulated, choice } = useReplay("simulated", "choice");
  const isDoubtful = choice.counting !== "estimate" && (simulated.calibration?.doubts.length ?? 0) > 0;
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-t2 max-md:grow max-md:gap-y-0 lg:justify-end lg:gap-y-0 lg:max-xl:gap-x-2">
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
      <li className="flex items-center gap-1.5 text-accent lg:max-xl:order-2">
        <svg aria-hidden="true" width="18" height="4">
          <line x2="18" y1="2" y2="2" className="stroke-accent" strokeWidth="1.75" strokeDasharray="5 3" />
        </svg>
        {t(isDoubtful ? "lineDoubtful" : "lineSimulated", { policy })}
      </li>
      <SummaryBandKey />
      {recorded.compactions.length + simulated.compactions.length > 0 && (
        <Key name={t("key.compaction")} note={t("key.compactionNote")} className="max-md:hidden lg:max-xl:hidden">
          <path d="M5 0v9M0 9h10" className="stroke-t1" strokeWidth="1.5" />
        </Key>
      )}
    </ul>
  );
}
