import { lazy, memo, Suspense } from "react";
import { useTranslations } from "use-intl";
import { subagentOf } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { itemWord } from "@/lib/core/columns/item-filter";
import { isMember, type Membership } from "@/lib/core/columns/membership";
import { type ItemLabel, itemLabel } from "../shared/items/item-label";
import { ItemKind, ItemLine } from "../shared/items/item-line";
import type { LineTexts } from "../shared/items/use-item-texts";
import { PlainText } from "../shared/reading/plain-text";
import { useSession, useView } from "../shared/state/stores";
import { useRefetched } from "../shared/state/use-ledger";
import { TurnFacts } from "./turn-facts";
import { ROW_ATTRIBUTE } from "./use-roving-row";

/** Items whose lines are commands, paths or output. */
const MONOSPACED: ReadonlySet<ItemLabel["word"]> = new Set(["call", "result", "failedResult"]);

interface ItemRowProps extends LineTexts {
  readonly item: number;
  /** The result that is shown in the row of its call. */
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
  /** True for a prompt or an answer in the view by turns. */
  readonly isSpoken: boolean;
  /** True once the page is in use: the code for texts loads then. Before, prompts and answers are plain. */
  readonly isUsed: boolean;
  readonly onPress: (item: number) => void;
}

// Loaded with the parsers, on the first sign of use.
const OpenedRow = lazy(async () => ({ default: (await import("./opened-row")).OpenedRow }));
const CallFacts = lazy(async () => ({ default: (await import("../shared/reading/call-facts")).CallFacts }));

export const ROW_CLASSES =
  "grid min-h-7 w-full grid-cols-[auto_1fr_auto] items-center gap-x-2 pr-4 pl-6 text-left hover:bg-sunk md:grid-cols-[2.5rem_8.5rem_1fr_auto_4rem] touch:min-h-10 max-md:border-b max-md:border-line max-md:py-1.5";

/** One item, or a call with its result: two rails (presence in the recorded and in the simulated context), its name, first line, and tokens. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, result, selected, stop, opened, text, call, isSpoken, onPress } = props;
  const { answer, columns } = useSession("answer", "columns");
  const own = result === undefined ? text : call;
  const { isReading } = useView("isReading");
  const plain = isSpoken && text !== undefined && <PlainText text={text.text} />;
  const subagent = own?.kind === "tool_call" ? subagentOf(answer.related, own.callId) : undefined;
  return (
    <div
      className={cn(
        "relative",
        isSpoken && itemWord(columns, item) === "user" && "border-t border-line bg-panel",
        selected && "bg-sunk outline-1 -outline-offset-1 outline-line2",
      )}
    >
      <Rail side="recorded" parts={[props.recorded, props.resultRecorded]} />
      <Rail side="simulated" parts={[props.simulated, props.resultSimulated]} />
      <button
        type="button"
        {...{ [ROW_ATTRIBUTE]: item }}
        tabIndex={stop ? 0 : -1}
        aria-expanded={opened}
        onClick={() => onPress(item)}
        className={ROW_CLASSES}
      >
        <RowHead {...props} isSubagent={subagent !== undefined} />
      </button>
      {opened && (
        <div
          className={cn(
            "flex flex-col gap-2 pr-4 pb-3 pl-6 md:pl-17",
            isSpoken && props.greyBy !== "in" && "text-t3",
            isSpoken && isReading && "pb-6 text-[15px] leading-6 [&_li]:max-w-[72ch] [&_p]:max-w-[72ch]",
          )}
        >
          <Suspense fallback={plain}>
            {isSpoken && !props.isUsed ? (
              plain
            ) : (
              <OpenedRow
                item={item}
                text={own}
                result={result}
                resultText={result === undefined ? undefined : text}
                subagent={subagent}
                isSpoken={isSpoken}
                selected={selected}
              />
            )}
          </Suspense>
        </div>
      )}
    </div>
  );
});

function RowHead({ isSubagent, ...props }: ItemRowProps & { readonly isSubagent: boolean }) {
  const { item, result, tokens, resultTokens, greyBy, opened, text, call, failed, isSpoken, isUsed } = props;
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
        {opened && isSpoken && <TurnFacts item={item} />}
      </span>
      <span className="flex items-center gap-1">
        {isUsed && call !== undefined && text !== undefined && result !== undefined && (
          <Suspense>
            <CallFacts call={call.text} result={text.text} failed={last.word === "failedResult"} />
          </Suspense>
        )}
        {result !== undefined && <Took from={item} to={result} />}
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

/** The time between a call and its result, from a second on. */
function Took({ from, to }: { readonly from: number; readonly to: number }) {
  const format = useFormat();
  const { columns } = useSession("columns");
  const took = (columns.at[to] ?? Number.NaN) - (columns.at[from] ?? Number.NaN);
  return took >= 1000 && <span className="text-sm text-t3">{format.duration(took)}</span>;
}

interface RailProps {
  readonly side: "recorded" | "simulated";
  /** Presence of the row's item, and of the result in the row. */
  readonly parts: readonly (Presence | undefined)[];
}

/** A rail of an item's presence in a context: the upper half for a call, the lower one for its result. */
export function Rail({ side, parts }: RailProps) {
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

/** Marks a row with an item that re-fetched content dropped by a recorded compaction. */
export function RefetchedMark({ items }: { readonly items: readonly number[] }) {
  const t = useTranslations("session.ledger");
  const refetched = useRefetched();
  return items.some((item) => refetched.has(item)) ? <Chip>{t("mark")}</Chip> : null;
}

/** Presence of an item at a request, in one context. */
export type Presence =
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
