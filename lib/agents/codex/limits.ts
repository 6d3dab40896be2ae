import type { Tokens } from "@/lib/core/base/units";
import type { CodexPreset } from "./presets";

/** When Codex compacts, and how much of the window it shows. Source: systems/codex.md §5 and §8. Browser-safe. */

/** Tokens that Codex takes as always in use when it shows a percentage. */
export const BASELINE_TOKENS: Tokens = 12_000;

/** Nine tenths of the window. */
export function nineTenths(window: Tokens): Tokens {
  return Math.floor((window * 9) / 10);
}

/** The limit at which it compacts: the configured one, in `current` at most nine tenths of the window. */
export function autoCompactLimit(window: Tokens | null, configured: Tokens | null, preset: CodexPreset): Tokens | null {
  const share = window === null ? null : nineTenths(window);
  if (configured === null) return share;
  return preset === "current" && share !== null ? Math.min(configured, share) : configured;
}

/** The window that Codex shows and records: a share of the raw one. */
export function effectiveWindow(window: Tokens, percent: number): Tokens {
  return Math.floor((window * percent) / 100);
}

/** Percentage of the window that is left, as shown: the baseline is neither window nor use. */
export function percentLeft(used: Tokens, window: Tokens): number {
  if (window <= BASELINE_TOKENS) return 0;
  const room = window - BASELINE_TOKENS;
  const left = Math.max(0, room - Math.max(0, used - BASELINE_TOKENS));
  return Math.round(Math.min(100, Math.max(0, (left / room) * 100)));
}
