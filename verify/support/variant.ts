import type { Tokens } from "@/lib/core/base/units";
import type { CountingMode } from "@/lib/core/compaction/replay";

/** Settings that a policy is run with. */
export interface Variant {
  readonly label: string;
  readonly window: Tokens;
  readonly given: Readonly<Record<string, unknown>>;
  /** Counting mode; the estimate if absent. */
  readonly counting?: CountingMode;
}
