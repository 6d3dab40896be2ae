import type { AgentProfile, BrowserProfile } from "@/lib/agents/shared/profile";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { assertDefined } from "@/lib/core/base/assert";
import type { DocumentList } from "@/lib/core/records/fields";
import type { Reader } from "@/lib/core/transcript/reader";
import type { AgentId, FormatId } from "./agents";
import { server as apiLogServer } from "./api-log/server";
import { profile as atif } from "./atif";
import { server as atifServer } from "./atif/server";
import { server as chatServer } from "./chat/server";
import { profile as claudeCode } from "./claude-code";
import { server as claudeCodeServer } from "./claude-code/server";
import { profile as clawdcode } from "./clawdcode";
import { server as clawdcodeServer } from "./clawdcode/server";
import { profile as codex } from "./codex";
import { server as codexServer } from "./codex/server";
import { profile as geminiCli } from "./gemini-cli";
import { server as geminiCliServer } from "./gemini-cli/server";
import { signatureOf } from "./known-signatures";
import { profile as miniClaudeCode } from "./mini-claude-code";
import { server as miniClaudeCodeServer } from "./mini-claude-code/server";
import { profile as openClaw } from "./openclaw";
import { server as openClawServer } from "./openclaw/server";
import { profile as opencode } from "./opencode";
import { server as opencodeServer } from "./opencode/server";
import { profile as pi } from "./pi";
import { server as piServer } from "./pi/server";
import { addProfiles, profileOf } from "./policies";
import { profile as qwenCode } from "./qwen-code";
import { server as qwenCodeServer } from "./qwen-code/server";

/** Both profiles of every agent: all programs have them, and a page loads the browser profiles that it needs. */
const BOTH_PROFILES = {
  atif: { profile: atif, server: atifServer },
  "claude-code": { profile: claudeCode, server: claudeCodeServer },
  clawdcode: { profile: clawdcode, server: clawdcodeServer },
  codex: { profile: codex, server: codexServer },
  "gemini-cli": { profile: geminiCli, server: geminiCliServer },
  "mini-claude-code": { profile: miniClaudeCode, server: miniClaudeCodeServer },
  openclaw: { profile: openClaw, server: openClawServer },
  opencode: { profile: opencode, server: opencodeServer },
  pi: { profile: pi, server: piServer },
  "qwen-code": { profile: qwenCode, server: qwenCodeServer },
} as const satisfies Record<AgentId, BothProfiles>;

type BothProfiles = { readonly profile: BrowserProfile; readonly server: ServerProfile };

/** One part of every agent, by the agent's id. */
function eachAgent<Part>(part: (profiles: BothProfiles, id: string) => Part): Record<AgentId, Part> {
  const entries = Object.entries<BothProfiles>(BOTH_PROFILES).map(([id, profiles]) => [id, part(profiles, id)]);
  return Object.fromEntries(entries); // It has the keys of the table.
}

addProfiles(eachAgent(({ profile }) => profile));

/** Every agent's profile. */
export const PROFILES: Readonly<Record<AgentId, AgentProfile>> = eachAgent((_profiles, id) =>
  assertDefined(profileOf(id), "a profile that was added above"),
);

/** Every format's server profile. */
export const SERVER_PROFILES: Readonly<Record<FormatId, ServerProfile>> = {
  ...eachAgent(({ server }) => server),
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
