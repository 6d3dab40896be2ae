import type { ContextProfile } from "@/lib/core/context/profile";
import type { ReplayRequest, SessionSummary } from "@/lib/queries/contract/schemas";
import { type AccuracyChoice, type AccuracySource, accuracyOfSession } from "./accuracy";
import { type FidelitySource, ownFidelity } from "./fidelity";
import { windowUnderProfile } from "./standing";

interface FidelityTask {
  /** Leaves out sessions without a recorded compaction. */
  readonly recordedOnly?: boolean;
  /** Settings that replace defaults, for policies that have them. */
  readonly settings?: ReplayRequest["settings"];
  /** Gives the window if it contains the agent's configuration. */
  readonly profile?: ContextProfile | undefined;
}

/** Checks of a session that are told with its summary. */
export interface AskedChecks {
  /** Checks the agent's own policy against the recorded compactions. */
  readonly fidelity?: FidelityTask;
  /** Adds to the summary how these estimators compare with the recorded usage. */
  readonly accuracy?: AccuracyChoice;
}

/** What is known of a session that was just read. */
type ReadSession = AccuracySource & FidelitySource;

/** The summary with the checks that were asked for. */
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
