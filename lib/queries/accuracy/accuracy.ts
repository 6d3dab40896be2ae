import { vocabularyOf } from "@/lib/agents/agents";
import { type Accuracy, accuracyOf } from "@/lib/core/analysis/accuracy";
import type { Recording } from "@/lib/core/context/recording";
import { tokenizerMatch } from "@/lib/core/tokens/model-tokenizer";
import type { AccuracyRow } from "@/lib/queries/contract/types";
import { toCalibration } from "../session/calibration";
import { ownThreshold } from "../session/session-context";

/**
 * An estimator compared with a session's recorded usage; `undefined` if nothing can be compared. The trigger comes from the recording's own agent
 * with its own settings.
 * @param recording counted by the estimator
 */
export function accuracyRow(estimator: string, recording: Recording): AccuracyRow | undefined {
  const accuracy = accuracyOf(recording, ownThreshold(recording)?.tokens);
  return accuracy && toRow(estimator, accuracy, recording.facts.models);
}

function toRow(estimator: string, accuracy: Accuracy, models: readonly string[]): AccuracyRow {
  const { pairs, bias, mape, context, trigger, calibration } = accuracy;
  return {
    estimator,
    pairs,
    bias,
    mape,
    triggerShift: trigger?.shift ?? null,
    tokenizer: tokenizerMatch(vocabularyOf(estimator), models),
    context,
    trigger:
      trigger === undefined
        ? null
        : {
            threshold: trigger.threshold,
            recorded: trigger.recorded ?? null,
            estimated: trigger.estimated ?? null,
          },
    calibration: toCalibration(calibration),
  };
}

/** The existing rows; `null` if no estimator can be compared. */
export function accuracyRows(rows: readonly (AccuracyRow | undefined)[]): AccuracyRow[] | null {
  const present = rows.filter((row) => row !== undefined);
  return present.length === 0 ? null : present;
}
