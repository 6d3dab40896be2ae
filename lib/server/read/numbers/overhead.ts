import { policyById, serverProfileOf } from "@/lib/agents/registry";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { ContextOverhead } from "@/lib/core/context/context-overhead";
import { type ContextProfile, profileOverhead } from "@/lib/core/context/profile";
import { windowUnder, windowUnderPreset, withPresets } from "@/lib/core/context/window";
import type { ContextWindow } from "@/lib/core/transcript/model";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { presetOfVersion } from "@/lib/queries/session/session-context";
import { estimatorOf } from "./estimators";

/** A profile's overhead as an agent measures it under an estimator. Rejects with `UnknownEstimatorError`. */
export async function overheadOfProfile(
  profile: ContextProfile,
  agent: string | null,
  estimator: string,
): Promise<ContextOverhead> {
  const { text } = await estimatorOf(estimator);
  const rule = (await serverProfileOf(agent)?.overhead?.()) ?? profileOverhead;
  return rule(profile, text);
}

/** A session's window under its agent's configuration in a profile, by the rules of each of the agent's presets; without one, as read. */
export async function windowUnderProfile(
  { summary, columns }: { readonly summary: SessionSummary; readonly columns: SessionColumns },
  profile: ContextProfile | undefined,
): Promise<ContextWindow> {
  const { agent, contextWindow } = summary;
  const config = profile?.config;
  const policy = agent === null ? undefined : policyById(agent);
  const rule = config === undefined ? undefined : await serverProfileOf(agent)?.windowsBeside?.();
  if (config === undefined || policy === undefined || rule === undefined) return contextWindow;
  const { tables, requests } = columns;
  const models = Array.from(requests.model, (model) => tables.models[model]);
  const under = (preset: string) =>
    windowUnder(windowUnderPreset(contextWindow, preset), models, rule.ofConfig(config, preset));
  return withPresets(
    under(presetOfVersion(policy, summary)),
    policy.presets.map((preset) => [preset, under(preset)] as const),
  );
}
