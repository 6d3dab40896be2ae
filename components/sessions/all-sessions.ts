import type { SessionPage, SessionRow } from "@/lib/api/types";

/** Every session of the server, and how far the server is with reading them. */
export interface AllSessions {
  readonly sessions: readonly SessionRow[];
  /** Sessions and bytes in total, including pages that have not arrived yet. */
  readonly total: number;
  readonly bytes: number;
  readonly indexing: Indexing;
}

interface Indexing {
  readonly done: number;
  readonly total: number;
  /** The count at the first poll, and the time of that poll in ms: the speed is measured from here. */
  readonly from: { readonly done: number; readonly at: number };
  /** Time of this poll, in ms. */
  readonly at: number;
}

/** The most pages in a row: a cursor that runs in a circle must not block the page for ever. */
const MAX_PAGES = 10_000;

type FetchPage = (cursor: string | undefined) => Promise<SessionPage>;

/** Fetches page after page. `onPart` is called after each page but the last, so that the list is usable in the meantime. */
export async function fetchAllSessions(
  fetchPage: FetchPage,
  previous: AllSessions | undefined,
  now: () => number,
  onPart: (part: AllSessions) => void,
): Promise<AllSessions> {
  const sessions = new Map<string, SessionRow>();
  let cursor: string | undefined;
  let page = await fetchPage(cursor);
  for (let pages = 1; ; pages++) {
    for (const row of page.sessions) sessions.set(row.id, row);
    const all = joined([...sessions.values()], page, previous, now());
    if (page.nextCursor === null || page.nextCursor === cursor || pages === MAX_PAGES) return all;
    onPart(all);
    cursor = page.nextCursor;
    page = await fetchPage(cursor);
  }
}

function joined(
  sessions: readonly SessionRow[],
  { total, bytes, indexing }: SessionPage,
  previous: AllSessions | undefined,
  at: number,
): AllSessions {
  const before = previous?.indexing;
  const sameRun = before !== undefined && isIndexing(before) && before.from.done <= indexing.done;
  const from = sameRun ? before.from : { done: indexing.done, at };
  return { sessions, total, bytes, indexing: { done: indexing.done, total: indexing.total, from, at } };
}

export function isIndexing({ done, total }: Pick<Indexing, "done" | "total">): boolean {
  return done < total;
}

/** Files read per second and seconds left, measured from the first poll to this one; `null` until a file has been read in between. */
export function indexingSpeed({ done, total, from, at }: Indexing): { perSecond: number; secondsLeft: number } | null {
  const seconds = (at - from.at) / 1000;
  const read = done - from.done;
  if (seconds <= 0 || read <= 0) return null;
  const perSecond = read / seconds;
  return { perSecond, secondsLeft: Math.ceil((total - done) / perSecond) };
}

/** Pause between two polls while files are read, in ms. It is longer for long lists, which cost more to send; who sees a few sessions for the first time waits for their titles. */
export function pollPause(sessions: number): number {
  return Math.max(Math.min(400 + sessions * 10, 1500), sessions * 4);
}
