import { type ReactNode, useMemo } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { profileOf } from "@/lib/agents/policies";
import { ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import type { SessionAnswer, SessionSummary } from "@/lib/queries/contract/types";
import type { HeldColumns } from "./held-columns";

/** The loaded session. It changes only when its file does. */
export interface SessionData {
  readonly id: string;
  /** The version of the file that is shown. */
  readonly version: string;
  /** Whether the file is being written. */
  readonly live: boolean;
  readonly answer: SessionAnswer;
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  /** The names whose measures are among the columns. */
  readonly measured: readonly string[];
  /** Goes up when texts that were loaded are no longer those of the items. */
  readonly texts: number;
  /** Number of request points, at least one. */
  readonly points: number;
  /** The request that every item belongs to. */
  readonly requestOfItem: Int32Array;
  /** The own policy of the recording's agent where we know it, else our custom one. */
  readonly defaultPolicy: string;
}

const [Context, useSession] = requiredContext<SessionData>("SessionData");

export { useSession };

interface SessionDataProviderProps {
  readonly id: string;
  readonly answer: SessionAnswer;
  readonly held: HeldColumns;
  readonly live: boolean;
  readonly children: ReactNode;
}

export function SessionDataProvider({ id, answer, held, live, children }: SessionDataProviderProps) {
  const data = useMemo(
    (): SessionData => ({
      id,
      answer,
      live,
      summary: answer.summary,
      ...held,
      points: pointCount(held.columns),
      requestOfItem: itemRequests(held.columns),
      defaultPolicy: profileOf(answer.summary.agent)?.policy?.id ?? "custom",
    }),
    [id, answer, held, live],
  );
  return <Context value={data}>{children}</Context>;
}

/**
 * The request that every item belongs to. An item of a response belongs to the request that it answers, any other item to the
 * request that first sends it. Items after the last request belong to the last one.
 */
export function itemRequests(columns: SessionColumns): Int32Array {
  const { firstItem } = columns.requests;
  const last = pointCount(columns) - 1;
  const requests = new Int32Array(columns.length);
  let answered = -1;
  for (let item = columns.overheadRows; item < columns.length; item += 1) {
    while (answered + 1 < columns.requests.length && (firstItem[answered + 1] ?? 0) <= item) answered += 1;
    const belongs = columns.origin[item] === ORIGIN.response ? answered : answered + 1;
    requests[item] = Math.max(0, Math.min(last, belongs));
  }
  return requests;
}

/** The item that represents a request in the list: the first item of its response, else the last item of all. */
export function itemOfRequest(columns: SessionColumns, request: number): number {
  return Math.max(0, Math.min(columns.requests.firstItem[request] ?? columns.length - 1, columns.length - 1));
}
