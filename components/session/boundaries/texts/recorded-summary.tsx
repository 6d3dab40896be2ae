import { lazy, type ReactNode, Suspense } from "react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { categoryCode } from "@/lib/core/base/categories";
import type { ItemIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";
import { summarySections } from "@/lib/core/transcript/summary-sections";
import { Clipped } from "../../shared/reading/clipped";
import { useWholeText } from "../../shared/reading/item-text";
import { MAX_MARKDOWN_CHARS } from "../../shared/reading/limits";
import { useSession } from "../../shared/state/stores";

// Loaded with the first summary.
const Markdown = lazy(async () => ({ default: (await import("../../shared/reading/markdown")).Markdown }));

const SUMMARY = categoryCode("summaries");

/** The summary of a recorded compaction, split into its sections if it has any. Its Markdown is rendered, its HTML stays text. */
export function RecordedSummary({ items }: { readonly items: readonly BoundaryItem[] }) {
  const { columns } = useSession("columns");
  const item = summaryOf(items, columns);
  return item === undefined ? null : <Sections item={item} isLong={isLongSummary(items, columns)} />;
}

function summaryOf(items: readonly BoundaryItem[], { category }: SessionColumns): ItemIndex | undefined {
  return items.find(({ item, state }) => state === "added" && category[item] === SUMMARY)?.item;
}

/** A summary larger than this fills the available height. */
const LONG_BYTES = 1500;

/** True if a summary is long enough to be clipped. */
export function isLongSummary(items: readonly BoundaryItem[], columns: SessionColumns): boolean {
  const item = summaryOf(items, columns);
  return item !== undefined && (columns.bytes[item] ?? 0) > LONG_BYTES;
}

interface SectionsProps {
  readonly item: ItemIndex;
  /** True to reserve the height of a long text, so that nothing below moves when it arrives. */
  readonly isLong: boolean;
}

function Sections({ item, isLong }: SectionsProps) {
  const t = useTranslations("session");
  const { data, isPending, isError } = useWholeText(item, true);
  const text = data?.text ?? "";
  const sections = summarySections(text);
  const isRead = text.length <= MAX_MARKDOWN_CHARS;
  return (
    <div className="mt-6 min-w-0">
      <h3 className="font-semibold">{t("boundary.summaryTitle")}</h3>
      {isPending && <div aria-hidden className={cn("mt-2 rounded-sm bg-sunk", isLong ? "h-80 xl:h-128" : "h-9")} />}
      {isError && <p className="mt-1 text-sm text-danger">{t("transcript.textFailed")}</p>}
      {data !== undefined && sections.length === 0 && (
        <p className="mt-1 text-sm text-t2">{t("boundary.summarySealed")}</p>
      )}
      {sections.length > 0 && (
        <Clipped height="max-h-80 xl:max-h-128" className="mt-2 max-w-180 border-y border-line">
          <dl data-testid="summary-sections">
            {sections.map(({ title, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sections have no identity beyond their place
              <div key={index} className="border-b border-line py-2 last:border-b-0">
                <dt className="text-sm font-semibold">{title ?? t("boundary.summaryPlain")}</dt>
                <dd className="mt-1 text-sm text-t2">
                  <Read text={text} isMarkdown={isRead} />
                </dd>
              </div>
            ))}
          </dl>
        </Clipped>
      )}
    </div>
  );
}

function Read({ text, isMarkdown }: { readonly text: string; readonly isMarkdown: boolean }): ReactNode {
  const plain = <p className="break-words whitespace-pre-wrap">{text}</p>;
  return isMarkdown ? (
    <Suspense fallback={plain}>
      <Markdown text={text} />
    </Suspense>
  ) : (
    plain
  );
}
