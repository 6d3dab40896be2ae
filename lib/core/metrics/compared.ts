import type { Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { type Basis, basisOf } from "../compaction/counting";
import { isRewrittenByReads } from "../compaction/recorded-rewritten";
import type { Replay } from "../compaction/replay";
import type { Calibration } from "../tokens/calibration";
import { figuresOf, type ReplayFigures, recordedFigures } from "./figures";

/** What the figures of a replay rest on: those that rest on different things are not set against each other. */
export interface Rests {
  readonly basis: Basis;
  /** Whether it is the recording itself. */
  readonly isRecording: boolean;
  /** Whether its `tokensRewritten` are what a recording says was not read from a cache, and not what comparing its contexts gives. */
  readonly rewrittenByReads: boolean;
}

/** A replay that is set beside others. */
export interface Compared extends Rests {
  readonly calibration: Calibration | undefined;
  readonly figures: ReplayFigures;
}

/** What the figures of a replay rest on. */
export function restsOf(
  replay: Pick<Replay, "estimated" | "calibration">,
  columns: SessionColumns,
  isRecording: boolean,
): Rests {
  return { basis: basisOf(replay, columns), isRecording, rewrittenByReads: isRecording && isRewrittenByReads(columns) };
}

/** A replay as it is compared. @param window that of its policy, in tokens */
export function comparedOf(replay: Replay, columns: SessionColumns, window: Tokens, isRecording: boolean): Compared {
  const figures = (isRecording ? recordedFigures : figuresOf)(replay, window);
  return { ...restsOf(replay, columns, isRecording), figures, calibration: replay.calibration };
}
