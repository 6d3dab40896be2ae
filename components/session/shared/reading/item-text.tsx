import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { getWholeItem, isServed, pathOf } from "@/lib/queries/client/client";
import type { ItemText } from "@/lib/queries/contract/types";
import { itemLabel } from "../items/item-label";
import { useSession } from "../state/stores";
import { MAX_READ_CHARS } from "./limits";
import { PlainText } from "./plain-text";
import { Output } from "./terminal";

// Most of a session is never opened: the parsers load with the first text that is.
const ReadText = lazy(async () => ({ default: (await import("./read-text")).ReadText }));
const CopyText = lazy(async () => ({ default: (await import("./read-text")).CopyText }));

/** Longer texts are shown in a scrolling box until the full text is requested. */
const CLIP = { chars: 4000, lines: 30 };

interface OpenedTextProps {
  readonly item: number;
  readonly text: ItemText;
  /** True if it is shown exactly as in the file. */
  readonly asWritten: boolean;
  /** True if a long text scrolls in its own box; otherwise all of its loaded part is visible. */
  readonly isFramed?: boolean;
  readonly hasButtons?: boolean;
}

/** The text of an item in its most readable form: as text, never as markup. Long ones are clipped. */
export function OpenedText({ item, text, asWritten, isFramed = true, hasButtons = true }: OpenedTextProps) {
  const t = useTranslations("session.transcript");
  const format = useFormat();
  const { columns } = useSession("columns");
  const bytes = columns.bytes[item] ?? 0;
  const [whole, setWhole] = useState(false);
  const { word, file, tool } = itemLabel(columns, item);
  // A call is taken apart as a whole or not at all.
  const isNeeded = text.truncated > 0 && (whole || (word === "call" && bytes <= MAX_READ_CHARS));
  const rest = useWholeText(item, isNeeded);
  const known = rest.data?.text ?? text.text;
  const clipped = !whole && (text.truncated > 0 || (isFramed && isLong(known)));

  if (word === "image") return <RecordedImage item={item} />;
  const written = <Output head="" text={known} />;
  const scrolls = (isFramed && clipped) || known.length > MAX_READ_CHARS;
  return (
    <div>
      <div
        tabIndex={scrolls ? 0 : undefined}
        className={cn("overflow-x-auto", scrolls && "max-h-120 overflow-y-auto")}
        data-testid="item-text"
      >
        {asWritten ? (
          written
        ) : (
          <Suspense fallback={isFramed ? written : <PlainText text={known} />}>
            <ReadText word={word} text={known} file={file} tool={tool} />
          </Suspense>
        )}
      </div>
      {(clipped || hasButtons) && (
        <div className="mt-1 -ml-2 flex min-h-7 flex-wrap touch:min-h-10">
          {clipped && (
            <Button variant="ghost" onClick={() => setWhole(true)}>
              {t("showAll", { size: format.bytes(bytes) })}
            </Button>
          )}
          {hasButtons && (
            <Suspense fallback={null}>
              <CopyText item={item} text={text.truncated > 0 ? rest.data?.text : text.text} />
            </Suspense>
          )}
        </div>
      )}
      {rest.isFetching && <p className="mt-1 text-sm text-t3">{t("loadingRest")}</p>}
      {rest.isError && <p className="mt-1 text-sm text-danger">{t("textFailed")}</p>}
    </div>
  );
}

function isLong(text: string): boolean {
  if (text.length > CLIP.chars) return true;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && lines <= CLIP.lines; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines > CLIP.lines;
}

/** A recorded image, loaded when it scrolls into view. */
function RecordedImage({ item }: { readonly item: number }) {
  const t = useTranslations("session.reading");
  const format = useFormat();
  const { id, version, columns } = useSession("id", "version", "columns");
  const [hasFailed, setFailed] = useState(false);
  const size = format.bytes(columns.bytes[item] ?? 0);
  // Without a server there is no address for the image.
  if (!isServed()) return <p className="text-sm text-t3">{t("imageNotHere", { size })}</p>;
  if (hasFailed) return <p className="text-sm text-t3">{t("noImage", { size })}</p>;
  return (
    // biome-ignore lint/performance/noImgElement: the image comes from the recording unchanged
    <img
      src={pathOf("picture", { id, search: { item, at: version } })}
      alt={t("imageOf", { size })}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
      className="max-h-120 min-h-10 max-w-full rounded-md border border-line bg-sunk object-contain"
    />
  );
}

/** The whole text of one item, fetched on request. */
export function useWholeText(item: number, wanted: boolean) {
  const { id, version, texts } = useSession("id", "version", "texts");
  return useQuery({
    queryKey: ["session", id, "whole", texts, item],
    queryFn: ({ signal }) => getWholeItem(id, { item, at: version }, signal),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
