import { idOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject } from "@/lib/core/records/fields";
import type { StartedSubagent } from "@/lib/core/transcript/model";
import type { Envelope } from "./schema";

/** The note after a subagent's answer, in the text that the model reads. */
const AGENT_NOTE = /^agentId: ([\w-]{1,64})\b/;

/**
 * The subagent that a record refers to. The result of its starting call names it in `toolUseResult`, or in some versions only in a note at its end;
 * while it runs, `progress` records repeat its messages. Source: README.md, "Subagents".
 */
export function startedSubagent(envelope: Envelope, record: JsonObject): StartedSubagent | undefined {
  // A sidechain's results answer the subagent's own calls: agents started by these belong to the subagent, not to this session.
  if (envelope.isSidechain === true) return undefined;
  if (envelope.type === "progress") return inProgress(record);
  if (envelope.type !== "user" || !isObject(record.message) || !Array.isArray(record.message.content)) return undefined;
  const result: unknown = record.message.content.find((part) => isObject(part) && part.type === "tool_result");
  if (!isObject(result)) return undefined;
  const named = isObject(record.toolUseResult) ? idOf(record.toolUseResult.agentId) : undefined;
  return started(named ?? noted(result.content), result.tool_use_id);
}

function inProgress({ data, parentToolUseID }: JsonObject): StartedSubagent | undefined {
  return isObject(data) && data.type === "agent_progress" ? started(idOf(data.agentId), parentToolUseID) : undefined;
}

function started(agentId: string | undefined, call: unknown): StartedSubagent | undefined {
  const callId = idOf(call);
  if (agentId === undefined) return undefined;
  return callId === undefined ? { agentId } : { agentId, callId };
}

function noted(content: unknown): string | undefined {
  const last: unknown = Array.isArray(content) ? content.at(-1) : undefined;
  return isObject(last) && typeof last.text === "string" ? AGENT_NOTE.exec(last.text)?.[1] : undefined;
}

/** True for the subagent that a compaction runs to write its summary. Source: README.md, "Traps". */
export function isCompactionAgent(agentId: unknown): boolean {
  return typeof agentId === "string" && agentId.startsWith("acompact");
}

/**
 * True if a subagent's records begin with copies of the session's: those of a side question (`/btw`) and of a summary call do, since both are sent
 * with the whole history. Source: README.md, "Traps".
 */
export function repeatsSession(agentId: string | undefined): boolean {
  return isCompactionAgent(agentId) || agentId?.startsWith("aside_question") === true;
}
