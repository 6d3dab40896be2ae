import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";

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
