import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { countingPass, type KnownRows, measuringPass } from "../read/numbers/count-items";
import { eachMessage, type LoadedFile } from "../read/texts/each-message";

/** Tokens of every row of a file, in a separate pass. */
export function countItems(loaded: LoadedFile, estimator: ItemEstimator): Int32Array {
  const counting = countingPass(loaded.transcript, estimator);
  eachMessage(loaded, counting);
  return counting.result();
}

/** An agent's measures of every row of a file, in a separate pass. */
export function measureItems(
  loaded: LoadedFile,
  measures: MessageMeasures,
  known?: KnownRows,
): Record<string, Int32Array> {
  const measuring = measuringPass(loaded.transcript, measures, known);
  eachMessage(loaded, measuring, known?.rows);
  return measuring.result();
}
