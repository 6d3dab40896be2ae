import { type ReactNode, useMemo } from "react";
import { policyById } from "@/lib/agents/policies";
import { profileOf } from "@/lib/agents/profiles";
import type { SessionAnswer, SessionSummary } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { itemRequests } from "./item-requests";
import { requiredContext } from "./required-context";

/** The loaded session. Nothing in it changes while the page is open. */
export interface SessionData {
  readonly id: string;
  readonly answer: SessionAnswer;
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
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
  readonly columns: SessionColumns;
  readonly children: ReactNode;
}

export function SessionDataProvider({ id, answer, columns, children }: SessionDataProviderProps) {
  const data = useMemo(
    (): SessionData => ({
      id,
      answer,
      summary: answer.summary,
      columns,
      points: pointCount(columns),
      requestOfItem: itemRequests(columns),
      defaultPolicy: ownPolicyId(answer.summary.agent) ?? "custom",
    }),
    [id, answer, columns],
  );
  return <Context value={data}>{children}</Context>;
}

function ownPolicyId(agent: string | null): string | undefined {
  const profile = profileOf(agent);
  return profile === undefined ? undefined : policyById(profile.id)?.id;
}
