import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Bytes } from "@/lib/core/base/units";

/** How much may be dropped before it is collected: a collection stops the thread for some 20 ms. */
const DROPPED_BYTES: Bytes = 64 << 20;

let collect: (() => void) | undefined;
let kept: Bytes = Number.POSITIVE_INFINITY;

/**
 * Collects this thread's garbage if there is much of it. V8 lets a heap grow by some 250 MB before it first looks at all of it, and where thousands of
 * sessions are written or asked about that much is soon dropped.
 */
export function keepHeapSmall(): void {
  const used = getHeapStatistics().used_heap_size;
  kept = Math.min(kept, used);
  if (used - kept < DROPPED_BYTES) return;
  collect ??= collector();
  collect();
  kept = getHeapStatistics().used_heap_size;
}

/** V8's own function for it, which programs see only where a flag says so; a new context is given it once the flag is set. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return typeof found === "function" ? () => found() : () => undefined;
}
