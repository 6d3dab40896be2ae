import { serverProfileOf } from "@/lib/agents/registry";
import type { ContextReport, ContextReporter, ReportSources } from "@/lib/agents/shared/server-profile";
import type { ContextOverhead } from "@/lib/core/context/context-overhead";
import type { ContextProfile } from "@/lib/core/context/profile";
import { breakdownView, OURS } from "@/lib/queries/contexts/breakdown-view";
import type { AgentReport } from "@/lib/queries/contract/schemas";
import type { OpenedSession } from "./opened-session";

/** The rule of the agent's report; `undefined` without one, and for a bundle, which lacks the inputs. */
async function reporterOf({ summary, reported }: OpenedSession): Promise<ContextReporter | undefined> {
  return reported !== undefined ? undefined : serverProfileOf(summary.agent)?.report?.();
}

async function sourcesOf(
  session: OpenedSession,
  { companion }: ContextReporter,
  profile: ContextProfile | undefined,
  preset?: string,
): Promise<ReportSources> {
  const { summary, fileName } = session;
  const view = breakdownView(summary, preset === OURS ? undefined : preset);
  const text = await session.companion(companion);
  return { file: fileName, sessionId: summary.sessionId, companion: text, profile, preset: view.preset ?? "" };
}

/** The overhead in an agent's report; `undefined` if the agent has no report. */
export async function overheadOfReport(
  session: OpenedSession,
  profile: ContextProfile | undefined,
): Promise<ContextOverhead | undefined> {
  if (session.reported !== undefined && session.reported.categories.length > 0) return session.reported;
  const reporter = await reporterOf(session);
  return reporter?.overhead(await sourcesOf(session, reporter, profile));
}

/** The agent's own report at a request; `undefined` for agents without a report. */
export async function agentReport(
  session: OpenedSession,
  query: {
    readonly request: number;
    readonly window: OpenedSession["summary"]["contextWindow"];
    readonly profile?: ContextProfile | undefined;
    readonly preset?: string | undefined;
  },
): Promise<ContextReport | undefined> {
  const reporter = await reporterOf(session);
  if (reporter === undefined) return undefined;
  const { summary } = session;
  const sources = await sourcesOf(session, reporter, query.profile, query.preset);
  const columns = await session.columnsFor([summary.agent ?? ""]);
  const { request, window } = query;
  return reporter.at({ ...sources, columns, request, window, model: summary.models.at(-1) ?? "" });
}

/** A report in the contract's format, without the lines for a terminal. */
export function reportWire({ facts, tables, texts }: ContextReport): AgentReport {
  return {
    facts: facts.map(({ id, values }) => ({ id, values: { ...values } })),
    tables: tables.map(({ id, columns, rows }) => ({ id, columns: [...columns], rows: rows.map((row) => [...row]) })),
    texts: [...texts],
  };
}
