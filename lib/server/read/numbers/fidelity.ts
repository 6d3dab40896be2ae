import { profileOf } from "@/lib/agents/registry";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { recordingOf } from "@/lib/core/context/recording";
import { checkFidelity, toFidelity } from "@/lib/queries/accuracy/fidelity";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import type { FidelityWire, ReplayRequest, SessionSummary } from "@/lib/queries/contract/schemas";

/** Source of the numbers for a check. */
export interface FidelitySource {
  readonly summary: SessionSummary;
  readonly settings?: ReplayRequest["settings"];
  /** Token column of an estimator, inferred overhead included. */
  readonly tokens: (estimator: string) => Promise<Int32Array>;
  /** The columns with a policy's measures. */
  readonly columnsFor: (policy: string) => Promise<SessionColumns>;
}

/** Checks the policy of the session's own agent against its recorded compactions; null if no policy of its agent is known. Rejects with `InputError`. */
export async function ownFidelity({
  summary,
  settings,
  tokens,
  columnsFor,
}: FidelitySource): Promise<FidelityWire | null> {
  const profile = profileOf(summary.agent);
  if (profile === undefined) return null;
  const columns = await columnsFor(profile.id);
  const recording = recordingOf(summary, { columns, tokens: await tokens(ownEstimator(summary)) });
  // If the first records name missing parents, those were cut off.
  const isTrimmed = summary.problems.some(({ code }) => code === "missing-parent");
  const checked = checkFidelity(recording, settings, isTrimmed);
  return checked === undefined ? null : toFidelity(checked);
}
