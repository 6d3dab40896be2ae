import type { ContextProfile } from "@/lib/core/context/profile";
import type { ReplayRequest, SessionSummary } from "@/lib/queries/contract/schemas";
import { type AccuracyChoice, type AccuracySource, accuracyOfSession } from "./accuracy";
import { type FidelitySource, ownFidelity } from "./fidelity";
import { windowUnderProfile } from "./standing";

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

/** The summary with the requested checks. */
export async function withChecks(read: ReadSession, { fidelity, accuracy }: AskedChecks): Promise<SessionSummary> {
  const { summary } = read;
  const contextWindow = await windowUnderProfile(read, fidelity?.profile);
  const isChecked = fidelity?.recordedOnly !== true || summary.compactions.length > 0;
  return {
    ...summary,
    ...(fidelity !== undefined && {
      fidelity: isChecked
        ? await ownFidelity({ ...read, summary: { ...summary, contextWindow }, settings: fidelity.settings })
        : null,
    }),
    ...(accuracy !== undefined && { accuracy: await accuracyOfSession(accuracy, read) }),
  };
}
