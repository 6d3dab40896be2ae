import Link from "next/link";
import { lazy, memo, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { sessionHref, subagentOf } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/status";
import { isMember, type Membership } from "@/lib/core/columns/membership";
import type { ItemText, RelatedSession } from "@/lib/queries/contract/types";
import { type ItemLabel, itemLabel } from "../shared/items/item-label";
import { ItemKind, ItemLine } from "../shared/items/item-line";
import type { LineTexts } from "../shared/items/use-item-texts";
import { OpenedText } from "../shared/reading/item-text";
import { useSession, useView, useViewActions } from "../shared/state/stores";
import { useRefetched } from "../shared/state/use-ledger";
import { ROW_ATTRIBUTE } from "./use-roving-row";

/** Items whose lines are commands, paths or output. */
const MONOSPACED: ReadonlySet<ItemLabel["word"]> = new Set(["call", "result", "failedResult"]);

interface ItemRowProps extends LineTexts {
  readonly item: number;
  /** The result that stands in the row with its call. */
  readonly result: number | undefined;
  /** Tokens of the item, and of the result. */
  readonly tokens: number;
  readonly resultTokens: number;
  readonly recorded: Presence;
  readonly simulated: Presence;
  readonly resultRecorded: Presence | undefined;
  readonly resultSimulated: Presence | undefined;
  /** The context that greys the text. */
  readonly greyBy: Presence;
  readonly selected: boolean;
  /** True if this row is the Tab stop. */
  readonly stop: boolean;
  readonly opened: boolean;
  readonly onPress: (item: number) => void;
}

/** One item, or a call with its result: two rails (presence in the recorded and in the simulated context), its name, first line, and tokens. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, result, selected, stop, opened, text, call, onPress } = props;
  const { answer } = useSession("answer");
  const own = result === undefined ? text : call;
  const subagent = own?.kind === "tool_call" ? subagentOf(answer.related, own.callId) : undefined;
  return (
    <div className={cn("relative", selected && "bg-sunk outline-1 -outline-offset-1 outline-line2")}>
      <Rail side="recorded" parts={[props.recorded, props.resultRecorded]} />
      <Rail side="simulated" parts={[props.simulated, props.resultSimulated]} />
      <button
        type="button"
        {...{ [ROW_ATTRIBUTE]: item }}
        tabIndex={stop ? 0 : -1}
        aria-expanded={opened}
        onClick={() => onPress(item)}
        className="grid min-h-7 w-full grid-cols-[auto_1fr_auto] items-center gap-x-2 pr-4 pl-6 text-left hover:bg-sunk md:grid-cols-[2.5rem_8.5rem_1fr_auto_4rem] touch:min-h-10 max-md:border-b max-md:border-line max-md:py-1.5"
      >
        <RowHead {...props} isSubagent={subagent !== undefined} />
      </button>
      {opened && (
        <OpenedRow
          item={item}
          text={own}
          result={result}
          resultText={result === undefined ? undefined : text}
          subagent={subagent}
        />
      )}
    </div>
  );
});

function RowHead({ isSubagent, ...props }: ItemRowProps & { readonly isSubagent: boolean }) {
  const { item, result, tokens, resultTokens, greyBy, opened, text, call, failed } = props;
  const t = useTranslations("session.transcript");
  const format = useFormat();
  const { columns, requestOfItem } = useSession("columns", "requestOfItem");
  const label = itemLabel(columns, item);
  const last = result === undefined ? label : itemLabel(columns, result);
  // Without recorded usage the overhead cannot be inferred: it is unknown, not 0.
  const unknown = label.category === "overheadInferred" && tokens === 0;
  const parts =
    result !== undefined && t("callAndResult", { call: format.count(tokens), result: format.count(resultTokens) });
  return (
    <>
      <span className="text-right text-sm text-t3 max-md:hidden">
        {label.word === "overhead" ? "" : requestOfItem[item]}
      </span>
      <ItemKind label={label} className="text-sm" />
      <span
        className={cn(
          "truncate normal-nums max-md:order-last max-md:col-span-3",
          greyBy === "in" ? "text-t1" : "text-t3",
          MONOSPACED.has(label.word) && "font-mono text-sm",
        )}
      >
        {!opened && <ItemLine label={last} text={text} call={call} failed={failed} />}
      </span>
      <span className="flex gap-1">
        {isSubagent && <Chip>{t("subagent")}</Chip>}
        {result !== undefined && last.word === "failedResult" && <Chip className="text-danger">{t("failed")}</Chip>}
        <RefetchedMark items={result === undefined ? [item] : [item, result]} />
        {(label.masked || last.masked) && <Chip>{t("masked")}</Chip>}
        {greyBy === "dropped" && <Chip className="border-dashed">{t("notInContext")}</Chip>}
        {greyBy === "cleared" && <Chip className="border-dashed">{t("cleared")}</Chip>}
      </span>
      <Value className="text-right text-sm text-t2" exact={parts === false ? undefined : parts}>
        {unknown ? null : format.count(tokens + resultTokens)}
      </Value>
      <span className="sr-only">
        {presenceWords(props)}
        {parts}
      </span>
    </>
  );

  function presenceWords({ recorded, simulated, resultRecorded, resultSimulated }: ItemRowProps): string {
    const word = (presence: Presence) => (isSent(presence) ? "yes" : "no");
    return t("presence", { recorded: word(resultRecorded ?? recorded), simulated: word(resultSimulated ?? simulated) });
  }
}

interface RailProps {
  readonly side: "recorded" | "simulated";
  /** Presence of the row's item, and of the result in the row. */
  readonly parts: readonly (Presence | undefined)[];
}

