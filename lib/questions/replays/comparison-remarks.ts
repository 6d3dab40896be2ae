import type { ComparedRun, ComparisonRemark } from "@/lib/api/types";
import type { Remark } from "@/lib/core/figures/remarks";
import { doubtSentence } from "../session/calibration";

/** Remarks in the form of the contract, each with its sentence. */
export function toRemarks(remarks: readonly Remark[], runs: readonly ComparedRun[]): ComparisonRemark[] {
  return remarks.map(({ id, runs: about }) => ({
    id,
    runs: [...about],
    text: sentence(
      id,
      about.flatMap((run) => runs[run] ?? []),
    ),
  }));
}

function sentence(id: Remark["id"], runs: readonly ComparedRun[]): string {
  const names = [...new Set(runs.map(({ policy }) => policy))].join(", ");
  switch (id) {
    case "noDifference":
      return "no difference: every figure that is compared is the same.";
    case "usageApart":
      return `${names}: counted by the recorded usage, the others by an estimate that is not brought to it. Their figures are not set against each other.`;
    case "estimateApart":
      return `${names}: counted by an estimate that is not brought to the recorded usage, by which the others are counted. Their figures are not set against each other.`;
    case "rewrittenApart":
      return `${names}: tokensRewritten is what the recording says was not read from a cache behind its changes, of the others what comparing their contexts gives. The two are not set against each other.`;
    case "doubtfulCalibration":
      return `${names}: ${[...new Set(runs.flatMap(({ calibration }) => doubtSentence(calibration) ?? []))].join(" ")}`;
    case "hindsight":
      return `${names} at the best times: compacted before the requests where the whole session would have cost least by these prices, with what its compactions leave by these settings and never above the window where that can be avoided. That takes knowing what comes next: it is what was possible, no policy that could be run, and so never marked as the best.`;
    default:
      return id satisfies never;
  }
}
