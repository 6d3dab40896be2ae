import { filledText, finite, isObject, type JsonObject, objectOf, textOf } from "@/lib/agents/openclaw/messages/value";
import { DEFAULT_PRUNING, type PruningSettings } from "@/lib/agents/openclaw/sent/pruning-settings";
import type { Milliseconds, Share } from "@/lib/core/base/units";

/** The settings of a configuration; `undefined` if pruning is not on. An odd value leaves the default. */
export function pruningSettings(raw: unknown): PruningSettings | undefined {
  if (!isObject(raw) || raw.mode !== "cache-ttl") return undefined;
  const byDefault = DEFAULT_PRUNING;
  const trim = objectOf(raw.softTrim);
  const clear = objectOf(raw.hardClear);
  const placeholder = filledText(textOf(clear.placeholder)?.trim());
  return {
    mode: "cache-ttl",
    ttlMs: durationMs(textOf(raw.ttl)) ?? byDefault.ttlMs,
    keepLastAssistants: whole(raw, "keepLastAssistants") ?? byDefault.keepLastAssistants,
    softTrimRatio: share(raw, "softTrimRatio") ?? byDefault.softTrimRatio,
    hardClearRatio: share(raw, "hardClearRatio") ?? byDefault.hardClearRatio,
    minPrunableToolChars: whole(raw, "minPrunableToolChars") ?? byDefault.minPrunableToolChars,
    tools: raw.tools ? raw.tools : byDefault.tools,
    softTrim: {
      maxChars: whole(trim, "maxChars") ?? byDefault.softTrim.maxChars,
      headChars: whole(trim, "headChars") ?? byDefault.softTrim.headChars,
      tailChars: whole(trim, "tailChars") ?? byDefault.softTrim.tailChars,
    },
    hardClear: {
      enabled: typeof clear.enabled === "boolean" ? clear.enabled : byDefault.hardClear.enabled,
      placeholder: placeholder ?? byDefault.hardClear.placeholder,
    },
  };
}

function whole(settings: JsonObject, key: string): number | undefined {
  const value = finite(settings[key]);
  return value === undefined ? undefined : Math.max(0, Math.floor(value));
}

function share(settings: JsonObject, key: string): Share | undefined {
  const value = finite(settings[key]);
  return value === undefined ? undefined : Math.min(1, Math.max(0, value));
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as `90s` or `1.5h`; a bare number means minutes. `undefined` if the text is not a duration. */
export function durationMs(text: string | undefined): Milliseconds | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text?.trim().toLowerCase() ?? "");
  if (match === null) return undefined;
  const unit = UNIT_MS[(match[2] ?? "m") as keyof typeof UNIT_MS]; // The expression matches only these units.
  return finite(Math.round(Number(match[1]) * unit));
}
