import { countedBySize } from "@/lib/core/columns/token-columns";
import type { Policy, PolicyChosen } from "@/lib/core/compaction/policy";
import { type CountingMode, replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";

/** A drawn session, and everything that it is replayed with. */
export interface DrawnRun extends PolicyChosen {
  readonly drawing: string;
  readonly counting: CountingMode;
}

/** From a window in which nearly everything compacts to one in which nothing does. */
export const DRAWN_WINDOWS = [300, 1000, 5000, 40_000, 1_000_000] as const;

/** Replays the session, made anew, under a policy. */
export function replayed({ drawing, preset, window, counting, settings }: DrawnRun, policy: Policy) {
  const columns = drawColumns(drawing);
  const run = replay(countedBySize(columns, "bytes-4"), policy, settings, { preset, window, counting });
  return { columns, run };
}
