"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useTitle } from "@/components/format/use-title";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/status";
import { ask, listSessions } from "@/lib/queries/client/client";
import { type Filters, listRequest, MAX_CHARS } from "./filters";
import type { RowView } from "./row-view";
import { rowView } from "./use-session-list";

/** A session whose conversation holds the searched text. */
interface Hit {
  readonly row: RowView;
  /** Its place in the list, which orders the hits. */
  readonly at: number;
  /** The first item that holds the text, and the number of items that do. */
  readonly item: number;
  readonly items: number;
  /** Text before the match, the match, and text after it. */
  readonly excerpt: readonly [before: string, match: string, after: string];
}

/** Progress of a search over all sessions. */
interface Found {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly hits: readonly Hit[];
}

const NOTHING: Found = { done: 0, total: 0, failed: 0, hits: [] };

/** Number of sessions searched in parallel: the server reads their files in several threads. */
const AT_ONCE = 3;

/** Searches the texts of the sessions that match the other filters, which reads each of their files. */
export function TextHits({ filters }: { readonly filters: Filters }) {
  const t = useTranslations("sessions.texts");
  const format = useFormat();
  const written = useTitle();
  const [found, setFound] = useState(NOTHING);
  const errorText = useErrorText();
  const [error, setError] = useState<unknown>();
  const [stopped, setStopped] = useState(false);
  const text = filters.q.trim();
  useEffect(() => {
    if (stopped) return;
    const search = new AbortController();
    setFound(NOTHING);
    searchTexts(filters, search.signal, setFound).catch((reason: unknown) => {
      if (!search.signal.aborted) setError(reason);
    });
    return () => search.abort();
  }, [filters, stopped]);

  const { done, total, failed, hits } = found;
  const isBusy = !stopped && error === undefined && (total === 0 || done < total);
  return (
    <section aria-label={t("title")} data-testid="text-hits" className="border-b border-line px-4 pb-3">
      <div role="status" className="flex min-h-8 flex-wrap items-center gap-x-3 text-sm text-t2">
        {error !== undefined && <span>{errorText(error)}</span>}
        <span>{t(isBusy ? "searching" : "searched", { text, hits: hits.length, done, total })}</span>
        {failed > 0 && <span>{t("failed", { count: failed })}</span>}
        {isBusy && (
          <>
            <Progress value={done} max={total} label={t("title")} />
            <Button variant="ghost" onClick={() => setStopped(true)}>
              {t("stop")}
            </Button>
          </>
        )}
      </div>
      <ul className="max-h-[40dvh] overflow-y-auto">
        {hits.map(({ row, item, items, excerpt: [before, match, after] }) => (
          <li key={row.id} className="border-t border-line py-1.5">
            <span className="flex items-baseline gap-x-3 max-sm:flex-wrap">
              <Link
                href={`${row.href}?${new URLSearchParams({ item: `${item}`, find: text })}`}
                prefetch={false}
                className="truncate font-medium underline-offset-2 hover:underline"
              >
                {written(row.title)}
              </Link>
              <span className="shrink-0 text-sm text-t3">
                {[row.projectName, row.at === null ? null : format.dateTime(row.at), t("items", { count: items })]
                  .filter((part) => part !== null)
                  .join(" · ")}
              </span>
            </span>
            <p className="truncate text-sm text-t2">
              {before}
              <mark className="rounded-sm bg-sunk font-medium text-t1">{match}</mark>
              {after}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Searches the sessions in their order, a few at a time, and reports every step. Rejects if the list cannot be fetched or the caller aborts. */
async function searchTexts(filters: Filters, signal: AbortSignal, onStep: (found: Found) => void): Promise<void> {
  const q = filters.q.trim().slice(0, MAX_CHARS).toLowerCase();
  const rows = await allRows(filters, signal);
  let found: Found = { ...NOTHING, total: rows.length };
  const waiting = rows.entries();
  const searchRest = async (): Promise<void> => {
    for (const [at, row] of waiting) {
      const hit = await hitIn(row, at, q, signal).catch(() => null);
      signal.throwIfAborted();
      const hits = hit ? [...found.hits, hit].sort((a, b) => a.at - b.at) : found.hits;
      found = { ...found, hits, done: found.done + 1, failed: found.failed + (hit === null ? 1 : 0) };
      onStep(found);
    }
  };
  onStep(found);
  await Promise.all(Array.from({ length: AT_ONCE }, searchRest));
}

/** All readable sessions that match the other filters, newest first. */
async function allRows(filters: Filters, signal: AbortSignal): Promise<RowView[]> {
  const request = listRequest({ ...filters, q: "" }, { key: "when", descending: true }, "folded");
  const rows: RowView[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await listSessions({ ...request, limit: 200, ...(cursor && { cursor }) }, signal);
    rows.push(...page.sessions.map(rowView));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

/** The first place of a text in a session; `undefined` if it is nowhere in it. */
async function hitIn(row: RowView, at: number, q: string, signal: AbortSignal): Promise<Hit | undefined> {
  const { total, items } = await ask("search", { id: row.id, search: { q } }, signal);
  const [item] = items;
  if (item === undefined) return undefined;
  const answer = await ask("items", { id: row.id, search: { from: item, to: item + 1 } }, signal);
  return { row, at, item, items: total, excerpt: excerptOf(answer.items[0]?.text ?? "", q) };
}

/** Characters shown before a match, and after it. */
const BEFORE = 40;
const AFTER = 160;

function excerptOf(text: string, q: string): Hit["excerpt"] {
  // Some letters change their length in lower case: then the beginning of the text is shown without a mark.
  const lower = text.toLowerCase();
  const at = lower.length === text.length ? lower.indexOf(q) : -1;
  if (at < 0) return [text.slice(0, BEFORE + AFTER), "", ""];
  const from = Math.max(0, at - BEFORE);
  const end = at + q.length;
  return [`${from > 0 ? "…" : ""}${text.slice(from, at)}`, text.slice(at, end), text.slice(end, end + AFTER)];
}
