import { type Alignment, align, type Item } from "./align";
import type { Overhead, Thread } from "./thread";

/** The thread that a request continues, with the alignment of their messages. */
interface Choice {
  readonly thread: Thread;
  readonly alignment: Alignment;
}

/** Maximum number of latest threads to consider. Side calls end, and no request returns to them. */
const MAX_CANDIDATES = 200;

/** A request whose thread is not yet known. */
export interface IncomingRequest {
  readonly items: readonly Item[];
  readonly overhead: Overhead;
  readonly session: string | undefined;
  /** True if one of its messages says that it is a summary. */
  readonly summarised: boolean;
}

/**
 * The thread that a request continues: one whose messages it repeats, either all of them, or some of them if the overhead is the same or most of the
 * request is known. `undefined` if it repeats no thread.
 */
export function choose(threads: readonly Thread[], incoming: IncomingRequest): Choice | undefined {
  let best: { choice: Choice; score: number } | undefined;
  for (const thread of threads.slice(-MAX_CANDIDATES)) {
    const similar = isSimilar(thread, incoming.overhead);
    if (!similar && thread.live[0]?.key !== incoming.items[0]?.key) continue;
    const alignment = align(thread.live, incoming.items, thread.response);
    const score = scoreOf(thread, incoming, alignment, similar);
    if (score > 0 && score >= (best?.score ?? 0)) best = { choice: { thread, alignment }, score };
  }
  return best?.choice;
}

/**
 * Score of a candidate: a continuation without loss ranks above a changed history, and that above mere similarity; the number of shared messages
 * decides between equals.
 */
function scoreOf(thread: Thread, incoming: IncomingRequest, { from, missing }: Alignment, similar: boolean): number {
  const { items } = incoming;
  const isConversation = (item: Item | undefined) => item !== undefined && item.origin !== "context";
  const shared = from.filter((at, index) => at >= 0 && isConversation(items[index])).length;
  if (shared === 0) return 0;
  const lost = missing.filter((at) => isConversation(thread.live[at]) && at !== thread.response);
  if (lost.length === 0 && (similar || (missing.length === 0 && shared >= 2))) return 2e9 + shared;
  if (isOtherSession(thread, incoming)) return 0;
  if (similar) return 1e9 + shared;
  return shared >= 2 && shared * 2 >= items.filter(isConversation).length ? shared : 0;
}

/**
 * The thread whose history may have been replaced by a request that repeats nothing. Only threads without a continuation are considered: one whose
 * last answer is in the request, or else the latest conversation of the same session or with the same tools.
 */
export function replacedBy(
  threads: readonly Thread[],
  incoming: IncomingRequest,
  repeatsAnswerOf: (thread: Thread) => boolean,
): Thread | undefined {
  const open = threads
    .slice(-MAX_CANDIDATES)
    .filter((one) => one.after === undefined && !isOtherSession(one, incoming));
  return (
    open.findLast(repeatsAnswerOf) ??
    open.findLast((thread) => {
      if ((thread.points < 2 && !incoming.summarised) || !isSimilar(thread, incoming.overhead)) return false;
      return incoming.session !== undefined && incoming.session === thread.session
        ? true
        : incoming.overhead.tools !== "";
    })
  );
}

function isOtherSession({ session }: Thread, incoming: IncomingRequest): boolean {
  return session !== undefined && incoming.session !== undefined && session !== incoming.session;
}

/** True if one of the thread's requests had the same system prompt or the same tools. */
function isSimilar({ overheads }: Thread, { prompt, tools, key }: Overhead): boolean {
  for (const other of overheads.keys()) {
    if (key === other.key || (prompt !== "" && prompt === other.prompt) || (tools !== "" && tools === other.tools)) {
      return true;
    }
  }
  return false;
}
