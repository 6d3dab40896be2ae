import { type OriginRelation, originOf, sessionHref } from "@/components/format/relation";
import { shownTitle } from "@/lib/core/transcript/title";
import type { SessionRow, Sparkline } from "@/lib/queries/contract/types";
import { isLeastSession, isLeastTogether, unpricedOfBill } from "@/lib/queries/wire/least";
import { ownCost } from "@/lib/queries/wire/own-cost";
import { projectName } from "@/lib/queries/wire/project-name";
import { allRequests, allSent, peakShare } from "@/lib/queries/wire/recorded-facts";

export interface AgentLabel {
  readonly mark: string;
  readonly label: string;
}

/** One row of the session list, ready for rendering. Absent values are `null`; the page writes them as n/a. */
export interface RowView {
  readonly id: string;
  readonly href: string;
  /** The recording's title, else the file's name. */
  readonly title: string;
  /** The file's name, if the title is something else. */
  readonly file: string | null;
  readonly agentId: string | null;
  readonly agent: AgentLabel | null;
  /** The working folder or its name, as recorded. */
  readonly project: string | null;
  /** The name of its folder, for narrow columns; a worktree with its repository. */
  readonly projectName: string | null;
  /** Models in the order of their first use. */
  readonly models: readonly string[];
  /** End of the recording, else the time when the file changed; in ms. */
  readonly at: number | null;
  /** All responses, inherited ones included, if any records its usage. */
  readonly requests: number | null;
  readonly withoutUsage: number;
  readonly sparkline: Sparkline | null;
  /** Peak context as a share of the window. */
  readonly peak: number | null;
  readonly compactions: number | null;
  /** Sum of all tokens sent: uncached input, cache reads and cache writes; estimates for requests without usage; inherited requests included. */
  readonly sent: number | null;
  /** The estimated part of it. */
  readonly estimatedSent: number;
  /** Cost of its requests by list prices, in dollars, and whether that is a lower bound. */
  readonly cost: number | null;
  readonly costIsLeast: boolean;
  /** Models without a price, missing in the cost of the row or of its subagents. */
  readonly unpriced: readonly string[];
  /** Requests of its context that other sessions made; 0 if there are none. */
  readonly inherited: number;
  /** Its subagents, and the cost of them and the session together; absent if it has none. */
  readonly subagents: { readonly count: number; readonly cost: number | null; readonly costIsLeast: boolean } | null;
  /** Unreadable lines. */
  readonly notRead: number | null;
  /** Other oddities of the file. */
  readonly oddities: number | null;
  readonly state: RowState;
  /** Reason for an unreadable file. */
  readonly error: string | null;
  /** The kind of that reason, for a sentence in the user's language. */
  readonly reason: SessionRow["errorCode"];
  /** The program that wrote it, if its files are not read; else empty. */
  readonly program: string;
  readonly sample: boolean;
  readonly upload: boolean;
  /** Origin of the session. */
  readonly origin: OriginRelation | null;
  /** Number of sessions in the file, if several. */
  readonly holds: number | null;
  /** State of the file. */
  readonly variant: SessionRow["variant"];
  readonly bytes: number;
}

/** `indexing`: not read yet. `failed`: could not be read. `no-usage`: read, but no request recorded its usage. */
type RowState = "indexing" | "failed" | "no-usage" | "ready";

/** The view of a row. `agentOf` returns the names of the agents that this build knows. */
export function toRowView(row: SessionRow, agentOf: (id: string) => AgentLabel | undefined): RowView {
  const { summary } = row;
  const agentId = summary?.agent ?? row.agent;
  const project = summary?.project ?? row.project;
  const title = cleanTitle(shownTitle(row.title ?? "")) || row.name;
  return {
    id: row.id,
    href: sessionHref(row.id),
    title,
    file: title === row.name ? null : row.name,
    agentId,
    agent: agentId === null ? null : (agentOf(agentId) ?? unknownAgent(agentId)),
    project,
    projectName: project === null ? null : projectName(project),
    models: summary?.models ?? [],
    at: instant(summary?.endedAt ?? row.modifiedAt),
    requests: summary?.requests ? allRequests(summary) : null,
    withoutUsage: summary?.requestsWithoutUsage ?? 0,
    sparkline: row.sparkline,
    peak: summary === null ? null : peakShare(summary),
    compactions: summary?.compactions.length ?? null,
    sent: summary && allSent(summary),
    estimatedSent: summary?.estimatedSent ?? 0,
    cost: ownCost(row),
    unpriced: unpricedOfBill(row.bill ?? summary?.bill),
    costIsLeast: summary !== null && isLeastSession(summary),
    inherited: row.bill?.inherited?.requests ?? 0,
    subagents: subagentsOf(row),
    notRead: summary?.records.damagedTotal ?? null,
    oddities: summary?.problems.reduce((sum, problem) => sum + problem.count, 0) ?? null,
    state: stateOf(row),
    error: row.error === null ? null : withoutName(row.error, row.name),
    reason: row.errorCode,
    program: row.errorProgram ?? "",
    sample: row.sample,
    upload: row.upload,
    origin: originOf(row.related) ?? null,
    holds: summary?.fileSessions?.total ?? null,
    variant: row.variant,
    bytes: row.bytes,
  };
}

function stateOf({ error, summary }: SessionRow): RowState {
  if (error !== null) return "failed";
  if (summary === null) return "indexing";
  return summary.requests === 0 ? "no-usage" : "ready";
}

/** The title on one line, shortened to the widest column: a title is often a whole prompt. */
function cleanTitle(text: string): string {
  return text.slice(0, 2000).replace(/\s+/gu, " ").trim().slice(0, 300);
}

/** A reason without the file's name at its start: the row already shows the name. */
function withoutName(reason: string, name: string): string {
  return reason.startsWith(`${name} `) ? reason.slice(name.length + 1) : reason;
}

/** A substitute for an agent that this build does not know: two letters of its id, and the id as its name. */
function unknownAgent(id: string): AgentLabel {
  return { mark: id.slice(0, 2), label: id };
}

function instant(text: string | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function subagentsOf(row: SessionRow): RowView["subagents"] {
  const { bill, summary } = row;
  if (bill?.subagents == null || bill.subagents.requests === 0) return null;
  const own = ownCost(row);
  const cost = own === null || bill.subagents.costUsd.total === null ? null : own + bill.subagents.costUsd.total;
  // A subagent may have records in this file and a separate file.
  const count = Math.max(1, bill.subagents.files ?? 0, summary?.sidechains ?? 0);
  return { count, cost, costIsLeast: summary !== null && isLeastTogether(summary, bill) };
}
