import { policyById, policyNames, profileOf } from "@/lib/agents/policies";
import { defaultWindowOf } from "@/lib/agents/shared/profile";
import type { Tokens } from "@/lib/core/base/units";
import { boundariesOf } from "@/lib/core/columns/columns";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import { isRecordedPolicy, summaryTokensAt } from "@/lib/core/compaction/policies/recorded";
import { inputSettings, isInputKey } from "@/lib/core/compaction/policy/input-settings";
import { pauseSettings } from "@/lib/core/compaction/policy/pause-settings";
import type { Policy, PolicyChosen, PolicyContext, PriceRatios } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, type SettingSpec, type Settings } from "@/lib/core/compaction/policy/settings";
import { presetOfName } from "@/lib/core/compaction/preset-names";
import { sizesOnEntry } from "@/lib/core/compaction/sizes-on-entry";
import type { Recording, RecordingFacts, WrittenBy } from "@/lib/core/context/recording";
import { windowUnderPreset } from "@/lib/core/context/window";
import type { ContextWindow } from "@/lib/core/transcript/model";

/** A policy that is ready to run over a session: with its preset, window and settings. */
export interface PreparedPolicy {
  readonly policy: Policy;
  readonly preset: string;
  readonly window: ContextWindow;
  readonly specs: readonly SettingSpec[];
  readonly settings: Settings;
}

/** The same in the policy's own format. */
export function chosenOf({
  preset,
  settings,
  window,
}: Pick<PreparedPolicy, "preset" | "settings" | "window">): PolicyChosen {
  return { preset, settings, window: window.tokens };
}

