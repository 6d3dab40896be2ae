import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { NumberField } from "@/components/settings/number-field";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import { Skeleton } from "@/components/ui/status";
import { type Column, Table } from "@/components/ui/table";
import { profileOf } from "@/lib/agents/policies";
import { heaviestItems } from "@/lib/core/analysis/items-at";
import { plausibleFactor } from "@/lib/core/context/calibration";
import { ask } from "@/lib/queries/client/client";
import type { AgentReport as Report } from "@/lib/queries/contract/types";
import { compositionRows } from "../shared/context/composition-rows";
import { CompositionStrip } from "../shared/context/composition-strip";
import { useBase } from "../shared/context/difference";
import { PrintedText } from "../shared/context/printed-text";
import { useContextAt } from "../shared/context/use-context-at";
import { ItemList } from "../shared/items/item-list";
import { useReplay, useSession, useView } from "../shared/state/stores";
import { pointedRequest } from "../shared/state/view";
import { PointHead } from "../shared/timeline/point-head";
import { CompositionTable } from "./composition-table";
import { DifferenceView } from "./difference-view";
import { Levels } from "./levels";
import { OverheadDialog } from "./overhead-dialog";
import { useViewedBreakdown } from "./use-viewed-breakdown";
import { ViewChoice } from "./view-choice";
import { WindowBar } from "./window-bar";

const LARGEST = 15;

/** Loaded separately, so that the first chart does not wait for it. */
const WindowTreemap = lazy(() => import("./window-treemap").then((module) => ({ default: module.WindowTreemap })));

/** Composition tab: every category of the window at the current request, free space and buffer. Together they sum to the window. */
export function Composition() {
  const t = useTranslations("session.composition");
  const { given, recorded } = useSession("given", "recorded");
  const { context, request } = useContextAt();
  const { side } = useView("side");
  const report = useAgentReport();
  const { views, view, setView, breakdown, window, trigger, viewed, printed } = useViewedBreakdown();
  const comparison = useBase();
  const chosen = comparison.base;
  const at = useView(pointedRequest);
  // A request has no difference to itself.
  const isSame = chosen?.side === side && chosen.request === at;
  const base = isSame ? undefined : chosen;
  // List and treemap show the same items with the same sizes.
  const items = useMemo(() => heaviestItems(context, request), [context, request]);
  const rows = useMemo(() => compositionRows(breakdown, window), [breakdown, window]);
  const basis = t(
    breakdown.total?.kind !== "recorded" ? "footEstimated" : given.source !== null ? "footGiven" : "footRecorded",
  );
  const factor = side === "recorded" ? plausibleFactor(recorded.calibration) : undefined;
  const foot = factor === undefined ? basis : `${basis} ${t("footFitted", { factor: factor.toFixed(2) })}`;
  const asPrinted = (
    <>
      {printed !== undefined && (
        <PrintedText title={t("asPrinted", { agent: printed.agent })} text={printed.text} testId="own-text" />
      )}
      {report !== undefined && <ReportTexts report={report} />}
    </>
  );
  return (
    <div className="px-4 py-4">
      <BandDefs />
      <CompositionStrip base={comparison} />
      <PointHead
        tokens={breakdown.total?.tokens ?? null}
        window={window}
        kind={breakdown.total?.kind === "recorded" && side === "recorded" ? "measured" : "estimated"}
      />
      <div className="mt-3 mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ViewChoice views={views} view={view} onView={setView} />
        <OverheadDialog />
        <BaseChoice />
      </div>
      {isSame && (
        <p className="mb-2 text-sm text-t2" role="status" data-testid="same-request">
          {t("sameRequest", { request: at })}
        </p>
      )}
      <WindowBar rows={rows} window={window} trigger={trigger} />
      <Levels breakdown={breakdown} />
      {base !== undefined ? (
        <>
          <DifferenceView shown={{ side, request: at }} base={base} rows={rows} viewed={viewed} note={foot} />
          <div className="mt-4 flex flex-col gap-4">{asPrinted}</div>
        </>
      ) : (
        <div className="mt-4 grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,44rem)_1fr]">
          <div className="flex min-w-0 flex-col gap-4">
            <CompositionTable rows={rows} note={foot} />
            {asPrinted}
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <Suspense fallback={<Skeleton className="mt-8 h-90 md:h-110" />}>
              <WindowTreemap rows={rows} items={items} note={foot} />
            </Suspense>
            <div data-testid="largest">
              <ItemList title={t("largest")} items={items.slice(0, LARGEST)} />
            </div>
          </div>
        </div>
      )}
      <p className="mt-3 text-sm text-t3">{foot}</p>
      {report !== undefined && <AgentReport report={report} />}
    </div>
  );
}

interface AgentReported {
  readonly agent: string;
  readonly label: string;
  readonly report: Report;
}

/** The context report of the session's agent; absent for agents without one, and until it arrives. */
function useAgentReport(): AgentReported | undefined {
  const { id, counted, summary } = useSession("id", "counted", "summary");
  const { pin } = useView("pin");
  const at = useView(pointedRequest);
  const request = useDeferredValue(pin ?? at);
  const profile = profileOf(summary.agent);
  const { data } = useQuery({
    queryKey: ["session", id, "report", counted.estimator, request],
    queryFn: ({ signal }) => ask("breakdown", { id, search: { at: request, estimator: counted.estimator } }, signal),
    enabled: profile?.reportsPrompt === true,
    placeholderData: keepPreviousData,
  });
  const report = data?.agentReport;
  return report === undefined || profile === undefined
    ? undefined
    : { agent: profile.id, label: profile.label, report };
}

