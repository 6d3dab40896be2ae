import { KINDS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import {
  type BoundaryItem,
  type BoundaryParts,
  entrySizes,
  recordedBoundary,
  simulatedBoundaryItems,
  stateSums,
} from "@/lib/core/compaction/boundary-items";
import { basisOf } from "@/lib/core/compaction/counting";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { fileLabel } from "@/lib/core/compaction/policy/policy";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { refetchedOf } from "@/lib/core/refetch/metrics";
import type { BoundaryDetails, BoundaryItemWire } from "@/lib/queries/contract/types";
import { compactionWire, type RanReplay } from "../replays/replay-result";
import { toCalibration } from "../session/calibration";
import { ChoiceError, chosenOf } from "../session/session-context";

/** State and size of every item before and after one compaction. Throws `ChoiceError` if none comes before the request. */
export function toBoundaryDetails(ran: RanReplay, at: number): BoundaryDetails {
  const { prepared, replay: run } = ran;
  const { columns } = ran.recording;
  const index = run.compactions.findIndex(({ request }) => request === at);
  const compaction = run.compactions[index];
  if (compaction === undefined) {
    const known = run.compactions.map(({ request }) => request).join(", ");
    throw new ChoiceError(`no compaction before request ${at}; ${known === "" ? "there is none" : `known: ${known}`}`);
  }
  const { items, overhead } = boundaryParts(ran, index);
  return {
    ...compactionWire(compaction, columns, refetchedOf(columns, run, isRecorded(ran))),
    kind: isRecorded(ran) ? "recorded" : "simulated",
    policy: prepared.policy.id,
    preset: prepared.preset,
    counting: ran.counting,
    basis: basisOf(run, columns),
    calibration: toCalibration(run.calibration),
    thresholdTokens: prepared.policy.threshold?.(chosenOf(prepared)) ?? null,
    addedAt: compaction.addedAt ?? "front",
    entering: compaction.entering ?? 0,
    figures: { ...compaction.figures },
    overheadTokens: overhead.reduce((sum, { before }) => sum + before, 0),
    states: stateSums(items),
    items: items.map((item) => itemWire(item, columns)),
  };
}

type Ran = Omit<RanReplay, "counting">;

/** The overhead and the items at a compaction of a replay, recorded or simulated. */
export function boundaryParts(ran: Ran, index: number): BoundaryParts {
  const { recording, replay: run } = ran;
  const { columns } = recording;
  if (isRecorded(ran)) return recordedBoundary(columns, run, index);
  const sizes = sizesAsEntered(ran);
  return {
    items: simulatedBoundaryItems(columns, run, index, sizes),
    overhead: Array.from(sizes.subarray(0, columns.overheadRows), (tokens, row) => {
      return { category: columns.category[row] ?? 0, before: tokens, after: tokens };
    }),
  };
}

/** The size of each row as it enters a simulated context; under the recording's own policy, its counted size. */
export function sizesAsEntered(ran: Ran): Int32Array {
  const { recording, prepared, replay: run } = ran;
  if (isRecorded(ran)) return recording.tokens;
  const own = prepared.policy.id === recording.facts.agent;
  return entrySizes(recording, prepared.policy, { ...chosenOf(prepared), own }, run);
}

function isRecorded({ prepared }: Pick<RanReplay, "prepared">): boolean {
  return isRecordedPolicy(prepared.policy);
}

function itemWire(boundaryItem: BoundaryItem, columns: SessionColumns): BoundaryItemWire {
  const { item, state, before, after, synthetic } = boundaryItem;
  const size = { index: item, state, before, after };
  if (synthetic !== undefined) {
    const { category, label, name, role, count = null, files = [] } = synthetic;
    return {
      ...size,
      role: role ?? null,
      kind: null,
      category,
      label,
      name,
      count,
      tool: null,
      file: null,
      files: files.map(fileLabel),
      line: null,
    };
  }
  return {
    ...size,
    role: ROLES[columns.role[item] ?? 0] ?? null,
    kind: KINDS[columns.kind[item] ?? 0] ?? null,
    category: categoryOfCode(columns.category[item] ?? -1),
    label: null,
    name: null,
    count: null,
    tool: columns.tables.tools[columns.tool[item] ?? -1] ?? null,
    file: columns.tables.files[columns.file[item] ?? -1] ?? null,
    files: [],
    line: columns.line[item] ?? null,
  };
}
