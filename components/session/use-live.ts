import { notifyManager, type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { ask, isServed, pathOf } from "@/lib/queries/client/client";
import type { SessionAnswer, SessionEvent } from "@/lib/queries/contract/types";
import { columnsKey, type HeldColumns, updatedColumns } from "./shared/state/held-columns";
import { REFETCH_MEASURE } from "./shared/state/use-measures";

/** Minimum time between two updates of the page. */
const MIN_PAUSE_MS = 900;
/** An update is followed by a pause of at least this many times its own duration (fetching and rendering), so that the page stays responsive. */
const PAUSE_FACTOR = 2;

/** A session's file: being written, at rest, or removed; `unreachable` while the server does not answer. */
export type FileState = "live" | "rest" | "removed" | "unreachable";

/** Follows a session's file while the page is visible, and shows what is appended to the file. */
export function useLive(id: string): FileState {
  const client = useQueryClient();
  const [state, setState] = useState<FileState>("rest");
  useEffect(() => {
    let isClosed = false;
    let isBehind = false;
    let isRunning = false;
    const catchUp = async (): Promise<void> => {
      isBehind = true;
      if (isRunning) return;
      isRunning = true;
      while (isBehind && !isClosed) {
        isBehind = false;
        const began = performance.now();
        // The user's next request reports a failure; the next change of the file tries again.
        const upToDate = await grow(client, id).catch(() => true);
        await nextFrame();
        if (!upToDate) isBehind = true;
        await pause(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (performance.now() - began)));
      }
      isRunning = false;
    };
    const stop = listenTo(id, {
      onChanged: () => void catchUp(),
      onState: (now) => {
        // A removed file is at rest, too.
        setState((before) => (before === "removed" && now === "rest" ? before : now));
        if (now === "rest") outdate(client, id, "active");
      },
    });
    return () => {
      isClosed = true;
      stop();
    };
  }, [client, id]);
  return state;
}

/** Resolves when the page has rendered its new data. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Data that the server derives from the whole file. It is refetched when it is shown again, or when the file is no longer being written. */
const DERIVED: ReadonlySet<unknown> = new Set([
  ...["accuracy", "boundary", "fidelity", "ledger", "overhead", "report", "summary"],
]);

/**
 * Updates the page to the current session file: the delta of its columns and its facts, both of the same version,
 * applied together. Does nothing until the page shows something. Rejects with `ApiError` and `CodecError`.
 * @returns true if everything is up to date; false while further columns of the shown version are loading
 */
async function grow(client: QueryClient, id: string): Promise<boolean> {
  const key = columnsKey(id);
  const held = client.getQueryData<HeldColumns>(key);
  const facts = client.getQueryData<SessionAnswer>(["session", id]);
  if (held === undefined || facts === undefined) return true;
  if (client.isFetching({ predicate: (query) => isFurther(query, id) }) > 0) return false;
  const next = await updatedColumns(id, withFurther(client, id, held));
  if (next.version === held.version && facts.version === held.version) return true;
  const answer = await ask("session", { id, search: { at: next.version } });
  notifyManager.batch(() => {
    client.setQueryData(key, next);
    client.setQueryData(["session", id], answer);
  });
  outdate(client, id, "none");
  return true;
}

/**
 * Invalidates data that the server derived from an earlier state of the file.
 * @param refetch `active` to request shown data again at once
 */
export function outdate(client: QueryClient, id: string, refetch: "active" | "none"): void {
  const predicate = ({ queryKey }: Query) =>
    queryKey[0] === "session" && queryKey[1] === id && DERIVED.has(queryKey[2]);
  void client.invalidateQueries({ predicate, refetchType: refetch });
}

/** True if a query loads tokens or measures of a session beyond those that came with its columns. */
function isFurther({ queryKey: [what, of, kind] }: Query, id: string): boolean {
  return what === "session" && of === id && (kind === "tokens" || kind === "measures");
}

/** The columns with the loaded tokens and measures of this version, except those that are not requested for a file being written. */
function withFurther(client: QueryClient, id: string, held: HeldColumns): HeldColumns {
  let { columns, measured } = held;
  const loaded = client.getQueryCache().findAll({ predicate: (query) => isFurther(query, id) });
  for (const { queryKey, state } of loaded) {
    const [, , kind, name, version] = queryKey;
    if (version !== held.version || state.data == null || typeof name !== "string" || name === REFETCH_MEASURE)
      continue;
    // Only the queries of `use-tokens` and `use-measures` have such keys.
    if (kind === "tokens") columns = { ...columns, tokens: { ...columns.tokens, [name]: state.data as Int32Array } };
    else {
      columns = { ...columns, measures: { ...columns.measures, ...(state.data as SessionColumns["measures"]) } };
      measured = [...new Set([...measured, name])];
    }
  }
  return { ...held, columns, measured };
}

/** Handlers of the server's messages about a session's file. */
interface StreamListener {
  /** The file changed or may have changed: the stream has just begun. */
  readonly onChanged: () => void;
  readonly onState: (state: FileState) => void;
}

/** Listens to a session's events until the returned function is called, but not while the page is hidden: browsers have few connections. */
function listenTo(id: string, { onChanged, onState }: StreamListener): () => void {
  if (!isServed()) return () => {};
  let source: EventSource | undefined;
  const stop = () => {
    source?.close();
    source = undefined;
  };
  const follow = () => {
    if (document.hidden) return stop();
    if (source !== undefined) return;
    source = new EventSource(pathOf("sessionEvents", { id }));
    // The browser reconnects by itself; changes in the meantime are not reported.
    source.addEventListener("open", onChanged);
    source.addEventListener("changed", onChanged);
    source.addEventListener("live", ({ data }) => {
      // The contract's own tests ensure this shape.
      const event = JSON.parse(data) as SessionEvent;
      if (event.type === "live") onState(event.live ? "live" : "rest");
    });
    source.addEventListener("gone", () => onState("removed"));
    // The browser tries again by itself; the stream then begins with the file's state.
    source.addEventListener("error", () => onState("unreachable"));
  };
  document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    document.removeEventListener("visibilitychange", follow);
    stop();
  };
}
