import type { SessionSummary } from "@/lib/api/types";

/** What the header says about a session; absent where the file does not say. */
export interface SessionFactsLine {
  /** The agent's id, or the format's where there is no agent. */
  readonly agent: string;
  readonly version: string | null;
  readonly models: readonly string[];
  readonly durationMs: number | null;
  readonly compactions: number;
  readonly linesNotRead: number;
  /** Other oddities, counted by occurrence. */
  readonly oddities: number;
}

export function sessionFacts(summary: SessionSummary): SessionFactsLine {
  const { startedAt, endedAt } = summary;
  const durationMs = startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  return {
    agent: summary.agent ?? summary.format,
    version: summary.agentVersion,
    models: summary.models,
    durationMs: durationMs !== null && durationMs > 0 ? durationMs : null,
    compactions: summary.compactions.length,
    linesNotRead: summary.records.damagedTotal,
    oddities: summary.problems.filter(({ code }) => code !== "damaged-line").reduce((sum, { count }) => sum + count, 0),
  };
}

/** How the window's size is known, as the chip beside it says. */
export function windowKind(source: SessionSummary["contextWindow"]["source"]): "measured" | "inferred" | "estimated" {
  if (source === "recorded" || source === "user" || source === "settings") return "measured";
  return source === "default" || source === "assumed" ? "estimated" : "inferred";
}

/** The sentence about a window that is assumed, or that a recorded context corrects; `undefined` where there is nothing to say. */
export function windowNote({ source, exceeded }: SessionSummary["contextWindow"]) {
  if (source === "assumed") return "assumed";
  if (exceeded === undefined) return undefined;
  return source === "inferred" ? "atLeast" : "corrected";
}
