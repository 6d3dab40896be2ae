import type { AgentSummary, BrowserProfile } from "@/lib/agents/shared/profile";
import type { Vocabulary } from "@/lib/core/tokens/model-tokenizer";

/** An agent's estimator and policy have its id, unless its entry says otherwise. */
interface AgentEntry extends Pick<AgentSummary, "label" | "mark" | "estimatorPresets" | "vocabularies"> {
  readonly estimator?: string;
  readonly hasPolicy?: false;
  /** False for a program whose policy is known, and whose sessions are not read. */
  readonly hasReader?: false;
  /** Loads the rest of its profile. A page loads the agents that it needs. */
  readonly profile: () => Promise<{ readonly profile: BrowserProfile }>;
}

/** Every agent, in display order. `registry.ts` holds both profiles of each, for programs. */
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
  cline: {
    label: "Cline",
    mark: "Cn",
    estimator: "chars-4",
    profile: () => import("./cline"),
  },
  codex: {
    label: "Codex",
    mark: "Cx",
    estimatorPresets: ["as-documented", "release-2026-01", "current"],
    profile: () => import("./codex"),
  },
  continue: {
    label: "Continue",
    mark: "Ct",
    estimator: "bytes-4",
    hasPolicy: false,
    profile: () => import("./continue"),
  },
  "copilot-cli": {
    label: "GitHub Copilot CLI",
    mark: "Co",
    estimator: "bytes-4",
    profile: () => import("./copilot-cli"),
  },
  crush: {
    label: "Crush",
    mark: "Cr",
    estimator: "bytes-4",
    profile: () => import("./crush"),
  },
  dsh: {
    label: "DeepSeek Harness",
    mark: "DH",
    estimator: "bytes-4",
    profile: () => import("./dsh"),
  },
  "factory-droid": {
    label: "Factory Droid",
    mark: "Dr",
    estimator: "bytes-4",
    hasPolicy: false,
    profile: () => import("./factory-droid"),
  },
  "gemini-cli": {
    label: "Gemini CLI",
    mark: "Ge",
    profile: () => import("./gemini-cli"),
  },
  goose: {
    label: "Goose",
    mark: "Go",
    estimator: "o200k",
    profile: () => import("./goose"),
  },
  hermes: {
    label: "Hermes Agent",
    mark: "He",
    estimator: "chars-4",
    profile: () => import("./hermes"),
  },
  inspect: {
    label: "Inspect",
    mark: "In",
    estimator: "bytes-4",
    hasPolicy: false,
    profile: () => import("./inspect"),
  },
  "kimi-cli": {
    label: "Kimi CLI",
    mark: "Ki",
    estimator: "chars-4",
    profile: () => import("./kimi-cli"),
  },
  "mini-claude-code": {
    label: "mini-claude-code",
    mark: "mC",
    profile: () => import("./mini-claude-code"),
  },
  "mini-swe-agent": {
    label: "mini-swe-agent",
    mark: "mS",
    estimator: "bytes-4",
    hasPolicy: false,
    profile: () => import("./mini-swe-agent"),
  },
  "mistral-vibe": {
    label: "Mistral Vibe",
    mark: "MV",
    estimator: "bytes-4",
    profile: () => import("./mistral-vibe"),
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
  openhands: {
    label: "OpenHands",
    mark: "OH",
    estimator: "cl100k",
    profile: () => import("./openhands"),
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
  "roo-code": {
    label: "Roo Code",
    mark: "Ro",
    estimator: "chars-4",
    profile: () => import("./roo-code"),
  },
  "swe-agent": {
    label: "SWE-agent",
    mark: "SW",
    estimator: "bytes-4",
    hasPolicy: false,
    profile: () => import("./swe-agent"),
  },
  "vscode-copilot-chat": {
    label: "VS Code Copilot Chat",
    mark: "VC",
    estimator: "o200k",
    hasReader: false,
    profile: () => import("./vscode-copilot-chat"),
  },
} as const satisfies Record<string, AgentEntry>;

export type AgentId = keyof typeof AGENTS;

/** An agent whose sessions are read. */
export type ReadAgentId = {
  [Id in AgentId]: (typeof AGENTS)[Id] extends { readonly hasReader: false } ? never : Id;
}[AgentId];

/** The summaries of all agents. */
export const AGENT_SUMMARIES: readonly AgentSummary[] = Object.entries(AGENTS).map(([id, entry]) => ({
  id,
  estimator: id,
  hasPolicy: true,
  hasReader: true,
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
export type FormatId = ReadAgentId | keyof typeof GENERAL_FORMATS;

/** Every format that a person can choose: first the agents', then the general ones. */
export const FORMATS: readonly { readonly id: string; readonly label: string }[] = [
  ...AGENT_SUMMARIES.filter(({ hasReader }) => hasReader),
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
