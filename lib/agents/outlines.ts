import type { Vocabulary } from "@/lib/core/tokens/model-tokenizer";
import { AGENT_NAMES, type AgentId, type AgentName } from "./names";

/** What is known of an agent before its profile is loaded: how it counts, and whether it has a policy. */
export interface AgentOutline extends AgentName {
  /** The agent's own estimator: docs/interfaces.md, "Ids". */
  readonly estimator: string;
  /** Presets that may follow the estimator's id after an `@`, since their rules count differently; the bare id means the first. */
  readonly estimatorPresets?: readonly string[];
  /** Which public vocabulary each of its estimators counts with, for those that use one. */
  readonly vocabularies?: Readonly<Record<string, Vocabulary>>;
  /** Whether its profile has a policy, whose id is then the agent's. */
  readonly hasPolicy: boolean;
}

/** The outline of every agent. Its profile takes these lines from here. */
export const OUTLINES = {
  atif: { ...AGENT_NAMES.atif, estimator: "bytes-4", hasPolicy: false },
  "claude-code": { ...AGENT_NAMES["claude-code"], estimator: "claude-code", hasPolicy: true },
  clawdcode: {
    ...AGENT_NAMES.clawdcode,
    estimator: "clawdcode",
    vocabularies: { clawdcode: "cl100k" },
    hasPolicy: true,
  },
  codex: {
    ...AGENT_NAMES.codex,
    estimator: "codex",
    estimatorPresets: ["as-documented", "release-2026-01", "current"],
    hasPolicy: true,
  },
  "gemini-cli": { ...AGENT_NAMES["gemini-cli"], estimator: "gemini-cli", hasPolicy: true },
  "mini-claude-code": { ...AGENT_NAMES["mini-claude-code"], estimator: "mini-claude-code", hasPolicy: true },
  openclaw: {
    ...AGENT_NAMES.openclaw,
    estimator: "openclaw",
    estimatorPresets: ["as-documented", "current"],
    hasPolicy: true,
  },
  opencode: { ...AGENT_NAMES.opencode, estimator: "opencode", hasPolicy: true },
  pi: { ...AGENT_NAMES.pi, estimator: "pi", estimatorPresets: ["current", "v0.51.0"], hasPolicy: true },
  "qwen-code": { ...AGENT_NAMES["qwen-code"], estimator: "qwen-code", hasPolicy: true },
} as const satisfies Record<AgentId, AgentOutline>;

/** The outlines as a list, in the order in which agents are named. */
export const AGENT_OUTLINES: readonly AgentOutline[] = Object.values(OUTLINES);

/** The public vocabulary that an estimator counts with; `undefined` for rules that compute from sizes. */
export function vocabularyOf(estimator: string): Vocabulary | undefined {
  if (estimator === "o200k" || estimator === "cl100k") return estimator;
  return AGENT_OUTLINES.find(({ vocabularies }) => vocabularies?.[estimator])?.vocabularies?.[estimator];
}