/** The user's choices; everything else has a default. */
export interface PolicyChoice {
  readonly policy: string;
  /** Default: the policy's first preset, whatever agent wrote the recording. */
  readonly preset?: string | undefined;
  readonly window?: Tokens | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Prices of tokens in proportion; `undefined` if none has a price. */
export interface TokenPrices {
  readonly ratios: PriceRatios | undefined;
}

/** Thrown for a policy or preset that this build does not know; the CLI exits with 2, the API answers 400. */
export class ChoiceError extends Error {
  override name = "ChoiceError";
}

/**
 * Resolves a choice of policy for a session. Throws `ChoiceError` and `SettingError`.
 * @param recording its sizes measure the recorded summaries
 * @param prices proportions of the prices in force; only called by policies whose defaults depend on it, since it walks over all requests
 */
export function preparePolicy(choice: PolicyChoice, recording: Recording, prices?: TokenPrices): PreparedPolicy {
  const { facts, columns } = recording;
  const policy = asSentBy(requirePolicy(choice.policy), recording);
  const preset = requirePreset(policy, choice.preset);
  const window = policyWindow(policy, facts, choice.window, preset);
  const context = policyContext(window, recording, prices);
  const own = policy.settings(preset, context);
  // The recording itself is not simulated, so neither its inputs nor its pauses can be changed.
  const specs = isRecordedPolicy(policy)
    ? own
    : [...own, ...pauseSettings(policy, preset, context), ...inputSettings(columns)];
  return { policy, preset, window, specs, settings: resolveSettings(specs, choice.settings ?? {}) };
}

/** Adapts a policy without an agent to the sizes that the recording's agent sends. Any other policy is returned unchanged. */
function asSentBy(policy: Policy, recording: Recording): Policy {
  const { agent } = recording.facts;
  const sender = agent === null || isRecordedPolicy(policy) || profileOf(policy.id) ? undefined : policyById(agent);
  if (sender?.entryRule === undefined && sender?.pairedTokens === undefined) return policy;
  const own = preparePolicy({ policy: sender.id, preset: presetOfVersion(sender, recording.facts) }, recording);
  const chosen = chosenOf(own);
  const rule = own.settings.entryTruncation === true ? sender.entryRule : undefined;
  if (rule === undefined && sender.pairedTokens === undefined) return policy;
  const known = sentPolicies.get(policy) ?? new Map<string, Policy>();
  sentPolicies.set(policy, known);
  const key = JSON.stringify([sender.id, own.preset, rule?.settings.map((name) => own.settings[name])]);
  const sent = known.get(key) ?? {
    ...policy,
    ...(sender.measures === undefined ? {} : { measures: sender.measures, measuredBy: sender.id }),
    pairedTokens: ({ columns }, item, tokens) => {
      const entered = rule?.tokens({ columns, ...chosen }, item, tokens) ?? tokens;
      return sender.pairedTokens?.({ columns, preset: own.preset, own: true }, item, entered) ?? entered;
    },
  };
  known.set(key, sent);
  return sent;
}

/** The policies made for agents and their settings: an equal choice gives the same object. */
const sentPolicies = new WeakMap<Policy, Map<string, Policy>>();

/** The policy with an id. Throws `ChoiceError`. */
export function requirePolicy(id: string): Policy {
  const policy = policyById(id);
  if (policy === undefined) {
    throw new ChoiceError(
      `unknown policy ${id}; known: ${policyNames()
        .map((known) => known.id)
        .join(", ")}`,
    );
  }
  return policy;
}

/** The chosen preset, or the policy's first one. Throws `ChoiceError`. */
export function requirePreset(policy: Policy, preset: string = firstPreset(policy)): string {
  const known = presetOfName(policy, preset);
  if (known !== undefined) return known;
  throw new ChoiceError(`unknown preset ${preset} of ${policy.id}; known: ${policy.presets.join(", ")}`);
}

/**
 * Checks a choice as far as possible before any session is read: its policy, its preset, and its settings, except settings whose values depend on a
 * session. Throws `ChoiceError` and `SettingError`.
 */
export function requireChoice({ policy: id, preset, window = 0, settings = {} }: PolicyChoice): void {
  const policy = requirePolicy(id);
  const specs = sessionlessSettings(policy, requirePreset(policy, preset), window);
  const own = Object.entries(settings).filter(([key]) => !isInputKey(key));
  resolveSettings(specs, Object.fromEntries(own));
}

/** The settings of a policy whose values do not depend on a session. */
export function sessionlessSettings(policy: Policy, preset: string, window: Tokens): readonly SettingSpec[] {
  const context = { window, agent: null };
  const own = policy.settings(preset, context);
  return isRecordedPolicy(policy) ? own : [...own, ...pauseSettings(policy, preset, context)];
}

/** The preset in force if none is named. */
export function firstPreset(policy: Policy): string {
  return policy.presets[0] ?? "default";
}

/**
 * The preset of the recording's own agent when it compacted, by its version or else by its file's contents; for any other policy, the policy's first
 * preset. A check against the recording uses it, and the page preselects it.
 */
export function presetOfVersion(policy: Policy, session: WrittenBy): string {
  const profile = session.agent === policy.id ? profileOf(session.agent) : undefined;
  return profile?.presetFor?.(session.agentVersion ?? undefined, session) ?? firstPreset(policy);
}

/**
 * A policy's window: the user's, else the session's as the policy's agent sees it (Codex works with the whole window, its files record the effective
 * one), else the default of the policy's preset. Codex's effective window is returned too. A lower bound of the session's window is not a limit: the
 * expected window applies, and the bound is returned too.
 */
export function policyWindow(
  policy: Policy,
  facts: Pick<RecordingFacts, "agent" | "contextWindow">,
  user: Tokens | undefined,
  preset?: string,
): ContextWindow {
  if (isRecordedPolicy(policy)) return recordedWindow(facts, user);
  const profile = profileOf(policy.id);
  const effective = profile?.effectiveWindow;
  const window = wholeWindow(policy, facts, user, preset);
  return effective === undefined || window.source === "inferred"
    ? window
    : { ...window, effective: effective(window.tokens) };
}

/**
 * The window in which a recording is shown: the user's, else the session's. For an agent that fills only a part of it (Codex), `tokens` is that part
 * and `whole` the window.
 * @param preset of the recording's agent; by default the one that wrote it
 */
export function recordedWindow(
  { agent, contextWindow }: Pick<RecordingFacts, "agent" | "contextWindow">,
  user: Tokens | undefined,
  preset?: string,
): ContextWindow {
  if (user === undefined) return windowUnderPreset(contextWindow, preset);
  const effective = profileOf(agent)?.effectiveWindow;
  return effective === undefined
    ? { tokens: user, source: "user" }
    : { tokens: effective(user), source: "user", whole: user };
}

function wholeWindow(
  policy: Policy,
  { agent, contextWindow }: Pick<RecordingFacts, "agent" | "contextWindow">,
  user: Tokens | undefined,
  preset: string | undefined,
): ContextWindow {
  if (user !== undefined) return { tokens: user, source: "user" };
  const profile = profileOf(policy.id);
  const { whole, ...window } = windowUnderPreset(contextWindow, agent === policy.id ? preset : undefined);
  const { source, exceeded } = window;
  if (source === "inferred" && !isRecordedPolicy(policy) && policy.id !== nonePolicy.id) {
    return { tokens: exceeded ?? window.tokens, source: "default", atLeast: window.tokens };
  }
  if (source === "default" && profile !== undefined) {
    return { tokens: defaultWindowOf(profile, preset).value, source };
  }
  if (agent !== policy.id || profile?.policyWindow === undefined || source === "inferred")
    return { ...window, tokens: whole ?? window.tokens };
  return { tokens: whole ?? profile.policyWindow(window.tokens), source };
}

/**
 * The recording with its items at the sizes that its own agent sends: a file may hold outputs before the agent's limit, and outputs that the agent
 * omits.
 */
export function asSent(recording: Recording): Recording {
  const { facts, columns, tokens } = recording;
  const policy = facts.agent === null ? undefined : policyById(facts.agent);
  if (policy?.entryRule === undefined && policy?.pairedTokens === undefined) return recording;
  const own = preparePolicy({ policy: policy.id, preset: presetOfVersion(policy, facts) }, recording);
  const { sizes: sent } = sizesOnEntry(tokens, policy, { columns, ...chosenOf(own), own: true });
  return sent === tokens ? recording : { ...recording, tokens: sent };
}

function policyContext(window: ContextWindow, recording: Recording, prices: TokenPrices | undefined): PolicyContext {
  const sizes = boundariesOf(recording.columns, "compaction")
    .map((row) => summaryTokensAt(recording, row))
    .filter((size) => size > 0);
  const sum = sizes.reduce((total, size) => total + size, 0);
  return {
    window: window.tokens,
    isDefaultWindow: window.source === "default",
    agent: recording.facts.agent,
    get priceRatios() {
      return prices?.ratios;
    },
    ...(sizes.length === 0
      ? {}
      : {
          recordedSummary: { mean: Math.round(sum / sizes.length), low: Math.min(...sizes), high: Math.max(...sizes) },
        }),
  };
}

/**
 * The trigger of the recording's own agent with its own settings, by its version; absent if its policy is unknown, or if only a lower bound of the
 * window is known.
 */
export function ownThreshold(
  recording: Recording,
  choice: Pick<PolicyChoice, "preset" | "window"> = {},
): { readonly tokens: Tokens; readonly preset: string; readonly settings: Settings } | undefined {
  const { facts } = recording;
  const policy = facts.agent === null ? undefined : policyById(facts.agent);
  if (policy === undefined || (choice.window === undefined && facts.contextWindow.source === "inferred"))
    return undefined;
  const preset = choice.preset ?? presetOfVersion(policy, facts);
  const own = preparePolicy({ ...choice, policy: policy.id, preset }, recording);
  const threshold = own.policy.threshold?.(chosenOf(own));
  if (threshold === undefined) return undefined;
  return { tokens: threshold, preset: `${own.policy.id}@${own.preset}`, settings: own.settings };
}
