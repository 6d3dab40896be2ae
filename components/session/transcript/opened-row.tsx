import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { ItemText, RelatedSession } from "@/lib/api/types";
import { useCursor, useCursorActions } from "../state/cursor";
import { useSession } from "../state/session-data";
import { OpenedText } from "./item-text";
import { NeededLinks } from "./needed-links";
import { SubagentLink } from "./subagent-link";

interface OpenedRowProps {
  readonly item: number;
  /** `undefined` while it is loading. */
  readonly text: ItemText | undefined;
  /** The result in the row of its call. */
  readonly result: number | undefined;
  readonly resultText: ItemText | undefined;
  /** The subagent that the item started. */
  readonly subagent: RelatedSession | undefined;
}

/** What stands below the line of an open row: its texts, and where it leads. */
export function OpenedRow({ item, text, result, resultText, subagent }: OpenedRowProps) {
  const t = useTranslations("session.transcript");
  const [asWritten, setAsWritten] = useState(false);
  return (
    <div className="flex flex-col gap-2 pr-4 pb-3 pl-6 md:pl-17">
      <div className="-mb-1 -ml-2 flex flex-wrap items-center">
        <Button variant="ghost" aria-pressed={asWritten} onClick={() => setAsWritten(!asWritten)}>
          {t("asWritten")}
        </Button>
        <PointAt item={item} />
      </div>
      <NeededLinks item={item} />
      {text !== undefined && <OpenedText item={item} text={text} asWritten={asWritten} />}
      {subagent !== undefined && <SubagentLink subagent={subagent} />}
      {result !== undefined && <NeededLinks item={result} />}
      {result !== undefined && resultText !== undefined && (
        <div className="border-l-2 border-line2 pl-3">
          <OpenedText item={result} text={resultText} asWritten={asWritten} />
        </div>
      )}
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
