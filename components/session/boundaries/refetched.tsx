import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { isChanceMatch, listedRefetches } from "@/lib/core/refetch/listed";
import { predictorVerdict } from "@/lib/core/refetch/verdict";
import type { LedgerAnswer, LedgerBoundaryWire, LedgerRefetchWire } from "@/lib/queries/contract/types";
import type { BoundaryEntry } from "../shared/boundaries/entries";
import { type ItemLabel, itemLabel } from "../shared/items/item-label";
import { ItemNameAndLine } from "../shared/items/item-line";
import { pathParts } from "../shared/items/preview";
import { type ItemTexts, type LineTexts, useItemTexts } from "../shared/items/use-item-texts";
import { useSession, useViewActions } from "../shared/state/stores";
import { useRecordedLedger, useSimulatedLedger } from "../shared/state/use-ledger";

/** Maximum number of listed re-fetches. */
const SHOWN = 40;

/** Re-fetched content after a boundary. For a simulated boundary it is computed on request. */
export function Refetched({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.ledger");
  return (
    <section className="@container mt-6" aria-labelledby="needed-again" data-testid="needed-again">
      <h3 id="needed-again" className="font-semibold">
        {t("title")}
      </h3>
      {entry.kind === "recorded" ? <OfRecording entry={entry} /> : <OfSimulation entry={entry} />}
      <p className="mt-1 max-w-180 text-sm text-t3">{t("note")}</p>
    </section>
  );
}

function OfRecording({ entry }: { readonly entry: BoundaryEntry }) {
  return <Answered entry={entry} query={useRecordedLedger()} />;
}

function OfSimulation({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.ledger");
  const [isAsked, ask] = useState(false);
  const query = useSimulatedLedger(isAsked);
  // The recorded compactions show how reliable the rule is.
  const recorded = useRecordedLedger();
  if (isAsked) return <Answered entry={entry} query={query} predictor={recorded.data?.predictor} />;
  return (
    <div className="mt-2">
      <Button onClick={() => ask(true)}>{t("show")}</Button>
    </div>
  );
}

interface AnsweredProps {
  readonly entry: BoundaryEntry;
  readonly query: UseQueryResult<LedgerAnswer>;
  /** Score of the re-fetch rule; by default the one in the query's answer. */
  readonly predictor?: LedgerAnswer["predictor"] | undefined;
}

function Answered({ entry, query: { data, isError, refetch }, predictor = data?.predictor ?? null }: AnsweredProps) {
  const t = useTranslations("session.ledger");
  const action = useTranslations("common.action");
  if (isError) {
    return (
      <p role="alert" className="mt-2 flex items-center gap-3 text-sm text-t2">
        {t("failed")}
        <Button onClick={() => void refetch()}>{action("retry")}</Button>
      </p>
    );
  }
  if (data === undefined) {
    return (
      <p role="status" className="mt-2 text-sm text-t3">
        {t("loading")}
      </p>
    );
  }
  if (data.needs === null) return <p className="mt-2 text-sm text-t2">{t(data.unknown ?? "masked")}</p>;
  const boundary = data.needs.find(({ request }) => request === entry.compaction.request);
  if (boundary === undefined) return <p className="mt-2 text-sm text-t2">{t("none")}</p>;
  return (
    <>
      <Sum boundary={boundary} />
      <Refetches needs={listedRefetches(boundary.needs)} />
      <Sentences boundary={boundary} predictor={predictor} />
    </>
  );
}

interface SentencesProps {
  readonly boundary: LedgerBoundaryWire;
  readonly predictor: LedgerAnswer["predictor"];
}

/** The metrics of re-fetched content. */
function Sum({ boundary }: Pick<SentencesProps, "boundary">) {
  const t = useTranslations("session.ledger");
  const format = useFormat();
  const { N3, N4, neededAgain, neededAgainTokens, usd } = boundary;
  const origins = { carried: N3.carried, foundAgain: N3.foundAgain, unexplained: N3.unexplained };
  const sizes = { tokens: format.count(neededAgainTokens), usd: usd === null ? "n/a" : format.usd(usd) };
  return (
    <p className="mt-2 max-w-180 text-sm text-t2">
      {t("used", { count: neededAgain, paths: N3.count, edits: N4.count, ...origins, ...sizes })}
    </p>
  );
}

/** The re-fetched items, which of them the summary names, and the reliability of the rule for simulated boundaries. */
function Sentences({ boundary, predictor }: SentencesProps) {
  const t = useTranslations("session.ledger");
  const format = useFormat();
  const { N1, N2, runAgain, boughtAgainTokens, sameFile, summary } = boundary;
  return (
    <div className="mt-2 flex max-w-180 flex-col gap-1 text-sm text-t2">
      {N1 !== null && N2 !== null && (
        <p>
          {t("refetched", {
            results: N1.count,
            lines: N2.count,
            tokens: format.count(boughtAgainTokens ?? 0),
            same: sameFile?.lines ?? 0,
            sameTokens: format.count(sameFile?.tokens ?? 0),
            checked: runAgain?.N2.count ?? 0,
          })}
        </p>
      )}
      {boundary.kind === "recorded" && summary === null && <p>{t("summaryUnread")}</p>}
      {summary !== null && <p>{t("summaryPaths", { ...summary.paths })}</p>}
      {summary !== null && <p>{t("summaryNames", { ...summary.names })}</p>}
      {predictor !== null && (
        <p>
          {t("predictor", {
            confirmed: predictor.right,
            predicted: predictor.foreseen,
            refetchedPredicted: predictor.foreseenBought,
            refetched: predictor.bought,
          })}{" "}
          {predictorVerdict(predictor) === "badly" && <strong className="text-t1">{t("score.badlyHere")}</strong>}
        </p>
      )}
    </div>
  );
}

function Refetches({ needs: refetches }: { readonly needs: readonly LedgerRefetchWire[] }) {
  const t = useTranslations("session.ledger");
  const format = useFormat();
  const wordsOf = (refetch: LedgerRefetchWire): string =>
    refetch.path ?? t(`kind.${kindOf(refetch)}`, { lines: refetch.lines ?? 0 });
  const shown = refetches.slice(0, SHOWN);
  const texts = useItemTexts(shown.flatMap((refetch) => (refetch.path === null ? itemOf(refetch) : [])));
  if (refetches.length === 0) return null;
  return (
    <div className="mt-3 overflow-x-auto">
      <ExportedTable
        caption={t("title")}
        rows={shown}
        allRows={refetches}
        rowKey={({ kind, dropped, needed, path }) => [kind, dropped, needed, path].join()}
        columns={[
          {
            head: t("what"),
            namesRow: true,
            className: "pl-0",
            cell: (refetch) => <What refetch={refetch} texts={texts} />,
            value: wordsOf,
          },
          {
            head: t("dropped"),
            numeric: true,
            cell: ({ dropped }) => <Place item={dropped} word="openDropped" />,
            value: ({ dropped }) => (dropped < 0 ? null : dropped),
          },
          {
            head: t("needed"),
            numeric: true,
            cell: ({ needed }) => <Place item={needed} word="openNeeded" />,
            value: ({ needed }) => (needed < 0 ? null : needed),
          },
          {
            head: t("later"),
            numeric: true,
            cell: ({ requestsLater }) => format.count(requestsLater),
            value: (refetch) => refetch.requestsLater,
          },
          {
            head: t("tokens"),
            numeric: true,
            cell: ({ tokens }) => format.count(tokens),
            value: (refetch) => refetch.tokens,
          },
          {
            head: t("cost"),
            numeric: true,
            className: "pr-0",
            cell: ({ usd }) => <Value>{usd === null ? null : format.usd(usd)}</Value>,
            value: ({ usd }) => usd,
          },
        ]}
      />
      {refetches.length > SHOWN && (
        <p className="mt-1 text-sm text-t3">{t("more", { count: refetches.length - SHOWN })}</p>
      )}
    </div>
  );
}

/** The message that names a re-fetch. */
function kindOf(refetch: LedgerRefetchWire): LedgerRefetchWire["kind"] | "alike" {
  return isChanceMatch(refetch) ? "alike" : refetch.kind;
}

/** The item that shows the re-fetched content: the dropped one, else the one that fetched it; none if both are unknown. */
function itemOf({ dropped, needed }: LedgerRefetchWire): readonly number[] {
  return [dropped, needed].filter((item) => item >= 0).slice(0, 1);
}

interface WhatProps {
  readonly refetch: LedgerRefetchWire;
  readonly texts: ItemTexts;
}

function What({ refetch, texts }: WhatProps) {
  const t = useTranslations("session.ledger");
  const { columns } = useSession("columns");
  const { lines, path, origin } = refetch;
  if (path === null) {
    const [item] = itemOf(refetch);
    return (
      <span className="flex max-w-36 flex-col @2xl:max-w-120">
        <span className="whitespace-normal">{t(`kind.${kindOf(refetch)}`, { lines: lines ?? 0 })}</span>
        {item !== undefined && (
          <span className="truncate text-t3">
            <FileOrLine label={itemLabel(columns, item)} texts={texts.lineOf(item)} />
          </span>
        )}
      </span>
    );
  }
  return (
    <span className="inline-flex max-w-36 items-baseline gap-2 @2xl:max-w-120">
      <FilePath path={path} />
      {origin !== null && <span className="shrink-0 text-t3">{t(`origin.${origin}`)}</span>}
    </span>
  );
}

/** The file of an item, else its first line. */
function FileOrLine({ label, texts }: { readonly label: ItemLabel; readonly texts: LineTexts }) {
  return label.file === undefined ? <ItemNameAndLine label={label} {...texts} /> : <FilePath path={label.file} />;
}

/** A file by its name, then its folder, which is truncated first. */
function FilePath({ path }: { readonly path: string }) {
  const { base, folder } = pathParts(path);
  return (
    <span className="truncate font-mono" title={path}>
      {base} <span className="text-t3">{folder}</span>
    </span>
  );
}

interface PlaceProps {
  readonly item: number;
  readonly word: "openDropped" | "openNeeded";
}

/** An item as a link into the transcript. */
function Place({ item, word }: PlaceProps) {
  const t = useTranslations("session.ledger");
  const { openItem } = useViewActions();
  if (item < 0) return <Value>{null}</Value>;
  return (
    <button
      type="button"
      className="underline hover:text-t1 touch:min-h-10"
      aria-label={t(word, { item })}
      onClick={() => openItem(item)}
    >
      {item}
    </button>
  );
}
