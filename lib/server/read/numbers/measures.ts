import { serverProfileOf } from "@/lib/agents/registry";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";

/** The name of the measure that numbers items of equal text; not tied to a policy. */
const CONTENTS = "contents";

/** The name of the index of what the texts name and replace, which tells what a compaction lost. */
export const NEEDS = "needs";

/** By policy the measures of every row, by name; no names where a policy asks for none. */
export type MeasuresByPolicy = Readonly<Record<string, Record<string, Int32Array>>>;

/** Whether there are measures under that name: a policy's id, `contents`, or `needs`. */
export function hasMeasures(policy: string): boolean {
  return policy === CONTENTS || policy === NEEDS || serverProfileOf(policy)?.measures !== undefined;
}

/**
 * What a replay asks for beyond tokens: its policy's measures, the index of needs, and equal contents if repeated texts become references.
 * @param asksNeeds whether anybody asks what was needed again
 */
export function measureNames(
  policy: string,
  settings: Readonly<Record<string, unknown>> = {},
  asksRefetches = true,
): readonly string[] {
  return [policy, ...(asksRefetches ? [NEEDS] : []), ...(settings.inputReferences === true ? [CONTENTS] : [])];
}

/** The measures under a name, for one pass over a file; `undefined` where there are none. */
export async function measuresOf(policy: string): Promise<MessageMeasures | undefined> {
  // This numbers texts over one session, so it is made anew for every pass.
  if (policy === CONTENTS) return (await import("./contents")).contentMeasures();
  return serverProfileOf(policy)?.measures?.();
}
