import type { Tokens } from "../base/units";
import type { RecordingFacts } from "../context/recording";
import type { ContextWindow } from "../transcript/model";

/** Facts of a recording if only its window is known. */
export function unknownFacts(tokens: Tokens, source: ContextWindow["source"] = "default"): RecordingFacts {
  const nothing = { agent: null, agentVersion: null, formatVersion: null, endedAt: null, models: [] };
  return { ...nothing, contextWindow: { tokens, source } };
}
