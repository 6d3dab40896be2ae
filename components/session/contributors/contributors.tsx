import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { Term } from "@/components/glossary/term";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/status";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
import { contributorsAt } from "@/lib/core/analysis/contributors";
import { fillPoints, growthByTurn } from "@/lib/core/analysis/growth";
import { type InputPrices, inputPrices, recordedInputs, simulatedInputs } from "@/lib/core/analysis/input-prices";
import { type RepeatedContent, repeatedContent } from "@/lib/core/analysis/repeated-content";
import { unusedTools } from "@/lib/core/analysis/unused-tools";
import { CONTENT_MEASURE } from "@/lib/core/columns/content";
import { CompositionStrip } from "../shared/context/composition-strip";
import { type ContextAt, useContextAt } from "../shared/context/use-context-at";
import { usePricedSession, useSimulatedSeries } from "../shared/cost/use-cost";
import { itemLabel } from "../shared/items/item-label";
import { ItemNameAndLine } from "../shared/items/item-line";
import { pathParts } from "../shared/items/preview";
import { type ItemTexts, useItemTexts } from "../shared/items/use-item-texts";
import { useSession, useViewActions } from "../shared/state/stores";
import { CONTRIBUTOR_PARSERS } from "../shared/state/url-state";
import { useAddress } from "../shared/state/use-address";
import { contentsQuery } from "../shared/state/use-measures";
import { PointHead } from "../shared/timeline/point-head";
import { contributorRows, sortedRows } from "./contributor-rows";
import { ContributorsTable } from "./contributors-table";

/** Contributors tab: the parts of the context at the current request, and the tokens × requests up to there. */
export function Contributors() {
  const t = useTranslations("contributors");
  const format = useFormat();
  const { columns } = useSession("columns");
  const [{ by, sort, up }, update] = useAddress(CONTRIBUTOR_PARSERS);
  const at = useContextAt();
  const { context, request, window, simulated } = at;
  const { series } = context;
  const growth = useMemo(
    () => growthByTurn(columns, series.context.subarray(0, request + 1)),
    [columns, series, request],
  );
  const prices = useInputPrices(at);
  const found = useMemo(() => contributorsAt(context, request, by, prices), [context, request, by, prices]);
  const rows = useMemo(
    () =>
      sortedRows(contributorRows(found, columns, growth), by === "turn" || sort !== "growth" ? sort : "residency", up),
    [found, columns, growth, by, sort, up],
  );
  return (
    <div className="px-4 py-4">
      <BandDefs />
      <CompositionStrip />
      <PointHead
        tokens={found.context}
        window={window}
        kind={!simulated && series.estimated[request] === 0 ? "measured" : "estimated"}
      />
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ToggleGroup
          label={t("by.label")}
          value={by}
          options={GROUPINGS.map((one) => [one, t(`by.${one}`)])}
          onChange={(next) => void update({ by: next })}
        />
        <span className="text-sm text-t2" title={t("sentNote", { request })} data-testid="tokens-sent">
          <Term id="sent">{t("sent", { tokens: format.sum(found.sent) })}</Term>
        </span>
        <span className="text-sm text-t2">
          <Term id="residency">{t("column.residency")}</Term>
        </span>
      </div>
      <div className="mt-3 grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <ContributorsTable
          rows={rows}
          totals={found}
          by={by}
          sort={sort}
          up={up}
          simulated={simulated}
          onSort={(key) => void update({ sort: key, up: key === sort && !up })}
        />
        <div className="flex min-w-0 flex-col gap-6">
          <FillPoints at={at} />
          <Repeated at={at} />
          <UnusedTools at={at} />
        </div>
      </div>
      <p className="mt-3 text-sm text-t3">{t("note")}</p>
    </div>
  );
}

/** Turns after which the window was first filled to each share; pressing a line goes there. */
function FillPoints({ at: { context, window } }: { readonly at: ContextAt }) {
  const t = useTranslations("contributors.full");
  const format = useFormat();
  const { pin } = useViewActions();
  return (
    <SideList title={t("title")} column="">
      <ul data-testid="fill-points">
        {fillPoints(context.columns, context.series.context, window).map(({ share, request, turn }) => (
          <li
            key={share}
            className="flex h-7 items-center justify-between gap-4 border-b border-line text-sm touch:h-10"
          >
            <span className="text-t2">{t("share", { share: format.percent(share) })}</span>
            {request === undefined || turn === undefined ? (
              <span className="text-t3">{t("never")}</span>
            ) : (
              <button type="button" onClick={() => pin(request)} className="hover:underline touch:h-10">
                {t(turn < 0 ? "before" : "at", { turn, request })}
              </button>
            )}
          </li>
        ))}
      </ul>
    </SideList>
  );
}

const SHOWN = 12;

/** Files, outputs and pastes that the context held more than once at the same time. */
function Repeated({ at }: { readonly at: ContextAt }) {
  const t = useTranslations("contributors.repeated");
  const action = useTranslations("common.action");
  const column = useTranslations("contributors.column");
  const { content, failed, retry } = useContents();
  if (failed) {
    return (
      <SideList title={t("title")} column="">
        <p role="alert" className="flex items-center gap-3 py-1 text-sm text-t2">
          {t("failed")}
          <Button onClick={retry}>{action("retry")}</Button>
        </p>
      </SideList>
    );
  }
  return (
    <SideList title={t("title")} column={`${t("column")} · ${column("residency")}`}>
      {content === undefined ? (
        <div role="status" aria-label={t("loading")}>
          <Skeleton className="my-2 h-4" />
          <Skeleton className="my-2 h-4" />
        </div>
      ) : (
        <RepeatedList at={at} content={content} />
      )}
    </SideList>
  );
}

