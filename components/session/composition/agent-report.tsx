import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { type Column, Table } from "@/components/ui/table";
import { profileOf } from "@/lib/agents/loaded";
import { getBreakdown } from "@/lib/api/client";
import type { AgentReport as Report } from "@/lib/api/types";
import { useCursor } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";

/** The agent's own report of its context: its facts, its tables of sizes, and its texts as it prints them. */
export function AgentReport() {
  const { summary } = useSession();
  const profile = profileOf(summary.agent);
  return profile?.reportsPrompt === true ? <LoadedReport agent={profile} /> : null;
}

interface Agent {
  readonly id: string;
  readonly label: string;
}

function LoadedReport({ agent }: { readonly agent: Agent }) {
  const t = useTranslations("session.report");
  const { id } = useSession();
  const { pin, at } = useCursor();
  const { counted } = useRecorded();
  const request = useDeferredValue(pin ?? at);
  const { data } = useQuery({
    queryKey: ["session", id, "report", counted.estimator, request],
    queryFn: ({ signal }) => getBreakdown(id, request, counted.estimator, signal),
    placeholderData: keepPreviousData,
  });
  const report = data?.agentReport;
  const words = useReportWords(agent.id);
  if (report === undefined) return null;
  const title = t("title", { agent: agent.label });
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
      {report.texts.length > 0 && <Texts texts={report.texts} words={words} />}
    </section>
  );
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

/** Replaces names with words in the reader's language; leaves counts and texts as they are. */
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
      captionClass="pb-1 text-left text-xs text-t3"
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

function Texts({ texts, words }: { readonly texts: Report["texts"]; readonly words: Words }) {
  return (
    <div className="mt-4 grid gap-2">
      {texts.map(({ id, text }) => (
        <details key={id}>
          <summary className="cursor-pointer text-sm font-medium text-t2 hover:text-t1">{words(`texts.${id}`)}</summary>
          <pre className="mt-1 rounded-md border border-line bg-sunk p-3 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {text}
          </pre>
        </details>
      ))}
    </div>
  );
}
