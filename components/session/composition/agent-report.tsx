"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { profileOf } from "@/lib/agents/profiles";
import { getBreakdown } from "@/lib/api/client";
import type { AgentReport as Report } from "@/lib/api/types";
import { useCursor } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";

/** The agent's own report of its context: window and guard, files, tools, session figures, memory index. */
export function AgentReport() {
  const { summary } = useSession();
  const profile = profileOf(summary.agent);
  return profile?.reportsPrompt === true ? <LoadedReport agent={profile.label} /> : null;
}

function LoadedReport({ agent }: { readonly agent: string }) {
  const t = useTranslations("session.report");
  const { id } = useSession();
  const { pin, at } = useCursor();
  const { tokens } = useRecorded();
  const request = useDeferredValue(pin ?? at);
  const { data } = useQuery({
    queryKey: ["session", id, "report", tokens.estimator, request],
    queryFn: ({ signal }) => getBreakdown(id, request, tokens.estimator, signal),
    placeholderData: keepPreviousData,
  });
  const report = data?.agentReport;
  if (report === undefined) return null;
  const title = t("title", { agent });
  return (
    <section aria-label={title} className="mt-6 border-t border-line pt-4" data-testid="agent-report">
      <h2 className="font-semibold">{title}</h2>
      <Figures report={report} />
      {report.report === null ? (
        <p className="mt-2 text-sm text-t2">{t("noPrompt")}</p>
      ) : (
        <Files report={report.report} />
      )}
      {report.views !== null && <Views views={report.views} />}
    </section>
  );
}

function Figures({ report }: { readonly report: Report }) {
  const t = useTranslations("session.report");
  const format = useFormat();
  const { window, guard, session, memorySyncs } = report;
  const count = (value: number | null) => (value === null ? t("cleared") : format.count(value));
  const source = t.has(`windowSource.${window.source}` as never)
    ? t(`windowSource.${window.source}` as "windowSource.model")
    : window.source;
  const rows: readonly (readonly [string, string])[] = [
    [t("window"), `${format.count(window.tokens)} (${source})`],
    [
      t("guard"),
      t("guardState", {
        state: t(`states.${guard.state}`),
        warn: format.count(guard.warnBelow),
        block: format.count(guard.blockBelow),
      }),
    ],
    [t("input"), count(session.inputTokens)],
    [t("output"), count(session.outputTokens)],
    [t("total"), count(session.totalTokens)],
    [t("compactions"), format.count(session.compactionCount)],
    [
      t("memory"),
      memorySyncs.length === 0
        ? t("noSync")
        : t("syncs", { count: memorySyncs.length, lines: format.list(memorySyncs.map(({ line }) => String(line))) }),
    ],
  ];
  return (
    <dl className="mt-2 grid max-w-3xl grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="border-b border-line py-1 text-t2">{name}</dt>
          <dd className="border-b border-line py-1 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Files({ report }: { readonly report: NonNullable<Report["report"]> }) {
  const t = useTranslations("session.report");
  const format = useFormat();
  const { tools, skills, systemPrompt, injectedWorkspaceFiles: files } = report;
  const parts: readonly (readonly [string, number])[] = [
    [t("prompt"), systemPrompt.chars],
    [t("projectContext"), systemPrompt.projectContextChars],
    [t("skills"), skills.promptChars],
    [t("toolList"), tools.listChars],
    [t("toolSchemas"), tools.schemaChars],
  ];
  return (
    <div className="mt-4 grid gap-x-8 gap-y-4 md:grid-cols-2">
      <Table className="self-start">
        <caption className="pb-1 text-left text-xs text-t3">{t("overlap")}</caption>
        <thead>
          <TableRow>
            <TableHead>{t("part")}</TableHead>
            <TableHead numeric>{t("chars")}</TableHead>
          </TableRow>
        </thead>
        <tbody>
          {parts.map(([name, chars]) => (
            <TableRow key={name}>
              <TableHead scope="row" className="text-sm font-normal whitespace-normal text-t1">
                {name}
              </TableHead>
              <TableCell numeric>{format.count(chars)}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {files.length > 0 && (
        <Table className="self-start">
          <caption className="pb-1 text-left text-xs text-t3">{t("files")}</caption>
          <thead>
            <TableRow>
              <TableHead>{t("file")}</TableHead>
              <TableHead numeric>{t("raw")}</TableHead>
              <TableHead numeric>{t("injected")}</TableHead>
              <TableHead>{t("state")}</TableHead>
            </TableRow>
          </thead>
          <tbody>
            {files.map(({ name, missing, truncated, rawChars, injectedChars }) => (
              <TableRow key={name}>
                <TableHead scope="row" className="max-w-40 truncate text-sm font-normal text-t1" title={name}>
                  {name}
                </TableHead>
                <TableCell numeric>{format.count(rawChars)}</TableCell>
                <TableCell numeric>{format.count(injectedChars)}</TableCell>
                <TableCell className="text-t2">{t(missing ? "missing" : truncated ? "truncated" : "whole")}</TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </div>
  );
}

function Views({ views }: { readonly views: NonNullable<Report["views"]> }) {
  const t = useTranslations("session.report");
  return (
    <div className="mt-4 grid gap-2">
      {(["list", "detail"] as const).map((mode) => (
        <details key={mode}>
          <summary className="cursor-pointer text-sm font-medium text-t2 hover:text-t1">{t(`views.${mode}`)}</summary>
          <pre className="mt-1 rounded-md border border-line bg-sunk p-3 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {views[mode]}
          </pre>
        </details>
      ))}
    </div>
  );
}
