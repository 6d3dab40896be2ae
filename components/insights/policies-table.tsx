import Link from "next/link";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { sessionHref } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { type Column, ScrollRegion } from "@/components/ui/table";
import { policyById } from "@/lib/agents/policies";
import { ADVISED_BY, type AdvisedBy } from "@/lib/core/advice/recommend";
import type { PoliciesAnswer } from "@/lib/queries/contract/types";
import { useAdviceWords } from "./advice-view";

type Row = PoliciesAnswer["rows"][number];

/** The policies with their sums, and their savings against the first one, session by session. */
export function PoliciesTable({ answer }: { readonly answer: PoliciesAnswer }) {
  const t = useTranslations("insights.policies");
  const ta = useTranslations("insights.advice");
  const words = usePolicyWords();
  const advice = useAdviceWords();
  const format = useFormat();
  const { sessions, projects, leftOut, rows, asked, without, lowerBounds } = answer;
  const why = new Map<string, string>(leftOut.map(({ session, why }) => [session, ta(`why.${why}`)]));
  return (
    <>
      <p className="pb-1 text-sm text-t2">{t("over", { sessions, projects, leftOut: leftOut.length })}</p>
      <ScrollRegion aria-label={t("title")} className="scroll-hint overflow-x-auto">
        <ExportedTable
          caption={t("title")}
          rows={rows}
          rowKey={({ policy, preset }) => `${policy} ${preset ?? ""}`}
          rowProps={({ policy }) => ({ "data-policy": policy })}
          data-testid="policies-table"
          columns={[
            {
              head: t("policy"),
              namesRow: true,
              value: (row) => nameOf(row, words),
              cellClass: "whitespace-nowrap",
              cell: (row) => (
                <>
                  {nameOf(row, words)}
                  {row === rows[0] && <span className="text-t3"> · {t("compared")}</span>}
                </>
              ),
            },
            ...ADVISED_BY.flatMap((by) =>
              metricColumns(by, advice.by(by), t("saves"), by === "cost" && lowerBounds > 0),
            ),
            {
              head: t("compactions"),
              numeric: true,
              cell: ({ compactions }) => format.count(compactions),
              value: ({ compactions }) => compactions,
            },
            {
              head: t("overWindow"),
              numeric: true,
              cell: (row) => format.count(row.requestsOverWindow),
              value: (row) => row.requestsOverWindow,
            },
          ]}
        />
      </ScrollRegion>
      <div className="flex flex-col gap-1 pt-2 text-sm text-t2">
        {lowerBounds > 0 && <p>{ta("lowerBounds", { count: lowerBounds })}</p>}
        {ADVISED_BY.map((by) => without[by].length > 0 && <Without key={by} by={by} sessions={without[by]} />)}
        <details data-testid="policies-sessions">
          <summary>{t("which")}</summary>
          <SessionLinks sessions={asked.ids.map((id) => [id, why.get(id) ?? ""])} />
        </details>
      </div>
    </>
  );
}

/** The sessions that are in no sum of a metric, and the reasons. */
function Without({ by, sessions }: { readonly by: AdvisedBy; readonly sessions: readonly string[] }) {
  const t = useTranslations("insights.policies");
  const words = useAdviceWords();
  return (
    <details data-testid={`without-${by}`}>
      <summary>{t("without", { metric: words.by(by), count: sessions.length, why: t(`why.${by}`) })}</summary>
      <SessionLinks sessions={sessions.map((id) => [id, ""])} />
    </details>
  );
}

function nameOf({ policy, preset }: Row, words: ReturnType<typeof usePolicyWords>): string {
  const known = policyById(policy);
  const name = known === undefined ? policy : words.policy(known);
  return preset === null ? name : `${name} · ${words.preset(preset)}`;
}

function metricColumns(by: AdvisedBy, name: string, saves: string, isLeast: boolean): Column<Row>[] {
  return [
    {
      head: name,
      numeric: true,
      cell: (row) => <Total by={by} sum={row[by]} isLeast={isLeast} />,
      value: (row) => row[by]?.total ?? null,
    },
    {
      head: saves,
      numeric: true,
      cellClass: "whitespace-nowrap text-t2",
      cell: (row) => <Saving saving={row[by]?.saving ?? null} />,
      name: `${name}: ${saves}`,
      value: (row) => row[by]?.saving?.estimate ?? null,
    },
  ];
}

interface TotalProps {
  readonly by: AdvisedBy;
  readonly sum: Row[AdvisedBy];
  readonly isLeast: boolean;
}

function Total({ by, sum, isLeast }: TotalProps) {
  const words = useAdviceWords();
  return <Value>{sum === null ? null : words.amount(by, sum.total, isLeast)}</Value>;
}

/** An interval that contains 0 is not evidence, and is muted. */
function Saving({ saving }: { readonly saving: NonNullable<Row["cost"]>["saving"] }) {
  const words = useAdviceWords();
  if (saving === null) return null;
  const isSure = saving.low > 0 || saving.high < 0;
  return <span className={isSure ? "font-medium text-t1" : "text-t3"}>{words.saving(saving)}</span>;
}

/** Sessions by the beginnings of their ids, which open them, each with a remark. */
export function SessionLinks({ sessions }: { readonly sessions: readonly (readonly [id: string, remark: string])[] }) {
  return (
    <ul className="mt-1 flex max-h-40 flex-wrap gap-x-3 gap-y-0.5 overflow-y-auto">
      {sessions.map(([id, remark]) => (
        <li key={id}>
          <Link href={sessionHref(id)} prefetch={false} className="underline underline-offset-2">
            {id.slice(0, 8)}
          </Link>
          {remark !== "" && <span className="text-t3"> {remark}</span>}
        </li>
      ))}
    </ul>
  );
}
