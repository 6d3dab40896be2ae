import { CURRENT_WARN_BELOW_TOKENS } from "@/lib/agents/openclaw/base/constants";
import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { isObject, type JsonObject, listOf, objectOf, positiveInteger } from "@/lib/agents/openclaw/messages/value";
import {
  type ConfiguredBy,
  capOf,
  configuredWindow,
  isRelease2026May,
} from "@/lib/agents/openclaw/report/context-window";
import type { Tokens } from "@/lib/core/base/units";

interface WindowInfo {
  readonly tokens: Tokens;
  readonly source: ConfiguredBy | "model" | "default";
}

interface WindowQuestion {
  readonly provider: string;
  readonly modelId: string;
  readonly defaultTokens: Tokens;
  readonly modelContextWindow?: unknown;
  /** 2026.9.6: a limit of the model below its window. */
  readonly modelContextTokens?: unknown;
  readonly config?: unknown;
}

/** The window: the one configured for the model, else the model's, else the default. The agents' limit caps it until 2026.8. */
export function windowInfo(question: WindowQuestion, preset: OpenClawPreset): WindowInfo {
  const configured = configuredWindow(configuredModel(question, preset), preset);
  const limit =
    preset === "current" || isRelease2026May(preset) ? positiveInteger(question.modelContextTokens) : undefined;
  const own = limit ?? positiveInteger(question.modelContextWindow);
  const info = chosen(configured, own, defaultTokens(question, preset));
  const cap = capOf(question.config, preset);
  return cap !== undefined && cap < info.tokens ? { tokens: cap, source: "agentContextTokens" } : info;
}

/** 2026.9.6 also knows windows of models by their names. They are omitted here, since a session does not need them. */
function defaultTokens({ defaultTokens: given }: WindowQuestion, preset: OpenClawPreset): Tokens {
  if (preset !== "current") return Math.floor(given);
  return positiveInteger(given) ?? CURRENT_WARN_BELOW_TOKENS;
}

function chosen(configured: Tokens | undefined, model: Tokens | undefined, byDefault: Tokens): WindowInfo {
  if (configured !== undefined) return { tokens: configured, source: "modelsConfig" };
  return model !== undefined ? { tokens: model, source: "model" } : { tokens: byDefault, source: "default" };
}

function configuredModel({ config, provider, modelId }: WindowQuestion, preset: OpenClawPreset): JsonObject {
  const providers = objectOf(objectOf(objectOf(config).models).providers);
  const models = listOf(objectOf(providers[provider]).models);
  const named = (id: unknown) =>
    id === modelId || (preset === "current" && typeof id === "string" && id.trim() === modelId.trim());
  return objectOf(models.find((model) => isObject(model) && named(model.id)));
}
