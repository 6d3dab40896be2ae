"use client";

import { useTranslations } from "use-intl";
import { Notice } from "@/components/ui/notice";
import type { SourceEntry } from "@/lib/api/types";
import { missingSources, SourcePaths } from "./source-parts";

interface EmptyBrowserProps {
  readonly sources: readonly SourceEntry[];
}

/** Shown where there is no session at all: what to do, and which folders were searched. */
export function EmptyBrowser({ sources }: EmptyBrowserProps) {
  const t = useTranslations("sessions.empty");
  return (
    <>
      <Notice
        role="status"
        title={t("title")}
        body={t.rich("body", { code: (chunks) => <code className="text-t1">{chunks}</code> })}
        className="pb-4"
      />
      <FoldersNotFound sources={sources} className="mx-auto max-w-120" />
    </>
  );
}

interface FoldersNotFoundProps extends EmptyBrowserProps {
  readonly className?: string;
}

/** The searched folders that do not exist. */
export function FoldersNotFound({ sources, className = "" }: FoldersNotFoundProps) {
  const t = useTranslations("sessions.sources");
  const missing = missingSources(sources);
  if (missing.length === 0) return null;
  return (
    <section aria-labelledby="folders-not-found" className={`px-4 py-6 ${className}`}>
      <h2 id="folders-not-found" className="mb-1 text-sm font-medium text-t3">
        {t("notFoundHeading")}
      </h2>
      <SourcePaths sources={missing} />
    </section>
  );
}
