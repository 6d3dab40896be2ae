import Link from "next/link";
import { useTranslations } from "use-intl";
import { sessionHref } from "@/components/sessions/relation";
import { Button } from "@/components/ui/button";
import type { ItemText, RelatedSession } from "@/lib/api/types";
import { useCursor, useCursorActions } from "../state/cursor";
import { useSession } from "../state/session-data";
import { OpenedText } from "./item-text";
import { NeededLinks } from "./needed-links";

interface OpenedRowProps {
  readonly item: number;
  /** `undefined` while it is loading. */
  readonly text: ItemText | undefined;
  /** The subagent that the item started. */
  readonly subagent: RelatedSession | undefined;
}

/** What stands below the line of an open row: where it leads, and its text. */
export function OpenedRow({ item, text, subagent }: OpenedRowProps) {
  const t = useTranslations("session.transcript");
  const { columns } = useSession();
  return (
    <div className="pb-2">
      <div className="flex flex-wrap items-center gap-x-2 pl-2 md:pl-52">
        <PointAt item={item} />
        {subagent !== undefined && (
          <Button variant="ghost" asChild>
            <Link href={sessionHref(subagent.id)} prefetch={false}>
              {t("openSubagent")}
            </Link>
          </Button>
        )}
      </div>
      <NeededLinks item={item} />
      {text !== undefined && <OpenedText item={item} text={text} bytes={columns.bytes[item] ?? 0} />}
    </div>
  );
}

/** Pins the item's request: opening the row alone leaves the chart as it is. */
function PointAt({ item }: { readonly item: number }) {
  const t = useTranslations("session.transcript");
  const { requestOfItem } = useSession();
  const { pin } = useCursor();
  const { select } = useCursorActions();
  const request = requestOfItem[item] ?? 0;
  if (pin === request) return null;
  return (
    <Button variant="ghost" onClick={() => select(item)}>
      {t("pointAt", { request })}
    </Button>
  );
}
