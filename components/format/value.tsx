import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import type { Figure } from "@/lib/core/figures/figure";
import { exactFigure } from "./figures";
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

/** A figure of a replay in full, or `n/a`. */
export function FigureValue({ figure, value }: { readonly figure: Figure; readonly value: number | null }) {
  const format = useFormat();
  return <Value>{value === null ? null : exactFigure(figure, value, format)}</Value>;
}
