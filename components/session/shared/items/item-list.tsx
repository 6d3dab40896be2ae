import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useSession, useViewActions } from "../state/stores";
import { itemLabel } from "./item-label";
import { ItemKind, ItemLine } from "./item-line";
import { useItemTexts } from "./use-item-texts";

interface ListedItem {
  readonly item: number;
  /** Tokens, by the count of the context that the list describes. */
  readonly tokens: number;
}

interface ItemListProps {
  readonly title: string;
  readonly items: readonly ListedItem[];
}

/** A short list of items by size. Pressing an item opens it in the transcript. */
export function ItemList({ title, items }: ItemListProps) {
  const t = useTranslations("session.itemList");
  const format = useFormat();
  const { columns } = useSession("columns");
  const { openItem } = useViewActions();
  const texts = useItemTexts(items.map(({ item }) => item));
  if (items.length === 0) return null;
  return (
    <section className="min-w-0">
      <h2 className="flex h-6 items-center justify-between gap-4 border-b border-line text-sm font-medium text-t3">
        <span>{title}</span>
        <span>{t("tokens")}</span>
      </h2>
      <ol>
        {items.map(({ item, tokens }) => {
          const label = itemLabel(columns, item);
          return (
            <li key={item} className="border-b border-line">
              <button
                type="button"
                onClick={() => openItem(item)}
                className="grid w-full grid-cols-[1fr_4rem] items-center gap-x-2 text-left text-sm hover:bg-sunk max-md:py-1.5 md:h-7 md:grid-cols-[8.5rem_1fr_4rem] lg:grid-cols-[11rem_1fr_4rem] md:touch:h-10"
              >
                <ItemKind label={label} />
                <span className="truncate font-mono max-md:order-last max-md:col-span-2" data-item-line>
                  <ItemLine label={label} {...texts.lineOf(item)} />
                </span>
                <span className="text-right">{format.count(tokens)}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
