import type { SettingSpec, Settings } from "@/lib/core/compaction/settings/settings";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";

/**
 * Where the size of a simulated summary comes from: the reader's choice, the mean of the session's recorded summaries, the
 * agent's documentation, or an assumption where there is neither; `own`: the policy made a summary of another size, an empty or
 * an automatic one.
 */
type SummarySize = "chosen" | "recordedMean" | "documented" | "assumed" | "own";

interface InForce {
  readonly specs: readonly SettingSpec[];
  readonly settings: Settings;
  /** Keys of the settings that differ from their default. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Where the size of a compaction's summary comes from.
 * @param inForce the settings that it was simulated with
 */
export function summarySizeOf(
  { summaryTokens }: Pick<SimulatedCompaction, "summaryTokens">,
  { specs, settings, changed }: InForce,
): SummarySize {
  const spec = specs.find(({ key }) => key === "summaryTokens");
  if (spec === undefined || settings[spec.key] !== summaryTokens) return "own";
  if (changed.has(spec.key)) return "chosen";
  if (spec.source.notes?.includes("recordedMean") === true) return "recordedMean";
  return spec.source.kind === "ours" ? "assumed" : "documented";
}
