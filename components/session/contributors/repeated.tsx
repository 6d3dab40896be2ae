import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { type RepeatedContent, repeatedContent } from "@/lib/core/metrics/repeated-content";
import { useSession } from "../state/session-data";
import { usePlaces } from "../state/use-places";
import { itemLabel } from "../transcript/item-label";
import { ItemNameAndLine } from "../transcript/item-line";
import { type ItemTexts, useItemTexts } from "../transcript/use-item-texts";
import { pathParts } from "./contributor-rows";
import { SideList, SideListRest } from "./side-list";
import { useContents } from "./use-contents";
import type { ContextAt } from "./use-context-at";

const SHOWN = 12;

/** Files, outputs and pastes that the context held more than once at the same time. */
export function Repeated({ at }: { readonly at: ContextAt }) {
  const t = useTranslations("contributors.repeated");
  const action = useTranslations("common.action");
  const column = useTranslations("contributors.column");
  const { content, failed, retry } = useContents();
  if (failed) {
    return (
      <SideList title={t("title")} column="">
        <p role="alert" className="flex items-center gap-3 py-1 text-sm text-t2">
          {t("failed")}
          <Button onClick={retry}>{action("retry")}</Button>
        </p>
      </SideList>
    );
  }
  return (
    <SideList title={t("title")} column={`${t("column")} · ${column("residency")}`}>
      {content === undefined ? (
        <div role="status" aria-label={t("loading")}>
          <Skeleton className="my-2 h-4" />
          <Skeleton className="my-2 h-4" />
        </div>
      ) : (
        <RepeatedList at={at} content={content} />
      )}
    </SideList>
  );
}

function RepeatedList({ at: { context, request }, content }: { readonly at: ContextAt; readonly content: Int32Array }) {
  const t = useTranslations("contributors.repeated");
  const found = useMemo(() => repeatedContent(context, content, request), [context, content, request]);
  const listed = found.slice(0, SHOWN);
  const texts = useItemTexts(listed.flatMap(({ items }) => items.slice(0, 1)));
  if (found.length === 0) return <p className="py-1 text-sm text-t3">{t("none")}</p>;
  return (
    <>
      <ul data-testid="repeated">
        {listed.map((one) => (
          <li key={one.items[0]} className="border-b border-line">
            <Repeat repeat={one} texts={texts} />
          </li>
        ))}
      </ul>
      <SideListRest count={found.length - listed.length} />
    </>
  );
}

function Repeat({ repeat, texts }: { readonly repeat: RepeatedContent; readonly texts: ItemTexts }) {
  const t = useTranslations("contributors.repeated");
  const format = useFormat();
  const { columns } = useSession();
  const { openItem } = usePlaces();
  const { items, tokens, residency } = repeat;
  const first = items[0] ?? 0;
  const label = itemLabel(columns, first);
  return (
    <button
      type="button"
      title={label.file}
      onClick={() => openItem(items.at(-1) ?? first)}
      className="grid h-7 w-full grid-cols-[2.5rem_1fr_auto_5rem] items-center gap-2 text-left text-sm -outline-offset-2 hover:bg-sunk touch:h-10"
    >
      <span className="text-t2">{t("times", { count: items.length })}</span>
      <span className="truncate">
        {label.file === undefined ? (
          <ItemNameAndLine label={label} {...texts.lineOf(first)} />
        ) : (
          <span className="font-mono">{pathParts(label.file).base}</span>
        )}
      </span>
      <span>{format.count(tokens)}</span>
      <span className="text-right text-t2">{format.sum(residency)}</span>
    </button>
  );
}
