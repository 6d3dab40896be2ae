import type { Tokens } from "@/lib/core/base/units";
import { LARGE_WINDOW, LARGE_WINDOW_BUFFER, SMALL_WINDOW_RATIO } from "../base/constants";

/** Size of prompt and answer at which Crush compacts. A share is rounded down to whole tokens, as in Go. Source: README.md, "Rules". */
export function triggerOf(window: Tokens): Tokens {
  const free = window > LARGE_WINDOW ? LARGE_WINDOW_BUFFER : Math.trunc(window * SMALL_WINDOW_RATIO);
  return window - free;
}
