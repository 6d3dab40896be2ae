import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { subagentOf } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/status";
import { ask } from "@/lib/queries/client/client";
import type { RelatedSession } from "@/lib/queries/contract/types";
import { type ItemLabel, itemLabel } from "../shared/items/item-label";
import { ItemKind, ItemLine } from "../shared/items/item-line";
import { type ItemTexts, type LineTexts, useItemTexts } from "../shared/items/use-item-texts";
import { CallFacts } from "../shared/reading/call-facts";
import { OpenedText } from "../shared/reading/item-text";
import { columnsKey, loadColumns } from "../shared/state/held-columns";
import { resultInRow, transcriptRows } from "../shared/state/rows";
import { NestedSession, useSession } from "../shared/state/stores";

/** Number of rows shown at once, and added by each press. */
const STEP = 40;

interface SubagentLaneProps {
  readonly id: string;
  /** The part below a call that started a subagent of this session. */
  readonly nested: (subagent: RelatedSession) => ReactNode;
}

/** The messages of a subagent below its call, loaded on request. */
export function SubagentLane({ id, nested }: SubagentLaneProps) {
  const t = useTranslations("session.transcript");
  const errorText = useErrorText();
  const facts = useQuery({ queryKey: ["session", id], queryFn: ({ signal }) => ask("session", { id }, signal) });
  const columns = useQuery({ queryKey: columnsKey(id), queryFn: ({ signal }) => loadColumns(id, signal) });
  const error = facts.error ?? columns.error;
  if (error !== null) return <p className="text-sm text-danger">{errorText(error)}</p>;
  if (facts.data === undefined || columns.data === undefined) return <Skeleton className="h-14" />;
  return (
    <NestedSession id={id} answer={facts.data} held={columns.data} live={false}>
      <section
        aria-label={t("subagentMessages")}
        data-testid="subagent-lane"
        className="rounded-r-md border-l-2 border-c-assistant bg-panel py-1 pl-2"
      >
        <Rows nested={nested} />
      </section>
    </NestedSession>
  );
}

function Rows({ nested }: Pick<SubagentLaneProps, "nested">) {
  const t = useTranslations("session.transcript");
  const format = useFormat();
  const { columns, requestOfItem } = useSession("columns", "requestOfItem");
  const [shown, setShown] = useState(STEP);
  const rows = useMemo(() => transcriptRows(columns, { requestOfItem, showEmpty: false }), [columns, requestOfItem]);
  // The overhead is not a message of a subagent.
  const items = Array.from(rows.items).filter((item) => item >= columns.overheadRows);
  const visible = items.slice(0, shown);
  const texts = useItemTexts(visible);
  const left = items.length - visible.length;
  return (
    <>
      <ol>
        {visible.map((item) => (
          <Row key={item} item={item} result={resultInRow(rows, columns, item)} texts={texts} nested={nested} />
        ))}
      </ol>
      {left > 0 && (
        <Button variant="ghost" onClick={() => setShown(shown + STEP)}>
          {t("subagentMore", { count: format.count(left) })}
        </Button>
      )}
    </>
  );
}

/** The outcome of a call in its line. */
function Facts({ texts: { call, text }, label }: { readonly texts: LineTexts; readonly label: ItemLabel }) {
  if (call === undefined || text === undefined) return null;
  return <CallFacts call={call.text} result={text.text} failed={label.word === "failedResult"} />;
}

interface RowProps extends Pick<SubagentLaneProps, "nested"> {
  readonly item: number;
  /** The result that is in the row of its call. */
  readonly result: number | undefined;
  readonly texts: ItemTexts;
}

function Row({ item, result, texts, nested }: RowProps) {
  const format = useFormat();
  const { columns, answer } = useSession("columns", "answer");
  const [opened, setOpened] = useState(false);
  const last = result ?? item;
  const parts = result === undefined ? [item] : [item, result];
  const [tokens] = Object.values(columns.tokens);
  const call = texts.textOf(item);
  const subagent = call?.kind === "tool_call" ? subagentOf(answer.related, call.callId) : undefined;
  return (
    <li>
      <button
        type="button"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
        className="grid min-h-7 w-full grid-cols-[8rem_1fr_auto] items-center gap-x-2 pr-2 text-left text-sm hover:bg-sunk max-md:grid-cols-[1fr_auto] touch:min-h-10"
      >
        <ItemKind label={itemLabel(columns, item)} />
        <span className="truncate max-md:order-last max-md:col-span-2">
          {!opened && <ItemLine label={itemLabel(columns, last)} {...texts.lineOf(last)} />}
        </span>
        <span className="flex items-center justify-end gap-1 text-right text-t2">
          {result !== undefined && <Facts texts={texts.lineOf(result)} label={itemLabel(columns, result)} />}
          {tokens !== undefined && format.count(parts.reduce((sum, part) => sum + (tokens[part] ?? 0), 0))}
        </span>
      </button>
      {opened && (
        <div className="flex flex-col gap-2 py-1 pr-2 pl-6">
          {parts.map((part) => {
            const text = texts.textOf(part);
            return text && <OpenedText key={part} item={part} text={text} asWritten={false} />;
          })}
          {subagent !== undefined && nested(subagent)}
        </div>
      )}
    </li>
  );
}
