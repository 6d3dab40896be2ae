import { AGENT_NAMES, type AgentId, agentName } from "./names";

/** Formats that any program may have written: their sessions belong to no agent, and so have no policy and no estimator of their own. */
export const GENERAL_FORMATS = {
  "api-log": { id: "api-log", label: "API request log" },
  chat: { id: "chat", label: "Chat messages" },
} as const satisfies Record<string, { readonly id: string; readonly label: string }>;

/** Every format that a file can be read as. */
export type FormatId = AgentId | keyof typeof GENERAL_FORMATS;

/** Every format that a person can choose: first the agents', then the general ones. */
export const FORMATS: readonly { readonly id: string; readonly label: string }[] = [
  ...Object.values(AGENT_NAMES),
  ...Object.values(GENERAL_FORMATS),
];

/** Whether this build reads the format with that id. */
export function isFormat(id: string): id is FormatId {
  return FORMATS.some((format) => format.id === id);
}

/** The agent that writes a format; `null` for the general formats. */
export function agentOfFormat(format: string): string | null {
  return agentName(format) === undefined ? null : format;
}

/** A format's display name; its id where this build does not know it. */
export function formatLabel(format: string): string {
  return FORMATS.find(({ id }) => id === format)?.label ?? format;
}
