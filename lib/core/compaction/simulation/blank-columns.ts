import type { SessionColumns } from "../../columns/columns";
import { NEVER } from "../../columns/membership";
import { pointCount } from "../../columns/points";

/** Initial columns of a replay. All replays of a session share them and must not write to them: a replay copies a column before it changes it. */
export interface BlankColumns {
  /** `NEVER` for every row. */
  readonly never: Int32Array;
  /** 0 at every request point. */
  readonly nothing: Int32Array;
  /** 1 at every request point. */
  readonly always: Uint8Array;
}

export function blankColumns(columns: SessionColumns): BlankColumns {
  const points = pointCount(columns);
  return {
    never: new Int32Array(columns.length).fill(NEVER),
    nothing: new Int32Array(points),
    always: new Uint8Array(points).fill(1),
  };
}
