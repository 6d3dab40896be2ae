import { recordedContext } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import type { ContextProfile } from "@/lib/core/context/profile";
import { recordedSeries } from "@/lib/core/context/recorded";
import { recordingOf } from "@/lib/core/context/recording";
import type { Transcript } from "@/lib/core/transcript/model";
import { contextOf } from "@/lib/core/transcript/totals";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import type { ReplayRequest, SessionSummary } from "@/lib/queries/contract/schemas";
import { asSent } from "@/lib/queries/session/session-context";
import { isInputError } from "../../base/input-error";
import { type AccuracyChoice, type AccuracySource, accuracyOfSession } from "./accuracy";
import { type FidelitySource, ownFidelity } from "./fidelity";
import { windowUnderProfile } from "./overhead";

interface FidelityTask {
  /** Skips sessions without a recorded compaction. */
  readonly recordedOnly?: boolean;
  /** Settings that replace defaults, for policies that have them. */
  readonly settings?: ReplayRequest["settings"];
  /** The window, if it contains the agent's configuration. */
  readonly profile?: ContextProfile | undefined;
}

/** Checks of a session for its summary. */
export interface AskedChecks {
  /** Checks the agent's own policy against the recorded compactions. */
  readonly fidelity?: FidelityTask;
  /** Adds the accuracy of these estimators to the summary. */
  readonly accuracy?: AccuracyChoice;
}

/** Known facts of a session that was just read. */
type ReadSession = AccuracySource & FidelitySource;

/** True if the index asks for a recording's texts: to check compactions, or to estimate requests without usage if others have usage. */
export function asksTexts({ boundaries, requests }: Transcript): boolean {
  const hasUsage = requests.map((point) => contextOf(point) > 0);
  return boundaries.some(({ kind }) => kind === "compaction") || (hasUsage.includes(true) && hasUsage.includes(false));
}

/** The summary with the tokens sent and the requested checks. */
export async function withChecks(read: ReadSession, { fidelity, accuracy }: AskedChecks): Promise<SessionSummary> {
  const { summary } = read;
  const contextWindow = await windowUnderProfile(read, fidelity?.profile);
  const isChecked = fidelity?.recordedOnly !== true || summary.compactions.length > 0;
  return {
    ...summary,
    ...(await tokensSent(read)),
    ...(fidelity !== undefined && {
      fidelity: isChecked
        ? await ownFidelity({ ...read, summary: { ...summary, contextWindow }, settings: fidelity.settings })
        : null,
    }),
    ...(accuracy !== undefined && { accuracy: await accuracyOfSession(accuracy, read) }),
  };
}

/**
 * Tokens sent with all requests, those without usage estimated as their agent counts and sends them; nothing if no request has usage. Source:
 * docs/method.md, "The metrics of a replay".
 */
async function tokensSent(read: ReadSession): Promise<Pick<SessionSummary, "tokensSent" | "estimatedSent">> {
  const { summary, columns, tokens, columnsFor } = read;
  if (summary.requests === 0) return {};
  if (summary.requestsWithoutUsage === 0) {
    const points = Array.from({ length: pointCount(columns) }, (_, at) => recordedContext(columns, at));
    return { tokensSent: sum(points) };
  }
  try {
    const measured = summary.agent === null ? columns : await columnsFor(summary.agent);
    const recording = recordingOf(summary, { columns: measured, tokens: await tokens(ownEstimator(summary)) });
    const { context, estimated } = recordedSeries(asSent(recording));
    return { tokensSent: sum(context), estimatedSent: sum(context.filter((_, at) => estimated[at] === 1)) };
  } catch (error) {
    // The file was replaced since it was read, and is read again soon; or a bundle lacks this count.
    if (isInputError(error)) return {};
    throw error;
  }
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}
