import { useTranslations } from "use-intl";
import { Chip } from "@/components/ui/chip";
import { useNeededAgain } from "../state/use-ledger";
import { usePlaces } from "../state/use-places";

/** Marks a row of which an item needed again what a recorded compaction had dropped. */
export function NeededMark({ items }: { readonly items: readonly number[] }) {
  const t = useTranslations("session.ledger");
  const needed = useNeededAgain();
  return items.some((item) => needed.has(item)) ? <Chip>{t("mark")}</Chip> : null;
}

/** Links to where an opened item's text or path had been seen before it was dropped. */
export function NeededLinks({ item }: { readonly item: number }) {
  const t = useTranslations("session.ledger");
  const { openItem } = usePlaces();
  const sources = useNeededAgain().get(item) ?? [];
  if (sources.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 py-1 text-sm text-t2">
      {sources.map((source) => (
        <button
          key={source}
          type="button"
          className="underline hover:text-t1 touch:min-h-10"
          onClick={() => openItem(source)}
        >
          {t("firstSeen", { item: source })}
        </button>
      ))}
    </p>
  );
}
