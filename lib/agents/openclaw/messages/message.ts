import { filledText, isObject, type JsonObject, listOf, textOf } from "./value";

/**
 * A message as the session holds it: role user, assistant, toolResult, bashExecution, custom, branchSummary or compactionSummary. Every field may
 * be missing or have another type.
 */
export type AgentMessage = JsonObject;

/** The blocks of a message whose content is a list. */
export function blocksOf(message: AgentMessage): readonly JsonObject[] {
  return listOf(message.content).filter(isObject);
}

/** A call within an assistant message. */
export interface ToolCall {
  readonly id: string;
  readonly name: string | undefined;
}

const CALL_TYPES = new Set(["toolCall", "toolUse", "functionCall"]);

/** The call in a block; none if the block has no id. Source: README.md, "Pairs". */
export function toolCallOf(block: JsonObject): ToolCall | undefined {
  const id = filledText(block.id);
  if (id === undefined || typeof block.type !== "string" || !CALL_TYPES.has(block.type)) return undefined;
  return { id, name: textOf(block.name) };
}

/** The calls of an assistant message in block order, whatever its stop reason. */
export function toolCallsOf(message: AgentMessage): readonly ToolCall[] {
  return blocksOf(message).flatMap((block) => toolCallOf(block) ?? []);
}

/** Id of the call that a result answers, as release 2026.2.1 reads it. */
export function resultIdOf(message: AgentMessage): string | undefined {
  return filledText(message.toolCallId) ?? filledText(message.toolUseId);
}

const RESULT_ID_KEYS = ["toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id"] as const;

/** The same as release 2026.9.6 reads it: the first of six fields that is not blank. */
export function currentResultIdOf(message: AgentMessage): string | undefined {
  for (const key of RESULT_ID_KEYS) {
    const id = textOf(message[key])?.trim();
    if (id !== undefined && id !== "") return id;
  }
  return undefined;
}

/** True if the response failed: its calls were never run. */
export function isFailed(message: AgentMessage): boolean {
  return message.stopReason === "aborted" || message.stopReason === "error";
}

/** The text of a stand-in for a missing result. */
export const MISSING_RESULT =
  "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.";
/** The same for OpenAI's Responses API. Source: openclaw@2026.5.7, pi-embedded-runner/run/attempt, `missingToolResultText`. */
export const MISSING_RESULT_OPENAI = "aborted";
const SYNTHETIC_MARK = "openclawSyntheticMissingToolResult";

/** The stand-in that OpenClaw adds for a result that the session lost. */
export function missingResult(call: ToolCall): AgentMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name ?? "unknown",
    content: [{ type: "text", text: MISSING_RESULT }],
    details: { [SYNTHETIC_MARK]: true, reason: "missing_tool_result" },
    isError: true,
  };
}

/** True if a result is such a stand-in. */
export function isMissingResult(message: AgentMessage): boolean {
  if (message.isError !== true) return false;
  if (isObject(message.details) && message.details[SYNTHETIC_MARK] === true) return true;
  return blocksOf(message).some((block) => block.type === "text" && block.text === MISSING_RESULT);
}
