import type { AgentSummary, BrowserProfile } from "@/lib/agents/shared/profile";
import type { Vocabulary } from "@/lib/core/tokens/model-tokenizer";

/** An agent's estimator and policy have its id, unless its entry says otherwise. */
interface AgentEntry extends Pick<AgentSummary, "label" | "mark" | "estimatorPresets" | "vocabularies"> {
  readonly estimator?: string;
  readonly hasPolicy?: false;
  /** Loads the rest of its profile. A page loads the agents that it needs. */
  readonly profile: () => Promise<{ readonly profile: BrowserProfile }>;
}

/** Every agent, in the order in which they are named. `registry.ts` holds what programs load of each. */
export const AGENTS = {
  atif: {
    label: "ATIF",
    mark: "AT",
    estimator: "bytes-4",
    hasPolicy: false,
    profile: () => import("./atif"),
  },
  "claude-code": {
    label: "Claude Code",
    mark: "CC",
    profile: () => import("./claude-code"),
  },
  clawdcode: {
    label: "ClawdCode",
    mark: "Cl",
    vocabularies: { clawdcode: "cl100k" },
    profile: () => import("./clawdcode"),
  },
  codex: {
    label: "Codex",
    mark: "Cx",
    estimatorPresets: ["as-documented", "release-2026-01", "current"],
    profile: () => import("./codex"),
  },
  "gemini-cli": {
    label: "Gemini CLI",
    mark: "Ge",
    profile: () => import("./gemini-cli"),
  },
  "mini-claude-code": {
    label: "mini-claude-code",
    mark: "mC",
    profile: () => import("./mini-claude-code"),
  },
  openclaw: {
    label: "OpenClaw",
    mark: "OC",
    estimatorPresets: ["as-documented", "current"],
    profile: () => import("./openclaw"),
  },
  opencode: {
    label: "opencode",
    mark: "Oc",
    profile: () => import("./opencode"),
  },
  pi: {
    label: "pi",
    mark: "Pi",
    estimatorPresets: ["current", "v0.51.0"],
    profile: () => import("./pi"),
  },
  "qwen-code": {
    label: "Qwen Code",
    mark: "Qw",
    profile: () => import("./qwen-code"),
  },
} as const satisfies Record<string, AgentEntry>;

export type AgentId = keyof typeof AGENTS;

/** The summaries of all agents. */
export const AGENT_SUMMARIES: readonly AgentSummary[] = Object.entries(AGENTS).map(([id, entry]) => ({
  id,
  estimator: id,
  hasPolicy: true,
  ...entry,
}));

/** Summary of the agent with an id; `undefined` for formats without an agent and for ids from a newer build. */
export function agentName(agent: string | null): AgentSummary | undefined {
  return AGENT_SUMMARIES.find(({ id }) => id === agent);
}

/** The public vocabulary that an estimator counts with; `undefined` for rules that compute from sizes. */
export function vocabularyOf(estimator: string): Vocabulary | undefined {
  if (estimator === "o200k" || estimator === "cl100k") return estimator;
  return AGENT_SUMMARIES.find(({ vocabularies }) => vocabularies?.[estimator])?.vocabularies?.[estimator];
}

/** Formats that any program may have written: their sessions belong to no agent, and so have no policy and no estimator of their own. */
export const GENERAL_FORMATS = {
  "api-log": { id: "api-log", label: "API request log" },
  chat: { id: "chat", label: "Chat messages" },
} as const satisfies Record<string, { readonly id: string; readonly label: string }>;

/** Every format that a file can be read as. */
export type FormatId = AgentId | keyof typeof GENERAL_FORMATS;

/** Every format that a person can choose: first the agents', then the general ones. */
export const FORMATS: readonly { readonly id: string; readonly label: string }[] = [
  ...AGENT_SUMMARIES,
  ...Object.values(GENERAL_FORMATS),
];

/** True if this build reads the format with that id. */
export function isFormat(id: string): id is FormatId {
  return FORMATS.some((format) => format.id === id);
}

/** The agent that writes a format; `null` for the general formats. */
export function agentOfFormat(format: string): string | null {
  return agentName(format) === undefined ? null : format;
}

/** A format's display name; its id if this build does not know it. */
export function formatLabel(format: string): string {
  return FORMATS.find(({ id }) => id === format)?.label ?? format;
}
