import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { lazy, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { sessionHref } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/status";
import { ask } from "@/lib/queries/client/client";
import type { ItemText, RelatedSession } from "@/lib/queries/contract/types";
import { OpenedText } from "../shared/reading/item-text";
import { useSession, useView, useViewActions } from "../shared/state/stores";
import { useRefetched } from "../shared/state/use-ledger";

interface OpenedRowProps {
  readonly item: number;
  /** `undefined` while it is loading. */
  readonly text: ItemText | undefined;
  /** The result in the row of its call. */
  readonly result: number | undefined;
  readonly resultText: ItemText | undefined;
  /** The subagent that the item started. */
  readonly subagent: RelatedSession | undefined;
  /** Prompts and answers are read without a frame; their buttons come when they are selected. */
  readonly isSpoken: boolean;
  readonly selected: boolean;
}

/** The part of an open row below its line: its texts and links. */
export function OpenedRow({ item, text, result, resultText, subagent, isSpoken, selected }: OpenedRowProps) {
  const t = useTranslations("session.transcript");
  const [asWritten, setAsWritten] = useState(false);
  const buttons = (
    <div className="-mb-1 -ml-2 flex flex-wrap items-center">
      <Button variant="ghost" aria-pressed={asWritten} onClick={() => setAsWritten(!asWritten)}>
        {t("asWritten")}
      </Button>
      <PointAt item={item} />
    </div>
  );
  return (
    <>
      {!isSpoken && buttons}
      <RefetchedLinks item={item} />
      {text !== undefined && (
        <OpenedText
          item={item}
          text={text}
          asWritten={asWritten}
          isFramed={!isSpoken}
          hasButtons={!isSpoken || selected}
        />
      )}
      {subagent !== undefined && <SubagentLink subagent={subagent} />}
      {result !== undefined && <RefetchedLinks item={result} />}
      {result !== undefined && resultText !== undefined && (
        <div className="border-l-2 border-line2 pl-3">
          <OpenedText item={result} text={resultText} asWritten={asWritten} />
        </div>
      )}
      {isSpoken && selected && buttons}
    </>
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

/** Links to the dropped items that had held an opened item's text or path. */
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

/** Totals of a subagent: requests, tokens sent, time and cost. */
function SubagentTotals({ id }: { readonly id: string }) {
  const t = useTranslations("session");
  const format = useFormat();
  const { data } = useQuery({ queryKey: ["session", id], queryFn: ({ signal }) => ask("session", { id }, signal) });
  if (data === undefined) return null;
  const { requests, requestsWithoutUsage = 0, tokensSent, startedAt, endedAt, costUsd } = data.summary;
  const took = startedAt === null || endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
  const parts = [
    t("fact.requests", { count: requests + requestsWithoutUsage }),
    tokensSent === undefined ? "" : t("transcript.sent", { tokens: format.sum(tokensSent) }),
    took >= 1000 ? format.duration(took) : "",
    costUsd?.total == null ? "" : format.usd(costUsd.total, costUsd.lowerBound === true),
  ];
  return <span className="self-center px-2 text-sm text-t3">{parts.filter((part) => part !== "").join(" · ")}</span>;
}

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
        <SubagentTotals id={subagent.id} />
      </div>
      {shown && (
        <Suspense fallback={<Skeleton className="h-14" />}>
          <SubagentLane id={subagent.id} nested={(one) => <SubagentLink subagent={one} />} />
        </Suspense>
      )}
    </div>
  );
}