function RepeatedList({ at: { context, request }, content }: { readonly at: ContextAt; readonly content: Int32Array }) {
  const t = useTranslations("contributors.repeated");
  const found = useMemo(() => repeatedContent(context, content, request), [context, content, request]);
  const listed = found.slice(0, SHOWN);
  const texts = useItemTexts(listed.flatMap(({ items }) => items.slice(0, 1)));
  if (found.length === 0) return <p className="py-1 text-sm text-t3">{t("none")}</p>;
  return (
    <>
      <ul data-testid="repeated">
        {listed.map((one) => (
          <li key={one.items[0]} className="border-b border-line">
            <Repeat repeat={one} texts={texts} />
          </li>
        ))}
      </ul>
      <SideListRest count={found.length - listed.length} />
    </>
  );
}

function Repeat({ repeat, texts }: { readonly repeat: RepeatedContent; readonly texts: ItemTexts }) {
  const t = useTranslations("contributors.repeated");
  const format = useFormat();
  const { columns } = useSession("columns");
  const { openItem } = useViewActions();
  const { items, tokens, residency } = repeat;
  const first = items[0] ?? 0;
  const label = itemLabel(columns, first);
  return (
    <button
      type="button"
      title={label.file}
      onClick={() => openItem(items.at(-1) ?? first)}
      className="grid h-7 w-full grid-cols-[2.5rem_1fr_auto_5rem] items-center gap-2 text-left text-sm -outline-offset-2 hover:bg-sunk touch:h-10"
    >
      <span className="text-t2">{t("times", { count: items.length })}</span>
      <span className="truncate">
        {label.file === undefined ? (
          <ItemNameAndLine label={label} {...texts.lineOf(first)} />
        ) : (
          <span className="font-mono">{pathParts(label.file).base}</span>
        )}
      </span>
      <span>{format.count(tokens)}</span>
      <span className="text-right text-t2">{format.sum(residency)}</span>
    </button>
  );
}

interface Contents {
  /** Items with equal texts; `undefined` until the server has compared them. */
  readonly content: Int32Array | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Items with equal texts. The server compares them once, on first use. */
function useContents(): Contents {
  const query = useQuery(contentsQuery(useSession((state) => state)));
  return {
    content: query.data?.[CONTENT_MEASURE],
    failed: query.isError || (query.data !== undefined && query.data[CONTENT_MEASURE] === undefined),
    retry: () => void query.refetch(),
  };
}

/** Cost of the context's tokens at every request; `undefined` if unknown. */
function useInputPrices({ context, simulated }: ContextAt): InputPrices | undefined {
  const { requests } = usePricedSession();
  const series = useSimulatedSeries()?.series;
  return useMemo(() => {
    const inputs = simulated ? series && simulatedInputs(series.requests) : recordedInputs(requests);
    return inputs && inputPrices(context, inputs);
  }, [context, simulated, series, requests]);
}

/** Declared tools that are never called, and the cost of their declarations. */
function UnusedTools({ at: { context, request } }: { readonly at: ContextAt }) {
  const t = useTranslations("contributors.unused");
  const column = useTranslations("contributors.column");
  const format = useFormat();
  const { overhead } = useSession("overhead");
  const unused = useMemo(() => unusedTools(context, overhead, { from: 0, to: request }), [context, overhead, request]);
  if (unused === undefined || unused.length === 0) {
    return (
      <SideList title={t("title")} column="">
        <p className="py-1 text-sm text-t3">{unused === undefined ? t("unknown") : t("none")}</p>
      </SideList>
    );
  }
  return (
    <SideList title={t("title")} column={`${t("column")} · ${column("residency")}`}>
      <ul>
        {unused.slice(0, SHOWN).map(({ name, tokens: now, residency }) => (
          <li key={name} className="grid h-7 grid-cols-[1fr_auto_5rem] items-center gap-3 border-b border-line text-sm">
            <span className="truncate font-mono">{name}</span>
            <span>{format.count(now)}</span>
            <span className="text-right text-t2">{format.sum(residency)}</span>
          </li>
        ))}
      </ul>
      <SideListRest count={Math.max(0, unused.length - SHOWN)} />
    </SideList>
  );
}

interface SideListProps {
  readonly title: string;
  /** Heading of the column of numbers. */
  readonly column: string;
  readonly children: ReactNode;
}

/** A short list next to the table. */
function SideList({ title, column, children }: SideListProps) {
  return (
    <section className="min-w-0">
      <h2 className="flex h-6 items-center justify-between gap-4 border-b border-line text-sm font-medium text-t3">
        <span>{title}</span>
        <span>{column}</span>
      </h2>
      {children}
    </section>
  );
}

/** The sentence below a shortened list: the number of entries left out. */
function SideListRest({ count }: { readonly count: number }) {
  const t = useTranslations("contributors");
  return count === 0 ? null : <p className="py-1 text-sm text-t3">{t("rest", { count })}</p>;
}
