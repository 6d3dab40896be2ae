import type { AgentProfile, BrowserProfile } from "@/lib/agents/shared/profile";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { assertDefined } from "@/lib/core/base/assert";
import type { DocumentList } from "@/lib/core/records/fields";
import type { Reader } from "@/lib/core/transcript/reader";
import type { AgentId, FormatId, ReadAgentId } from "./agents";
import { server as apiLogServer } from "./api-log/server";
import { profile as atif } from "./atif";
import { server as atifServer } from "./atif/server";
import { server as chatServer } from "./chat/server";
import { profile as claudeCode } from "./claude-code";
import { server as claudeCodeServer } from "./claude-code/server";
import { profile as clawdcode } from "./clawdcode";
import { server as clawdcodeServer } from "./clawdcode/server";
import { profile as cline } from "./cline";
import { server as clineServer } from "./cline/server";
import { profile as codex } from "./codex";
import { server as codexServer } from "./codex/server";
import { profile as continueProfile } from "./continue";
import { server as continueServer } from "./continue/server";
import { profile as copilotCli } from "./copilot-cli";
import { server as copilotCliServer } from "./copilot-cli/server";
import { profile as crush } from "./crush";
import { server as crushServer } from "./crush/server";
import { profile as dsh } from "./dsh";
import { server as dshServer } from "./dsh/server";
import { profile as factoryDroid } from "./factory-droid";
import { server as factoryDroidServer } from "./factory-droid/server";
import { profile as geminiCli } from "./gemini-cli";
import { server as geminiCliServer } from "./gemini-cli/server";
import { profile as goose } from "./goose";
import { server as gooseServer } from "./goose/server";
import { profile as hermes } from "./hermes";
import { server as hermesServer } from "./hermes/server";
import { profile as inspect } from "./inspect";
import { server as inspectServer } from "./inspect/server";
import { profile as kimiCli } from "./kimi-cli";
import { server as kimiCliServer } from "./kimi-cli/server";
import { signatureOf } from "./known-signatures";
import { profile as miniClaudeCode } from "./mini-claude-code";
import { server as miniClaudeCodeServer } from "./mini-claude-code/server";
import { profile as miniSweAgent } from "./mini-swe-agent";
import { server as miniSweAgentServer } from "./mini-swe-agent/server";
import { profile as mistralVibe } from "./mistral-vibe";
import { server as mistralVibeServer } from "./mistral-vibe/server";
import { profile as openClaw } from "./openclaw";
import { server as openClawServer } from "./openclaw/server";
import { profile as opencode } from "./opencode";
import { server as opencodeServer } from "./opencode/server";
import { profile as openHands } from "./openhands";
import { server as openHandsServer } from "./openhands/server";
import { profile as pi } from "./pi";
import { server as piServer } from "./pi/server";
import { addProfiles, profileOf } from "./policies";
import { profile as qwenCode } from "./qwen-code";
import { server as qwenCodeServer } from "./qwen-code/server";
import { profile as rooCode } from "./roo-code";
import { server as rooCodeServer } from "./roo-code/server";
import { profile as sweAgent } from "./swe-agent";
import { server as sweAgentServer } from "./swe-agent/server";
import { profile as vsCodeCopilotChat } from "./vscode-copilot-chat";

