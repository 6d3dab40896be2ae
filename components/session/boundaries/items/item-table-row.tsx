import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";
import { fileLabel } from "@/lib/core/compaction/policy";
import { useSession } from "../../state/session-data";
import { itemLabel } from "../../transcript/item-label";
import { ItemKind, ItemLine } from "../../transcript/item-line";
import { OpenedText } from "../../transcript/item-text";
import type { LineTexts } from "../../transcript/use-item-texts";
import { useAddedLabel } from "./added-label";

interface BoundaryItemRowProps extends LineTexts {
  readonly boundaryItem: BoundaryItem;
  readonly opened: boolean;
  readonly onPress: () => void;
}

const GRID =
  "grid min-h-7 w-full grid-cols-[auto_1fr_auto] max-md:py-1 items-center gap-x-2 text-left text-sm touch:min-h-10 md:grid-cols-[6.5rem_8.5rem_1fr_auto] lg:grid-cols-[6.5rem_11rem_1fr_auto]";

/** One item: its state, what it is, its first line, its tokens. */
export function BoundaryItemRow({ boundaryItem, opened, text, call, failed, onPress }: BoundaryItemRowProps) {
  const { columns } = useSession();
  const labelOf = useAddedLabel();
  const { item, synthetic } = boundaryItem;
  if (synthetic !== undefined) {
    const said = [labelOf(synthetic), ...(synthetic.files ?? []).map(fileLabel)].join(" · ");
    return (
      <div className={GRID}>
        <StateChip state={boundaryItem.state} />
        <span className="col-span-1 truncate text-t2 md:col-span-2">{said}</span>
        <Tokens boundaryItem={boundaryItem} />
      </div>
    );
  }
  const label = itemLabel(columns, item);
  return (
    <>
      <button type="button" aria-expanded={opened} onClick={onPress} className={cn(GRID, "hover:bg-sunk")}>
        <StateChip state={boundaryItem.state} />
        <ItemKind label={label} />
        <span
          className={cn(
            "truncate normal-nums max-md:order-last max-md:col-span-3 max-md:pb-1",
            boundaryItem.state === "dropped" ? "text-t3" : "text-t1",
            (label.word === "call" || label.word === "result") && "font-mono",
          )}
        >
          {!opened && <ItemLine label={label} text={text} call={call} failed={failed} />}
        </span>
        <Tokens boundaryItem={boundaryItem} />
      </button>
      {opened && text !== undefined && (
        <div className="px-4 pb-2 md:pl-15">
          <OpenedText item={item} text={text} asWritten={false} />
        </div>
      )}
    </>
  );
}

function StateChip({ state }: Pick<BoundaryItem, "state">) {
  const t = useTranslations("session.boundary.state");
  return (
    <span>
      <Chip className={state === "kept" || state === "added" ? "" : "border-dashed"}>{t(state)}</Chip>
    </span>
  );
}

function Tokens({ boundaryItem: { state, before, after } }: Pick<BoundaryItemRowProps, "boundaryItem">) {
  const format = useFormat();
  const changed = state === "truncated" || state === "cleared";
  return (
    <span className="text-right whitespace-nowrap text-t2">
      {changed && `${format.count(before)} → `}
      {format.count(state === "dropped" ? before : after)}
    </span>
  );
}
