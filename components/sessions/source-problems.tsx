"use client";

import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "use-intl";
import type { SourceEntry } from "@/lib/api/types";
import { sessionHref } from "./relation";

interface SourceProblemsProps {
  readonly sources: readonly SourceEntry[];
}

/** What could not be looked at or read, a line each. */
export function SourceProblems({ sources }: SourceProblemsProps) {
  const t = useTranslations("sessions.sources");
  const concerned = sources.filter(({ problemsTotal, failedTotal }) => problemsTotal + failedTotal > 0);
  if (concerned.length === 0) return null;
  return (
    <section
      aria-labelledby="source-problems"
      className="mt-2 border-t border-line px-1 pt-2"
      data-testid="source-problems"
    >
      <h2 id="source-problems" className="text-xs text-t3">
        {t("problems")}
      </h2>
      {concerned.map((source) => (
        <ProblemsOf key={source.id} source={source} />
      ))}
    </section>
  );
}

function ProblemsOf({ source }: { readonly source: SourceEntry }) {
  const t = useTranslations("sessions.sources");
  const tr = useTranslations("sessions.row.reason");
  const { label, problems, problemsTotal, failed, failedTotal } = source;
  const untold = problemsTotal - problems.length + failedTotal - failed.length;
  return (
    <ul className="py-0.5 text-sm text-t2">
      {problems.map(({ code, path }) => (
        <li key={`${code} ${path}`} className="flex items-start gap-2 py-0.5">
          <TriangleAlert aria-hidden className={code === "outside" ? ICON : `${ICON} text-danger`} />
          <span className="min-w-0">
            {/* What cannot be written is no place that was looked at. */}
            {code !== "unwritten" && (
              <code className="break-all text-t1">{[label, path].filter(Boolean).join("/")}</code>
            )}{" "}
            {t(`problem.${code}`)}
          </span>
        </li>
      ))}
      {failed.map(({ id, name, reason, program = "" }) => (
        <li key={id} className="flex items-start gap-2 py-0.5">
          <TriangleAlert aria-hidden className={ICON} />
          <span className="min-w-0">
            <Link
              href={sessionHref(id)}
              prefetch={false}
              className="break-all text-t1 underline decoration-line2 underline-offset-2 hover:decoration-t1"
            >
              {name}
            </Link>{" "}
            {tr(reason, { program })}
          </span>
        </li>
      ))}
      {untold > 0 && <li className="py-0.5 pl-5 text-t3">{t("moreProblems", { count: untold })}</li>}
    </ul>
  );
}

const ICON = "mt-0.5 size-3 shrink-0";