/** Both profiles of every agent: all programs have them, and a page loads the browser profiles that it needs. */
const BOTH_PROFILES = {
  atif: { profile: atif, server: atifServer },
  "claude-code": { profile: claudeCode, server: claudeCodeServer },
  clawdcode: { profile: clawdcode, server: clawdcodeServer },
  cline: { profile: cline, server: clineServer },
  codex: { profile: codex, server: codexServer },
  "copilot-cli": { profile: copilotCli, server: copilotCliServer },
  continue: { profile: continueProfile, server: continueServer },
  crush: { profile: crush, server: crushServer },
  dsh: { profile: dsh, server: dshServer },
  "factory-droid": { profile: factoryDroid, server: factoryDroidServer },
  "gemini-cli": { profile: geminiCli, server: geminiCliServer },
  goose: { profile: goose, server: gooseServer },
  hermes: { profile: hermes, server: hermesServer },
  inspect: { profile: inspect, server: inspectServer },
  "kimi-cli": { profile: kimiCli, server: kimiCliServer },
  "mini-claude-code": { profile: miniClaudeCode, server: miniClaudeCodeServer },
  "mini-swe-agent": { profile: miniSweAgent, server: miniSweAgentServer },
  "mistral-vibe": { profile: mistralVibe, server: mistralVibeServer },
  openclaw: { profile: openClaw, server: openClawServer },
  opencode: { profile: opencode, server: opencodeServer },
  openhands: { profile: openHands, server: openHandsServer },
  pi: { profile: pi, server: piServer },
  "qwen-code": { profile: qwenCode, server: qwenCodeServer },
  "roo-code": { profile: rooCode, server: rooCodeServer },
  "swe-agent": { profile: sweAgent, server: sweAgentServer },
  "vscode-copilot-chat": { profile: vsCodeCopilotChat },
} as const satisfies Record<ReadAgentId, Required<BothProfiles>> & Record<AgentId, BothProfiles>;

/** A program whose sessions are not read has no server profile. */
type BothProfiles = { readonly profile: BrowserProfile; readonly server?: ServerProfile };

/** One part of every agent, by the agent's id. */
function eachAgent<Part>(part: (profiles: BothProfiles, id: string) => Part): Record<AgentId, Part> {
  const entries = Object.entries<BothProfiles>(BOTH_PROFILES).map(([id, profiles]) => [id, part(profiles, id)]);
  return Object.fromEntries(entries); // It has the keys of the table.
}

function serverProfiles(): Record<ReadAgentId, ServerProfile> {
  const entries = Object.entries<BothProfiles>(BOTH_PROFILES).flatMap(([id, { server }]) =>
    server === undefined ? [] : [[id, server] as const],
  );
  return Object.fromEntries(entries) as Record<ReadAgentId, ServerProfile>; // The table has one for each of these.
}

addProfiles(eachAgent(({ profile }) => profile));

/** Every agent's profile. */
export const PROFILES: Readonly<Record<AgentId, AgentProfile>> = eachAgent((_profiles, id) =>
  assertDefined(profileOf(id), "a profile that was added above"),
);

/** Every format's server profile. */
export const SERVER_PROFILES: Readonly<Record<FormatId, ServerProfile>> = {
  ...serverProfiles(),
  "api-log": apiLogServer,
  chat: chatServer,
};

/** The server profile of a format or an agent; `undefined` for `null` and for ids that this build does not know. */
export function serverProfileOf(id: string | null): ServerProfile | undefined {
  return id !== null && Object.hasOwn(SERVER_PROFILES, id) ? SERVER_PROFILES[id as FormatId] : undefined; // The id is a key of the registry.
}

const all: Reader[] = Object.values(SERVER_PROFILES).map(({ reader }) => reader);
const lists = all.flatMap(({ documentList }) => (documentList === undefined ? [] : [documentList]));

/** Every format's reader, and the added ones. A file is offered to them in this order. */
export const READERS: readonly Reader[] = all;

/** Path of the list in a document whose objects are the records. */
export const DOCUMENT_LISTS: readonly DocumentList[] = lists;

/** Adds another program's reader, for this process. Its sessions belong to no known agent. Throws if its format is taken. */
export function addReader(reader: Reader): void {
  if (readerOf(reader.format) !== undefined) throw new Error(`There is a reader of ${reader.format} already.`);
  all.push(reader);
  if (reader.documentList !== undefined) lists.push(reader.documentList);
}

/** The reader that recognises the first records; `undefined` when none does, or when another program is known to write them. */
export function sniffReader(head: readonly Readonly<Record<string, unknown>>[]): Reader | undefined {
  return signatureOf(head) === undefined ? READERS.find((reader) => reader.sniff(head)) : undefined;
}

/** The reader of a format; `undefined` for ids that this build does not know. */
export function readerOf(format: string): Reader | undefined {
  return all.find((reader) => reader.format === format);
}

// Importers of this module have every agent's policies.
export { addPolicy, agentPolicies, POLICIES, policyById, profileOf, replacePolicy } from "./policies";
