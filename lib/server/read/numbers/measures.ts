import { policyById, profileOf } from "@/lib/agents/policies";
import { serverProfileOf } from "@/lib/agents/registry";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";

/** The name of the measure that numbers items of equal text; not tied to a policy. */
const CONTENTS = "contents";

/** The name of the index of names and replaced texts, which finds the losses of compactions. */
export const REFETCH_MEASURE = "needs";

/** The name of the measures of outputs and their later use. */
export const OUTPUTS = "outputs";

/** Measures of every row, by policy and name; empty for a policy that needs none. */
export type MeasuresByPolicy = Readonly<Record<string, Record<string, Int32Array>>>;

/** True if there are measures under that name: a policy's id, `contents`, `needs`, or `outputs`. */
export function hasMeasures(policy: string): boolean {
  return (
    policy === CONTENTS ||
    policy === REFETCH_MEASURE ||
    policy === OUTPUTS ||
    serverProfileOf(policy)?.measures !== undefined
  );
}

/**
 * Data of a replay beyond tokens: its policy's measures, the index of re-fetches, and equal contents if repeated texts become references.
 * @param asksRefetches true if the caller wants re-fetches
 */
export function measureNames(
  policy: string,
  settings: Readonly<Record<string, unknown>> = {},
  asksRefetches = true,
): readonly string[] {
  return [
    policy,
    ...(asksRefetches ? [REFETCH_MEASURE] : []),
    ...(settings.inputReferences === true ? [CONTENTS] : []),
  ];
}

/** Names of measures, with the recording's agent added if a policy belongs to no agent: that policy runs over items as the recording's agent sends them. */
export function withSender(names: readonly string[], agent: string | null): readonly string[] {
  const isOfNoAgent = names.some((name) => policyById(name) !== undefined && profileOf(name) === undefined);
  return isOfNoAgent && agent !== null ? [...names, agent] : names;
}

/** The measures under a name, for one pass over a file; `undefined` without any. */
export async function measuresOf(policy: string): Promise<MessageMeasures | undefined> {
  // These number the texts of one session, so every pass creates its own.
  if (policy === CONTENTS) return (await import("./contents")).contentMeasures();
  return serverProfileOf(policy)?.measures?.();
}
