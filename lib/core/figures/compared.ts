import type { Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { basisOf } from "../compaction/counting";
import { isRewrittenByReads } from "../compaction/recorded-rewritten";
import type { Replay } from "../compaction/replay";
import type { Calibration } from "../tokens/calibration";
import type { Rests } from "./figure";
import { type Figures, figuresOf } from "./values";

/** A replay that is compared with others. */
export interface Compared extends Rests {
  readonly calibration: Calibration | undefined;
  readonly figures: Figures;
}

/** What the figures of a replay rest on. */
export function restsOf(
  replay: Pick<Replay, "estimated" | "calibration">,
  columns: SessionColumns,
  isRecording: boolean,
): Rests {
  return { basis: basisOf(replay, columns), isRecording, rewrittenByReads: isRecording && isRewrittenByReads(columns) };
}

/** A replay in the form in which it is compared. @param window that of its policy, in tokens */
export function comparedOf(replay: Replay, columns: SessionColumns, window: Tokens, isRecording: boolean): Compared {
  const figures = figuresOf({ replay, window, isRecording });
  return { ...restsOf(replay, columns, isRecording), figures, calibration: replay.calibration };
}
