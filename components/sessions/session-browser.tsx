"use client";

import { type ChangeEvent, lazy, type RefObject, Suspense, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { Notice, Progress } from "@/components/ui/status";
import { request } from "@/lib/queries/client/client";
import type { IndexingEvent, SessionChoices, SourceEntry } from "@/lib/queries/contract/types";
import { FACETS_ID, Facets, FilterRow } from "./filter-row";
import { failedFiles, readSessions } from "./filters";
import { SessionList } from "./session-list";
import { SessionListSkeleton } from "./session-list-skeleton";
import { SourceBar } from "./source-bar";
import { missingSources, SourcePaths } from "./source-parts";
import { UploadBar, useFileDrag, useUpload } from "./upload-bar";
import { useFacetsColumn, useListPosition } from "./use-list-state";
import { type Browsed, isIndexing, useBrowsed, useSources } from "./use-session-list";

/** Loaded when a total lacks the price of a model; in most lists every model has one. */
const UnpricedModels = lazy(async () => ({
  default: (await import("@/components/format/unpriced-models")).UnpricedModels,
}));
/** Loaded when the list is first filtered. */
const FilterChips = lazy(async () => ({ default: (await import("./filter-chips")).FilterChips }));
/** Loaded when files are first dragged over the window: it reads folders and knows hundreds of file types. */
const DropOverlay = lazy(async () => ({ default: (await import("./drop-overlay")).DropOverlay }));

/** Loaded when all texts are searched. */
const TextHits = lazy(async () => ({ default: (await import("./text-hits")).TextHits }));

/** The session list with everything around it; the page at `/`. */
export function SessionBrowser() {
  const t = useTranslations("sessions");
  const scroller = useRef<HTMLElement>(null);
  const browsed = useBrowsed();
  const sources = useSources();
  const upload = useUpload();
  const dragging = useFileDrag();
  const input = useRef<HTMLInputElement>(null);
  const choose = (): void => input.current?.click();
  const onChosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    upload.start([...(currentTarget.files ?? [])]);
    // The same file may be selected again.
    currentTarget.value = "";
  };

  return (
    <>
      <main
        id="content"
        ref={scroller}
        tabIndex={-1}
        aria-label={t("title")}
        className="relative min-h-0 grow overflow-y-auto overscroll-contain"
      >
        <h1 className="sr-only">{t("title")}</h1>
        <p className="border-b border-line px-4 py-2 text-sm text-t2">{t("about")}</p>
        <input ref={input} type="file" multiple hidden aria-label={t("drop.input")} onChange={onChosen} />
        <SourceBar found={sources.data} failed={sources.isError} onChoose={choose} />
        <UploadBar upload={upload} onChoose={choose} />
        <Sessions browsed={browsed} scroller={scroller} sources={sources.data?.sources ?? []} />
      </main>
      <StatusBar indexing={browsed.indexing} />
      {dragging !== undefined && (
        <Suspense fallback={null}>
          <DropOverlay shown={dragging} onFiles={upload.start} />
        </Suspense>
      )}
    </>
  );
}

interface SessionsProps {
  readonly browsed: Browsed;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly sources: React.ComponentProps<typeof EmptyBrowser>["sources"];
}

function Sessions({ browsed, scroller, sources }: SessionsProps) {
  const t = useTranslations("sessions");
  const tc = useTranslations("common.action");
  const errorText = useErrorText();
  const { query, all, isReading } = browsed;

  if (query.data === undefined && query.isError) {
    return (
      <Notice role="alert" title={t("failed.title")} body={errorText(query.error)}>
        <Button variant="primary" onClick={() => query.refetch()}>
          {tc("retry")}
        </Button>
      </Notice>
    );
  }
  if (query.data === undefined || all === undefined) return <SessionListSkeleton />;
  if (all.total.sessions === 0 && !isReading) return <EmptyBrowser sources={sources} />;
  return <Loaded browsed={browsed} all={all} scroller={scroller} sources={sources} />;
}

interface LoadedProps extends SessionsProps {
  readonly all: SessionChoices;
}

