"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/chip";
import { compareHref, MAX_COMPARED, type Selection, sweepHref } from "./use-list-state";

/** Actions for the ticked sessions. */
export function SelectionBar({ selection: { ids, clear } }: { readonly selection: Selection }) {
  const t = useTranslations("sessions.select");
  const router = useRouter();
  const canCompare = ids.length <= MAX_COMPARED;
  useShortcuts({ c: () => canCompare && router.push(compareHref(ids)) });
  const compare = (
    <>
      {t("compare")}
      <Kbd className="border-bg/40 bg-transparent text-bg touch:hidden">c</Kbd>
    </>
  );
  return (
    <section aria-label={t("label")} className="flex items-center gap-2 whitespace-nowrap max-lg:flex-wrap lg:shrink-0">
      <span className="text-sm font-medium" role="status">
        {t("selected", { count: ids.length })}
      </span>
      <Button variant="ghost" size="icon" aria-label={t("clear")} onClick={clear}>
        <X aria-hidden />
      </Button>
      {canCompare ? (
        <Button asChild variant="primary">
          <Link href={compareHref(ids)} prefetch={false}>
            {compare}
          </Link>
        </Button>
      ) : (
        <Button variant="primary" aria-disabled title={t("compareMost", { count: MAX_COMPARED })}>
          {compare}
        </Button>
      )}
      <Button asChild>
        <Link href={sweepHref(ids)} prefetch={false}>
          {t("sweep")}
        </Link>
      </Button>
      <ReportButton ids={ids} />
    </section>
  );
}

/** Saves a report of the ticked sessions. Reading many takes a while, so a second press stops it. */
function ReportButton({ ids }: { readonly ids: readonly string[] }) {
  const t = useTranslations("sessions.select");
  const errorText = useErrorText();
  const [error, setError] = useState<unknown>();
  const [reading, setReading] = useState<AbortController>();
  const save = async (): Promise<void> => {
    const ending = new AbortController();
    setError(undefined);
    setReading(ending);
    try {
      const { saveReport } = await import("./all-sessions");
      await saveReport(t("reportName", { count: ids.length }), ids, ending.signal);
    } catch (caught) {
      if (!ending.signal.aborted) setError(caught);
    } finally {
      setReading(undefined);
    }
  };
  return (
    <>
      {reading === undefined ? (
        <Button title={t("reportNote")} onClick={() => void save()}>
          {t("report")}
        </Button>
      ) : (
        <Button onClick={() => reading.abort()}>{t("stop")}</Button>
      )}
      <span role="status" className="text-sm text-t2">
        {reading !== undefined && t("reading", { count: ids.length })}
      </span>
      {error !== undefined && (
        <span role="alert" className="text-sm text-danger">
          {errorText(error)}
        </span>
      )}
    </>
  );
}
