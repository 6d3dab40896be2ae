import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import type { Band, Figure } from "@/lib/core/figures/figure";
import { atLeast, bandFigure, exactFigure } from "./figures";
import { useFormat } from "./use-format";

interface ValueProps {
  /** The written value; `null` where none was recorded. */
  readonly children: string | null;
  /** The exact value, shown on hover where `children` is shortened. */
  readonly exact?: string | undefined;
  readonly className?: string;
}

/** A value, or a quiet `n/a`: absent is never 0 and never an empty cell. */
export function Value({ children, exact, className }: ValueProps) {
  const t = useTranslations("common.value");
  if (children === null) {
    return (
      <span className={cn("text-t3", className)} title={t("naReason")}>
        {t("na")}
      </span>
    );
  }
  return (
    <span className={className} title={exact}>
      {children}
    </span>
  );
}

interface FigureValueProps {
  readonly figure: Pick<Figure, "unit">;
  readonly value: number | null;
  readonly band?: Band | undefined;
}

/** A figure of a replay in full, or `n/a`; below it the range that it lies in, where that is known. */
export function FigureValue({ figure, value, band }: FigureValueProps) {
  const format = useFormat();
  return (
    <>
      <Value>{value === null ? null : atLeast(exactFigure(figure, value, format), band)}</Value>
      <BandText figure={figure} band={band} />
    </>
  );
}

/** The range that a figure lies in; nothing where that is not known or has only one value. */
export function BandText({ figure, band }: Omit<FigureValueProps, "value">) {
  const format = useFormat();
  const t = useTranslations("common.value");
  const text = bandFigure(figure, band, format);
  if (text === undefined) return null;
  return (
    <span className="block text-xs font-normal whitespace-nowrap text-t3" title={t("band")} data-band>
      {text}
    </span>
  );
}