function Loaded({ browsed, all, scroller, sources }: LoadedProps) {
  const t = useTranslations("sessions");
  const { list, filtered, request, query, rows, total, choices } = browsed;
  // The filters stay mounted once there were any, because removing the last one moves the focus.
  const [usesFilters, setUsesFilters] = useState(filtered);
  if (filtered && !usesFilters) setUsesFilters(true);
  const onlySamples = rows[0]?.sample === true;
  const beside = useFacetsColumn();
  // Any change of the filters ends the search of their texts.
  const asked = JSON.stringify(list.filters);
  const [searched, setSearched] = useState<string>();
  const canSearch = list.filters.q.trim().length > 1 && searched !== asked;
  const search = () => setSearched(asked);
  useListPosition(scroller, rows.length > 0);
  return (
    <div className="flex items-start">
      {beside.isShown && (
        <aside
          id={FACETS_ID}
          aria-label={t("filter.label")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          tabIndex={0}
          className="sticky top-0 h-[calc(100dvh-4.75rem)] w-56 shrink-0 overflow-y-auto border-r border-line"
        >
          <Facets list={list} choices={choices} />
        </aside>
      )}
      <div className="@container min-w-0 grow">
        <FilterRow
          list={list}
          choices={choices}
          all={all}
          notRead={filtered && !list.onlyUnread ? 0 : failedFiles(all)}
          request={request}
          beside={beside}
        />
        {usesFilters && (
          <Suspense>
            <FilterChips list={list} choices={choices} all={all} />
          </Suspense>
        )}
        {searched === asked && (
          <Suspense>
            <TextHits key={asked} filters={list.filters} />
          </Suspense>
        )}
        {canSearch && total > 0 && <TextSearch onSearch={search} />}
        {choices?.total.unpricedModels !== undefined && (
          <Suspense>
            <UnpricedModels models={choices.total.unpricedModels} className="px-4 pb-2 text-sm text-t2" />
          </Suspense>
        )}
        {onlySamples && (
          <div className="flex items-baseline gap-2 px-4 pb-2">
            <h2 className="font-semibold">{t("empty.samples")}</h2>
            <span className="text-sm text-t3">{t("empty.samplesNote")}</span>
          </div>
        )}
        {total === 0 && (filtered || list.onlyUnread) ? (
          searched !== asked && (
            <Notice
              role="status"
              title={t("noMatch.title")}
              body={`${t("noMatch.body", { total: readSessions(all) })}${canSearch ? ` ${t("texts.note")}` : ""}`}
            >
              {canSearch && <Button onClick={search}>{t("texts.search")}</Button>}
              <Button onClick={() => list.clear({ notRead: null })}>{t("filter.clear")}</Button>
            </Notice>
          )
        ) : (
          <SessionList
            rows={rows}
            count={query.hasNextPage ? Math.max(total, rows.length + 1) : rows.length}
            onMissing={() => {
              if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
            }}
            selection={list.selection}
            sort={list.sort}
            onSort={list.sortBy}
            scroller={scroller}
          />
        )}
        {onlySamples && <FoldersNotFound sources={sources} />}
      </div>
    </div>
  );
}

/** Offers to search the texts of the sessions: the list's own search covers only titles, prompts, paths and tools. */
function TextSearch({ onSearch }: { readonly onSearch: () => void }) {
  const t = useTranslations("sessions.texts");
  return (
    <p className="flex flex-wrap items-center gap-x-3 px-4 pb-2 text-sm text-t3">
      {t("note")}
      <Button onClick={onSearch}>{t("search")}</Button>
    </p>
  );
}

interface EmptyBrowserProps {
  readonly sources: readonly SourceEntry[];
}

/** Shown without any session: next steps, and the searched folders. */
function EmptyBrowser({ sources }: EmptyBrowserProps) {
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
function FoldersNotFound({ sources, className = "" }: FoldersNotFoundProps) {
  const t = useTranslations("sessions.sources");
  const missing = missingSources(sources);
  if (missing.length === 0) return null;
  return (
    <details className={`px-4 py-6 ${className}`}>
      <summary className="mb-1 cursor-pointer text-sm font-medium text-t3">
        {t("notFoundHeading", { count: missing.length })}
      </summary>
      <SourcePaths sources={missing} />
    </details>
  );
}

/** The quiet bar at the foot: work in progress, the keys, and the place of the data. */
function StatusBar({ indexing }: { readonly indexing: IndexingEvent | undefined }) {
  const t = useTranslations("sessions.status");
  const local = useSyncExternalStore(never, isLoopback, () => true);
  const busy = indexing !== undefined && isIndexing(indexing);
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 border-t border-line px-4 text-sm text-t2">
      {busy && <IndexingProgress indexing={indexing} />}
      <span className="grow" />
      <span className="flex items-center gap-2 text-t3 max-lg:hidden">
        {t("open")}
        <Kbd>↵</Kbd>
      </span>
      <span className="flex items-center gap-1 text-t3 max-lg:hidden">
        <span className="pr-1">{t("move")}</span>
        <Kbd>j</Kbd>
        <Kbd>k</Kbd>
      </span>
      <span className="flex items-center gap-2 text-t3 max-lg:hidden">
        {t("select")}
        <Kbd>x</Kbd>
      </span>
      {local && <span className={cn("truncate text-t3", busy && "max-sm:hidden")}>{t("local")}</span>}
    </footer>
  );
}

const never = () => () => undefined;

/** True if this machine serves the page: only then no data leaves it. */
function isLoopback(): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/u.test(window.location.hostname);
}

function IndexingProgress({ indexing }: { readonly indexing: IndexingEvent }) {
  const t = useTranslations("sessions.status");
  const format = useFormat();
  const { done, total, bytesDone, bytesTotal, bytesPerSecond, secondsLeft, stopped } = indexing;
  const text = t(stopped ? "stopped" : "indexing", { done: format.count(done), total });
  const bytes = t("bytes", { done: format.bytes(bytesDone), total: format.bytes(bytesTotal) });
  return (
    <>
      <Progress
        value={bytesDone}
        max={bytesTotal}
        label={text}
        valueText={`${text}, ${bytes}`}
        className="max-sm:w-12"
      />
      <span className="whitespace-nowrap">{text}</span>
      <span className="whitespace-nowrap text-t3 max-md:hidden">{bytes}</span>
      {bytesPerSecond !== null && secondsLeft !== null && !stopped && (
        <span className="whitespace-nowrap text-t3 max-sm:hidden">
          {t("speed", { rate: format.bytes(bytesPerSecond), left: format.duration(Math.ceil(secondsLeft) * 1000) })}
        </span>
      )}
      <button
        type="button"
        onClick={() =>
          void request("steerIndexing", { body: { action: stopped ? "resume" : "stop" } }).catch(() => undefined)
        }
        className="font-medium text-t1 underline-offset-2 hover:underline"
      >
        {t(stopped ? "resume" : "stop")}
      </button>
    </>
  );
}
