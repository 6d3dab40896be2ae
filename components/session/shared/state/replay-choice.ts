import { policyById } from "@/lib/agents/policies";
import type { Steps } from "@/lib/core/base/steps";
import { defaultCounting } from "@/lib/core/compaction/counting";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import {
  resolveSettings,
  type SettingSpec,
  type Settings,
  type SettingValue,
} from "@/lib/core/compaction/policy/settings";
import { lastingName, presetOfName } from "@/lib/core/compaction/preset-names";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import type { Recording, RecordingFacts, WrittenBy } from "@/lib/core/context/recording";
import { replayPreparedSteps } from "@/lib/queries/replays/replay-result";
import {
  firstPreset,
  type PreparedPolicy,
  preparePolicy,
  presetOfVersion,
  type TokenPrices,
} from "@/lib/queries/session/session-context";

/** The replay choices in the address, unchecked. */
export interface AskedReplay {
  readonly policy: string | null;
  readonly preset: string | null;
  readonly counting: CountingMode | null;
  readonly window: number | null;
}

/** The policy, prepared for replay, without the parts that change while a slider moves. */
export interface PolicyChoice extends Omit<PreparedPolicy, "settings"> {
  readonly counting: CountingMode;
  /** The window if the user selects none. */
  readonly defaultWindow: number;
}

/** A prepared replay, and which settings differ from their defaults. */
export interface ReplayChoice extends PolicyChoice {
  readonly settings: Settings;
  /** Keys of the settings that differ from their documented default. */
  readonly changed: ReadonlySet<string>;
}

/** Accepted sizes of a window, in tokens; other values in the address are ignored. */
export const WINDOW_LIMITS = { min: 1_000, max: 4_000_000 } as const;

/**
 * The policy and preset that the address names. A policy without a preset gets its first one, as everywhere. Without a policy it
 * is the default policy with the preset that fits the recording's version.
 */
export function namedRun(
  asked: Pick<AskedReplay, "policy" | "preset">,
  defaultPolicy: string,
  session: WrittenBy,
): { readonly policy: Policy; readonly preset: string } {
  const named = asked.policy === null ? undefined : policyById(asked.policy);
  const policy = named ?? policyById(defaultPolicy) ?? customPolicy;
  const preset = asked.preset === null ? undefined : presetOfName(policy, asked.preset);
  return { policy, preset: preset ?? (named === undefined ? presetOfVersion(policy, session) : firstPreset(policy)) };
}

/** The preset to write into the address for a newly selected policy: the preset of the recording's version; none if that is the first one. */
export function presetToName(id: string, session: WrittenBy): string | null {
  const policy = policyById(id);
  const preset = policy && presetOfVersion(policy, session);
  if (policy === undefined || preset === undefined || preset === firstPreset(policy)) return null;
  return lastingName(policy, preset);
}

/**
 * The policy that the address names. Unknown or out-of-range values fall back to the default.
 * @param prices the current token prices
 */
export function policyChoice(
  asked: AskedReplay,
  defaultPolicy: string,
  recording: Recording,
  prices?: TokenPrices,
): PolicyChoice {
  const { policy, preset } = namedRun(asked, defaultPolicy, recording.facts);
  const { id } = policy;
  const byDefault = preparePolicy({ policy: id, preset }, recording);
  const window = validWindow(asked.window) ? asked.window : undefined;
  const { settings: _defaults, ...prepared } = preparePolicy({ policy: id, preset, window }, recording, prices);
  return {
    ...prepared,
    counting: asked.counting ?? defaultCounting(recording),
    defaultWindow: byDefault.window.tokens,
  };
}

/** The policy with the settings in the address; settings that the policy does not take are ignored. */
export function withSettings(choice: PolicyChoice, asked: Readonly<Record<string, SettingValue>>): ReplayChoice {
  const { specs } = choice;
  const settings = resolveSettings(specs, validSettings(specs, asked));
  const changed = specs.filter((spec) => settings[spec.key] !== spec.default).map((spec) => spec.key);
  return { ...choice, settings, changed: new Set(changed) };
}

function validWindow(window: number | null): window is number {
  return window !== null && window >= WINDOW_LIMITS.min && window <= WINDOW_LIMITS.max;
}

function validSettings(
  specs: readonly SettingSpec[],
  asked: Readonly<Record<string, SettingValue>>,
): Record<string, SettingValue> {
  const valid: Record<string, SettingValue> = {};
  for (const spec of specs) {
    const value = asked[spec.key];
    if (value !== undefined && value !== null && isValidSetting(spec, value)) valid[spec.key] = value;
  }
  return valid;
}

/** True if a setting accepts a value, by the setting's own rule. */
function isValidSetting(spec: SettingSpec, value: SettingValue): boolean {
  try {
    resolveSettings([spec], { [spec.key]: value });
    return true;
  } catch {
    return false; // SettingError: the value is out of range or of another type.
  }
}

/**
 * The size that charts and shares of a session's page use as a policy's window. Codex records the effective window of a session, but its policy takes
 * the full one. A chart with both would show two windows of one session, so the effective one is drawn for the policy too. The panel's field, the
 * address and the command line name the full one.
 */
export function shownWindow(
  { policy, window }: Pick<PolicyChoice, "policy" | "window">,
  { agent, contextWindow }: Pick<RecordingFacts, "agent" | "contextWindow">,
): number {
  const isEffective = agent === policy.id && contextWindow.whole !== undefined;
  return isEffective ? (window.effective ?? window.tokens) : window.tokens;
}

/** The window line of a session's charts. */
interface DrawnWindow {
  readonly tokens: number;
  readonly source: RecordingFacts["contextWindow"]["source"];
  readonly isEffective: boolean;
}

/** The window that the timeline draws and names: the selected one, else the recording's. */
export function drawnWindow(
  choice: Pick<PolicyChoice, "policy" | "window">,
  facts: Pick<RecordingFacts, "agent" | "contextWindow">,
): DrawnWindow {
  const { tokens, source, whole } = facts.contextWindow;
  if (choice.window.source !== "user") return { tokens, source, isEffective: whole !== undefined };
  const shown = shownWindow(choice, facts);
  return { tokens: shown, source: "user", isEffective: shown !== choice.window.tokens };
}

/** A replay. If a user policy failed: a replay that compacts nothing, and the reason as a sentence. */
interface ReplayedOrIdle {
  readonly choice: ReplayChoice;
  readonly replay: Replay;
  readonly failure: string | undefined;
}

/** Replays, whatever a user policy does. */
export function* replayedOrIdle(choice: ReplayChoice, over: Recording): Steps<ReplayedOrIdle> {
  try {
    return { choice, replay: yield* replayPreparedSteps(choice, choice.counting, over), failure: undefined };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const idle = { ...choice, policy: idleAs(choice.policy) };
    return { choice: idle, replay: yield* replayPreparedSteps(idle, idle.counting, over), failure: error.message };
  }
}

/** A policy that compacts nothing, with the name and settings of another. */
export function idleAs({ id, label, presets, settings }: Policy): Policy {
  return { ...nonePolicy, id, label, presets, settings };
}
