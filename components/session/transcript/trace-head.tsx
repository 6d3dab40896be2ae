import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { type ItemWord, itemWord } from "@/lib/core/columns/item-filter";
import { ItemIcon } from "../shared/items/item-label";
import { useReplay, useSession, useView, useViewActions } from "../shared/state/stores";
import type { Trace, Turns } from "../shared/state/turns";
import { pointedRequest } from "../shared/state/view";
import { presenceAt, Rail, RefetchedMark, ROW_CLASSES } from "./item-row";
import { rangeFacts } from "./turn-facts";
import { ROW_ATTRIBUTE } from "./use-roving-row";

/** Maximum number of named tools. */
const NAMED = 5;
/** Maximum parts of a folded trace's rails. */
const RAIL_PARTS = 8;

interface TraceHeadProps {
  readonly turns: Turns;
  readonly trace: Trace;
  readonly isFolded: boolean;
  /** True for the Tab stop. */
  readonly stop: boolean;
  readonly selected: boolean;
}

/** The line of a trace: its steps by tool, failures, time and tokens. A folded trace shows only this line. */
export function TraceHead({ turns: { lines }, trace, isFolded, stop, selected }: TraceHeadProps) {
  const t = useTranslations("session.transcript");
  const format = useFormat();
  const { columns, recording } = useSession("columns", "recording");
  const { toggle, fold } = useViewActions();
  const { isReading } = useView("isReading");
  const first = lines.items[trace.from] ?? 0;
  const end = lines.items[trace.to] ?? columns.length;
  const facts = useMemo(
    () => rangeFacts(columns, recording.tokens, first, end),
    [columns, recording.tokens, first, end],
  );
  const items = useMemo(() => Array.from({ length: end - first }, (_, at) => first + at), [first, end]);
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  const row = isFolded ? { [ROW_ATTRIBUTE]: first, tabIndex: stop ? 0 : -1 } : { tabIndex: -1 };
  const isGrey = useIsGrey(items) && isFolded;
  return (
    <div className={cn("relative", selected && isFolded && "bg-sunk outline-1 -outline-offset-1 outline-line2")}>
      {isFolded && <TraceRails items={items} />}
      <button
        type="button"
        {...row}
        data-trace={first}
        aria-expanded={!isFolded}
        onClick={() => (isFolded ? toggle(first) : fold(first))}
        className={ROW_CLASSES}
      >
        <Chevron aria-hidden className="size-3.5 justify-self-end text-t2 max-md:hidden" />
        <span className="truncate text-sm text-t2">{t("steps", { count: trace.to - trace.from })}</span>
        <span
          className={cn(
            "flex min-w-0 gap-x-3 text-sm whitespace-nowrap max-md:order-last max-md:col-span-3",
            // Reading has the height for whole names, and a narrow column.
            isReading ? "flex-wrap" : "overflow-hidden",
            isGrey ? "text-t3" : "text-t2",
          )}
        >
          {facts.tools.slice(0, NAMED).map(([tool, calls]) => (
            <span key={tool} className="flex min-w-0 items-center gap-1">
              <ItemIcon word="call" tool={tool} />
              <span className="truncate">{tool}</span>
              <span className="text-t3">×{format.count(calls)}</span>
            </span>
          ))}
          {facts.tools.length === 0 && <KindCounts items={items} />}
          {facts.tools.length > NAMED && <span className="text-t3">+{facts.tools.length - NAMED}</span>}
        </span>
        <span className="flex items-center gap-1">
          {facts.failed > 0 && <Chip className="text-danger">{t("failedCount", { count: facts.failed })}</Chip>}
          {isFolded && <RefetchedMark items={items} />}
          {facts.took >= 1000 && <span className="text-sm text-t3">{format.duration(facts.took)}</span>}
        </span>
        <span className="text-right text-sm text-t2">{format.count(facts.tokens)}</span>
      </button>
    </div>
  );
}

/** Kinds of the items of a trace without calls, such as context that the agent added. */
function KindCounts({ items }: { readonly items: readonly number[] }) {
  const t = useTranslations("session.item");
  const format = useFormat();
  const { columns } = useSession("columns");
  const counts = useMemo(() => {
    const found = new Map<ItemWord, number>();
    for (const item of items) found.set(itemWord(columns, item), (found.get(itemWord(columns, item)) ?? 0) + 1);
    return [...found];
  }, [columns, items]);
  return counts.map(([word, count]) => (
    <span key={word} className="flex min-w-0 items-center gap-1">
      <ItemIcon word={word} />
      <span className="truncate">{t(word)}</span>
      <span className="text-t3">×{format.count(count)}</span>
    </span>
  ));
}

/** True if none of the items is in the context that greys the transcript. */
function useIsGrey(items: readonly number[]): boolean {
  const { recorded } = useSession("recorded");
  const { simulated } = useReplay("simulated");
  const { greyBy, hover, pin, isReading } = useView("greyBy", "hover", "pin", "isReading");
  const at = useView(pointedRequest);
  if (isReading || (hover === null && pin === null)) return false;
  const context = greyBy === "recorded" ? recorded : simulated;
  return !items.some((item) => presenceAt(context, item, at) === "in");
}

function TraceRails({ items }: { readonly items: readonly number[] }) {
  const { recorded } = useSession("recorded");
  const { simulated } = useReplay("simulated");
  const at = useView(pointedRequest);
  const count = Math.min(RAIL_PARTS, items.length);
  const shown = Array.from({ length: count }, (_, part) => items[Math.floor((part * items.length) / count)] ?? 0);
  return (
    <>
      <Rail side="recorded" parts={shown.map((item) => presenceAt(recorded, item, at))} />
      <Rail side="simulated" parts={shown.map((item) => presenceAt(simulated, item, at))} />
    </>
  );
}