/** The report's facts and its tables of sizes. */
function AgentReport({ report: { agent, label, report } }: { readonly report: AgentReported }) {
  const t = useTranslations("session.report");
  const words = useReportWords(agent);
  const title = t("title", { agent: label });
  return (
    <section aria-label={title} className="mt-6 border-t border-line pt-4" data-testid="agent-report">
      <h2 className="font-semibold">{title}</h2>
      <Facts facts={report.facts} words={words} />
      {report.tables.length === 0 ? (
        <p className="mt-2 text-sm text-t2">{words("empty")}</p>
      ) : (
        <div className="mt-4 grid gap-x-8 gap-y-4 md:grid-cols-2">
          {report.tables.map((table) => (
            <ReportTable key={table.id} table={table} words={words} />
          ))}
        </div>
      )}
    </section>
  );
}

/** The report's texts, as the agent prints them. */
function ReportTexts({ report: { agent, report } }: { readonly report: AgentReported }) {
  const words = useReportWords(agent);
  return report.texts.map(({ id, text }) => (
    <PrintedText key={id} title={words(`texts.${id}`)} text={text} testId={`printed-${id}`} />
  ));
}

type Words = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The ids of a report, as the agent's messages name them. The server sends the names, so no type can tie them to the messages. */
function useReportWords(agent: string): Words {
  const t = useTranslations("session.report");
  return (key, values) => t(`${agent}.${key}` as "title", values as { agent: string });
}

function Facts({ facts, words }: { readonly facts: Report["facts"]; readonly words: Words }) {
  return (
    <dl className="mt-2 grid max-w-3xl grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 text-sm">
      {facts.map(({ id, values }) => (
        <div key={id} className="contents">
          <dt className="border-b border-line py-1 text-t2">{words(`facts.${id}.label`)}</dt>
          <dd className="border-b border-line py-1 [overflow-wrap:anywhere]">
            {isKnown(values) ? words(`facts.${id}.value`, inWords(values, words)) : "n/a"}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Values = Report["facts"][number]["values"];

function isKnown(values: Values): values is Record<string, Cell> {
  return Object.values(values).every((value) => value !== null);
}

/** Replaces names with words in the user's language; leaves counts and texts unchanged. */
function inWords(values: Readonly<Record<string, Cell>>, words: Words): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, cell]) => [name, typeof cell === "object" ? words(`words.${cell.word}`) : cell]),
  );
}

type TableData = Report["tables"][number];

/** A table of sizes. Its rows never change their order, and a file may hold a name twice. */
function ReportTable({ table, words }: { readonly table: TableData; readonly words: Words }) {
  const { id, columns, rows } = table;
  const format = useFormat();
  const shown = (cell: Cell = "") => {
    if (typeof cell === "number") return format.count(cell);
    return typeof cell === "string" ? cell : words(`words.${cell.word}`);
  };
  return (
    <Table
      className="self-start"
      caption={words(`tables.${id}`)}
      captionClass="pb-1 text-left text-sm text-t3"
      rows={rows}
      rowKey={(_, index) => index}
      columns={columns.map(
        (column, at): Column<readonly Cell[]> => ({
          head: words(`columns.${column}`),
          numeric: typeof rows[0]?.[at] === "number",
          namesRow: at === 0,
          cellProps: (cells) => {
            if (at === 0) return { className: "max-w-40 truncate", title: shown(cells[at]) };
            return { className: typeof cells[at] === "number" ? "text-right" : "text-left text-t2" };
          },
          cell: (cells) => shown(cells[at]),
        }),
      )}
    />
  );
}

type Cell = TableData["rows"][number][number];

/** Selects the context to compare with: at another request, or the other side's context at the same request. */
function BaseChoice() {
  const t = useTranslations("session.composition");
  const words = usePolicyWords();
  const { points } = useSession("points");
  const { side } = useView("side");
  const { policy } = useReplay(({ chosen }) => chosen);
  const { against, setAgainst, choices } = useBase();
  const other = side === "recorded" ? words.policy(policy) : t("recorded");
  const listed = choices.map(({ id, request }) => [String(request), t(`base.${id}`, { request })] as const);
  const isListed = typeof against !== "number" || choices.some(({ request }) => request === against);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {against !== null && (
        <span aria-hidden className="text-sm text-t2">
          {t("difference")}
        </span>
      )}
      <Choice
        label={t("difference")}
        value={against === null ? "none" : String(against)}
        options={[
          ["none", t("base.none")],
          ["other", t("base.other", { other })],
          ...listed,
          ...(isListed ? [] : [[String(against), t("base.request", { request: against })] as const]),
        ]}
        onChange={(value) => setAgainst(value === "none" ? null : value === "other" ? value : Number(value))}
        testId="composition-base"
      />
      {typeof against === "number" && (
        <label htmlFor="composition-base-request" className="flex items-center gap-2 text-sm text-t2">
          {t("baseRequest")}
          <NumberField
            id="composition-base-request"
            value={against}
            changed={false}
            limits={{ min: 0, max: points - 1, whole: true }}
            parse={(text) => (/^\d{1,9}$/.test(text) && Number(text) < points ? Number(text) : undefined)}
            onValue={setAgainst}
          />
        </label>
      )}
    </span>
  );
}
