import type { Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy";
import { type CountingMode, type Replay, replay } from "@/lib/core/compaction/replay";
import { resolveSettings, type Settings } from "@/lib/core/compaction/settings";
import type { Comparison } from "./cross-check";
import type { LoadedRecording } from "./loaded-recording";
import { checkAccount } from "./run-account";

/** What a policy is run with. */
export interface ColumnarChoice {
  readonly preset: string;
  readonly window: Tokens;
  readonly given: Readonly<Record<string, unknown>>;
  /** The window that the settings' defaults and bounds are of; without it the window. */
  readonly boundsOf?: Tokens;
  readonly counting?: CountingMode;
}

/** Runs a policy over a recording's numbers, and holds what the run says of itself to its own series. */
export function columnarRun(
  { columns, tokens, agent }: LoadedRecording,
  policy: Policy,
  { preset, window, given, boundsOf = window, counting = "estimate" }: ColumnarChoice,
  comparison: Comparison,
): { readonly settings: Settings; readonly numbers: Replay } {
  const settings = resolveSettings(policy.settings(preset, { window: boundsOf, agent }), given);
  const numbers = replay(columns, tokens, policy, settings, { preset, window, counting });
  checkAccount(comparison, numbers, { policy, preset, settings, window });
  return { settings, numbers };
}
