import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { priceRow, withUnpriced } from "@/lib/queries/wire/least";

interface UnpricedModelsProps {
  readonly models: Iterable<string>;
  readonly className: string;
}

/** The models without a price, which a total leaves out, and the line that adds a price; nothing without such models. */
export function UnpricedModels({ models, className }: UnpricedModelsProps) {
  const t = useTranslations("common.value");
  const [first, ...others] = withUnpriced(models).unpricedModels ?? [];
  if (first === undefined) return null;
  const code = (chunks: ReactNode) => <code className="text-t1">{chunks}</code>;
  return (
    <p data-testid="unpriced-models" className={cn("[overflow-wrap:anywhere]", className)}>
      {t.rich("unpriced", { model: first, row: priceRow(first), code })}
      {others.length > 0 && <> {t.rich("unpricedMore", { models: others.join(", "), code })}</>}
    </p>
  );
}
