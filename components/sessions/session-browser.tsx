"use client";

import { useMemo, useRef } from "react";
import { useDropzone } from "react-dropzone";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { AllSessions } from "./all-sessions";
import { isIndexing } from "./all-sessions";
import { DropOverlay } from "./drop-overlay";
import { EmptyBrowser, FoldersNotFound } from "./empty-browser";
import { setApart } from "./files-not-read";
import { FilterRow } from "./filter-row";
import { filterOptions, isFiltered, selectRows } from "./row-selection";
import type { RowView } from "./row-view";
import { SessionList } from "./session-list";
import { SessionListSkeleton } from "./session-list-skeleton";
import { SourceBar } from "./source-bar";
import { StatusBar } from "./status-bar";
import { UploadBar } from "./upload-bar";
import { useListState } from "./use-list-state";
import { rowViews, useSessions, useSources } from "./use-sessions";
import { useUpload } from "./use-upload";

/** The session list with everything around it; the page at `/`. */
export function SessionBrowser() {
  const t = useTranslations("sessions");
  const scroller = useRef<HTMLElement>(null);
  const sessions = useSessions();
  const sources = useSources(sessions.data !== undefined && isIndexing(sessions.data.indexing));
  const upload = useUpload();
  const picker = useDropzone({ noClick: true, noKeyboard: true, onDropAccepted: upload.start });

  return (
    <>
      <main id="content" ref={scroller} className="relative min-h-0 grow overflow-y-auto overscroll-contain">
        <h1 className="sr-only">{t("title")}</h1>
        <input {...picker.getInputProps()} aria-label={t("drop.input")} />
        <SourceBar found={sources.data} failed={sources.isError} onChoose={picker.open} />
        <UploadBar upload={upload} onChoose={picker.open} />
        <Sessions query={sessions} scroller={scroller} sources={sources.data?.sources ?? []} />
      </main>
      <StatusBar all={sessions.data} />
      <DropOverlay rootProps={picker.getRootProps()} />
    </>
  );
}

interface SessionsProps {
  readonly query: ReturnType<typeof useSessions>;
  readonly scroller: React.RefObject<HTMLElement | null>;
  readonly sources: React.ComponentProps<typeof EmptyBrowser>["sources"];
}

function Sessions({ query, scroller, sources }: SessionsProps) {
  const t = useTranslations("sessions");
  const tc = useTranslations("common.action");
  const errorText = useErrorText();

  if (query.data !== undefined) return <Loaded all={query.data} scroller={scroller} sources={sources} />;
  if (!query.isError) return <SessionListSkeleton />;
  return (
    <Notice role="alert" title={t("failed.title")} body={errorText(query.error)}>
      <Button variant="primary" onClick={() => query.refetch()}>
        {tc("retry")}
      </Button>
    </Notice>
  );
}

interface LoadedProps extends Pick<SessionsProps, "scroller" | "sources"> {
  readonly all: AllSessions;
}

function Loaded({ all, scroller, sources }: LoadedProps) {
  const t = useTranslations("sessions");
  const list = useListState();
  const views = useMemo(() => rowViews(all), [all]);
  const options = useMemo(() => filterOptions(views), [views]);
  const { filters, sort, unfolded } = list;
  const { rows, foldable } = useMemo(
    () => setApart(selectRows(views, filters, sort), { filtered: isFiltered(filters), unfolded }),
    [views, filters, sort, unfolded],
  );
  const onlySamples = views.every((row) => row.sample);

  if (views.length === 0 && !isIndexing(all.indexing)) return <EmptyBrowser sources={sources} />;
  return (
    <>
      <FilterRow
        list={list}
        options={options}
        shown={rows.length}
        total={all.total}
        copies={copiesOf(views)}
        notRead={foldable}
        bytes={all.bytes}
      />
      {onlySamples && views.length > 0 && (
        <div className="flex items-baseline gap-2 px-4 pb-2">
          <h2 className="font-semibold">{t("empty.samples")}</h2>
          <span className="text-sm text-t3">{t("empty.samplesNote")}</span>
        </div>
      )}
      {rows.length === 0 && isFiltered(list.filters) ? (
        <Notice role="status" title={t("noMatch.title")} body={t("noMatch.body", { total: views.length })}>
          <Button onClick={list.clear}>{t("filter.clear")}</Button>
        </Notice>
      ) : (
        <SessionList rows={rows} sort={list.sort} onSort={list.sortBy} scroller={scroller} />
      )}
      {onlySamples && <FoldersNotFound sources={sources} />}
    </>
  );
}

/** How many sessions are earlier states or duplicates of others, so that the same session counts only once. */
function copiesOf(views: readonly RowView[]): number {
  return views.filter((view) => view.origin?.kind === "copy-of").length;
}
