import type { SessionColumns } from "../columns/columns";
import { basisOf } from "../compaction/counting";
import { isUncachedByReads } from "../compaction/policies/recorded-uncached";
import type { Replay } from "../compaction/replay";
import type { Calibration } from "../context/calibration";
import type { ComparisonBasis, MetricInput } from "./metric";
import { bandsOf, type MetricBands, type Metrics, metricsOf } from "./values";

/** A replay that is compared with others. */
export interface Compared extends ComparisonBasis {
  /** True if it used the best timing in hindsight: it is compared with policies, and never marked as the best of them. */
  readonly isHindsight: boolean;
  readonly calibration: Calibration | undefined;
  readonly metrics: Metrics;
  readonly bands: MetricBands;
}

/** The basis of a replay's metrics. */
function comparisonBasis(
  replay: Pick<Replay, "estimated" | "calibration">,
  columns: SessionColumns,
  isRecording: boolean,
): ComparisonBasis {
  return { basis: basisOf(replay, columns), isRecording, uncachedByReads: isRecording && isUncachedByReads(columns) };
}

/** A replay with its metrics, ready to be compared. */
export function comparedOf(input: MetricInput, columns: SessionColumns, isHindsight = false): Compared {
  const { replay, isRecording } = input;
  const basis = comparisonBasis(replay, columns, isRecording);
  return { ...basis, isHindsight, metrics: metricsOf(input), bands: bandsOf(input), calibration: replay.calibration };
}