/** A rail of an item's presence in a context: the upper half for a call, the lower one for its result. */
function Rail({ side, parts }: RailProps) {
  const shown = parts.filter((part) => part !== undefined);
  if (!shown.some(isSent)) return null;
  const colour = side === "recorded" ? "bg-t1" : "bg-accent";
  return (
    <span
      aria-hidden
      data-rail={side}
      className={cn("absolute inset-y-0 flex w-[3px] flex-col", side === "recorded" ? "left-2" : "left-3.5")}
    >
      {shown.map((part, half) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the halves have no identity beyond their place
        <span key={half} className={cn("grow", isSent(part) && colour)} />
      ))}
    </span>
  );
}

function isSent(presence: Presence): boolean {
  return presence === "in" || presence === "cleared";
}

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

/** The part of an open row below its line: its texts and links. */
function OpenedRow({ item, text, result, resultText, subagent }: OpenedRowProps) {
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
      <RefetchedLinks item={item} />
      {text !== undefined && <OpenedText item={item} text={text} asWritten={asWritten} />}
      {subagent !== undefined && <SubagentLink subagent={subagent} />}
      {result !== undefined && <RefetchedLinks item={result} />}
      {result !== undefined && resultText !== undefined && (
        <div className="border-l-2 border-line2 pl-3">
          <OpenedText item={result} text={resultText} asWritten={asWritten} />
        </div>
      )}
    </div>
  );
}

/** Pins the item's request: opening the row alone does not change the chart. */
function PointAt({ item }: { readonly item: number }) {
  const t = useTranslations("session.transcript");
  const { requestOfItem } = useSession("requestOfItem");
  const { pin } = useView("pin");
  const { select } = useViewActions();
  const request = requestOfItem[item] ?? 0;
  if (pin === request) return null;
  return (
    <Button variant="ghost" onClick={() => select(item)}>
      {t("pointAt", { request })}
    </Button>
  );
}

/** Marks a row with an item that re-fetched content dropped by a recorded compaction. */
function RefetchedMark({ items }: { readonly items: readonly number[] }) {
  const t = useTranslations("session.ledger");
  const needed = useRefetched();
  return items.some((item) => needed.has(item)) ? <Chip>{t("mark")}</Chip> : null;
}

/** Links to the items where an opened item's text or path was seen before it was dropped. */
function RefetchedLinks({ item }: { readonly item: number }) {
  const t = useTranslations("session.ledger");
  const { openItem } = useViewActions();
  const sources = useRefetched().get(item) ?? [];
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

// Most calls start no subagent.
const SubagentLane = lazy(async () => ({ default: (await import("./subagent-lane")).SubagentLane }));

/** Links to a subagent: its messages here, in place, or its session. */
function SubagentLink({ subagent }: { readonly subagent: RelatedSession }) {
  const t = useTranslations("session.transcript");
  const [shown, setShown] = useState(false);
  return (
    <div>
      <div className="-ml-2 flex flex-wrap">
        <Button variant="ghost" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t(shown ? "hideSubagent" : "showSubagent")}
        </Button>
        <Button variant="ghost" asChild>
          <Link href={sessionHref(subagent.id)} prefetch={false}>
            {t("openSubagent")}
          </Link>
        </Button>
      </div>
      {shown && (
        <Suspense fallback={<Skeleton className="h-14" />}>
          <SubagentLane id={subagent.id} nested={(one) => <SubagentLink subagent={one} />} />
        </Suspense>
      )}
    </div>
  );
}

/** Presence of an item at a request, in one context. */
type Presence =
  /** Sent with the request. */
  | "in"
  /** Sent as a placeholder: its content has been cleared. */
  | "cleared"
  /** It was in the context and was dropped. */
  | "dropped"
  /** It comes later, or never enters this context. */
  | "notYet";

export function presenceAt(context: Membership, item: number, request: number): Presence {
  if (isMember(context, item, request)) {
    return (context.cleared[item] ?? Number.POSITIVE_INFINITY) <= request ? "cleared" : "in";
  }
  return (context.entered[item] ?? Number.POSITIVE_INFINITY) <= request ? "dropped" : "notYet";
}
