import { numberSpec } from "./common-settings";
import { isInputKey } from "./input-settings";
import type { Policy, PolicyContext } from "./policy";
import type { SettingSource, SettingSpec } from "./settings";

/** Keys of the settings about pauses, for any policy. */
export const PAUSE_KEYS = ["idleMinutes", "idleTokens", "keepAliveMinutes"] as const;

/** True if a key belongs to one of these settings. */
export function isPauseKey(key: string): boolean {
  return PAUSE_KEYS.some((one) => one === key);
}

/** True if a setting belongs to every policy rather than to one: about the inputs, or about pauses. */
export function isSharedKey(key: string): boolean {
  return isInputKey(key) || isPauseKey(key);
}

/** A day: longer pauses are not waited for. */
const MAX_MINUTES = 1440;
/** Smallest context that is compacted while idle, unless the agent has a limit of its own. Our choice. */
const IDLE_TOKENS = 100_000;

const OFF: SettingSource = { kind: "ours", notes: ["idleOff"] };
const never = { special: { value: 0, means: "never" } } as const;

/**
 * Settings about pauses, which every policy has in addition to its own: compacting while nobody types, and keeping the cached context alive. Off by
 * default, unless the policy's agent does it. Source: docs/method.md, "Pauses".
 */
export function pauseSettings(
  policy: Pick<Policy, "summarises" | "pauses">,
  preset: string,
  { window }: Pick<PolicyContext, "window">,
): readonly SettingSpec[] {
  const own = policy.pauses?.(preset);
  const { idleMinutes = 0, idleTokens = IDLE_TOKENS, source = OFF, inAgent = {} } = own ?? {};
  const most = Math.max(window, IDLE_TOKENS);
  const keepAlive: SettingSpec = {
    ...numberSpec("keepAliveMinutes", "Keep the cache alive", "minutes", [0, MAX_MINUTES, 5], 0, {
      kind: "ours",
      notes: ["keepAlive"],
    }),
    ...never,
    decidesWhen: true,
  };
  // A policy without summaries has nothing to compact with.
  if (policy.summarises === false) return [keepAlive];
  return [
    {
      ...numberSpec("idleMinutes", "Compact while idle", "minutes", [0, 120, 1], idleMinutes, source),
      ...never,
      ...present("inAgent", inAgent.idleMinutes),
      decidesWhen: true,
    },
    {
      ...numberSpec("idleTokens", "Idle compaction from", "tokens", [0, most, 5000], idleTokens, source),
      ...present("inAgent", inAgent.idleTokens),
      needs: { key: "idleMinutes", above: 0 },
      decidesWhen: true,
    },
    keepAlive,
  ];
}

function present<Key extends string, Value>(key: Key, value: Value | undefined) {
  return value === undefined ? {} : ({ [key]: value } as { readonly [one in Key]: Value });
}
