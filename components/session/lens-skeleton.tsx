import { useTranslations } from "use-intl";
import { Skeleton } from "@/components/ui/skeleton";

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Fills the place of a lens whose code is still loading. */
export function LensSkeleton() {
  const t = useTranslations("session");
  return (
    <div role="status" aria-label={t("loading")}>
      <LensRows />
    </div>
  );
}

/** Rows in place of whatever a lens shows. */
export function LensRows() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-11" />
      <Skeleton className="h-7 w-96 max-w-full" />
      {ROWS.map((row) => (
        <Skeleton key={row} className="h-5" />
      ))}
    </div>
  );
}
