import type { Tokens } from "@/lib/core/base/units";
import {
  MEDIUM_WINDOW,
  MEDIUM_WINDOW_RESERVE,
  OTHER_RESERVE,
  OTHER_USABLE,
  SMALL_WINDOW,
  SMALL_WINDOW_RESERVE,
} from "../base/constants";

/** Total of a request, its answer included, at which Cline makes room before the next one. Source: README.md, "Compaction". */
export function triggerOf(window: Tokens): Tokens {
  if (window === SMALL_WINDOW) return window - SMALL_WINDOW_RESERVE;
  if (window === MEDIUM_WINDOW) return window - MEDIUM_WINDOW_RESERVE;
  return Math.ceil(Math.max(window - OTHER_RESERVE, window * OTHER_USABLE));
}

/**
 * Number of messages that a truncation removes after the first two.
 * @param rest number of messages after the first two
 * @param total size that is compared with the trigger
 */
export function removedMessages(rest: number, total: Tokens, trigger: Tokens): number {
  const share = total / 2 > trigger ? 3 : 2;
  return Math.floor((rest * share) / 8) * 2;
}
