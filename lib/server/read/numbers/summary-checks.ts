import { profileOf } from "@/lib/agents/policies";
import { recordedContext } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import type { ContextProfile } from "@/lib/core/context/profile";
import { recordedSeries } from "@/lib/core/context/recorded";
import { type Recording, recordingOf } from "@/lib/core/context/recording";
import { resumeOf } from "@/lib/core/context/resume";
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
  /** Adds what a resume of the file would load. */
  readonly resume?: boolean;
}

/** Known facts of a session that was just read. */
type ReadSession = AccuracySource & FidelitySource;

/** True if the index asks for a recording's texts: to check compactions, or to estimate requests without usage if others have usage. */
export function asksTexts({ boundaries, requests }: Transcript): boolean {
  const hasUsage = requests.map((point) => contextOf(point) > 0);
  return boundaries.some(({ kind }) => kind === "compaction") || (hasUsage.includes(true) && hasUsage.includes(false));
}

/** The summary with the tokens sent and the requested checks. */
export async function withChecks(
  read: ReadSession,
  { fidelity, accuracy, resume }: AskedChecks,
): Promise<SessionSummary> {
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
    ...(resume === true && { resume: await resumeOfSession(read) }),
    ...(accuracy !== undefined && { accuracy: await accuracyOfSession(accuracy, read) }),
  };
}

/**
 * Tokens sent with all requests, those without usage estimated as their agent counts and sends them; nothing if no request has usage. Source:
 * docs/method.md, "The metrics of a replay".
 */
async function tokensSent(read: ReadSession): Promise<Pick<SessionSummary, "tokensSent" | "estimatedSent">> {
  const { summary, columns } = read;
  if (summary.requests === 0) return {};
  if (summary.requestsWithoutUsage === 0) {
    const points = Array.from({ length: pointCount(columns) }, (_, at) => recordedContext(columns, at));
    return { tokensSent: sum(points) };
  }
  const recording = await ownRecording(read);
  if (recording === undefined) return {};
  const { context, estimated } = recordedSeries(recording);
  return { tokensSent: sum(context), estimatedSent: sum(context.filter((_, at) => estimated[at] === 1)) };
}

/** Content that a resume of the file would load; null if the agent cannot resume sessions, or the session cannot be counted. */
export async function resumeOfSession(read: ReadSession): Promise<NonNullable<SessionSummary["resume"]> | null> {
  const { summary } = read;
  const rule = profileOf(summary.agent)?.resume;
  const recording = rule === undefined ? undefined : await ownRecording(read);
  if (rule === undefined || recording === undefined) return null;
  return resumeOf(recording, recordedSeries(recording), rule, summary.agentVersion);
}

/** The recording as its agent counts and sends it. */
async function ownRecording({ summary, columns, tokens, columnsFor }: ReadSession): Promise<Recording | undefined> {
  try {
    const measured = summary.agent === null ? columns : await columnsFor(summary.agent);
    return asSent(recordingOf(summary, { columns: measured, tokens: await tokens(ownEstimator(summary)) }));
  } catch (error) {
    // The file was replaced since it was read, and is read again soon; or a bundle lacks this count.
    if (isInputError(error)) return undefined;
    throw error;
  }
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}
