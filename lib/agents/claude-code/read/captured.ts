import { idOf } from "@/lib/agents/shared/ids";
import { listOf, textOf } from "@/lib/agents/shared/json";
import { type JsonObject, objectField, textField } from "@/lib/core/records/fields";

/**
 * Records of a captured stream: `claude -p --output-format stream-json`, the one object of `--output-format json`, and the messages of the Agent SDK.
 * They hold the same data as a session file's records under other names. Source: README.md, "Captured output".
 */

/** True if a record comes from a captured stream: only those write the session's id as `session_id`. */
export function isCaptured(record: JsonObject): boolean {
  return "session_id" in record && !("sessionId" in record);
}

/** Renames the fields of a captured record to those of a session file; returns any other record unchanged. */
export function sessionRecord(record: JsonObject): JsonObject {
  if (!isCaptured(record)) return record;
  const parent = record.parent_tool_use_id;
  return {
    ...record,
    sessionId: record.session_id,
    requestId: record.request_id,
    version: record.claude_code_version,
    isSidechain: typeof parent === "string",
    agentId: parent,
    isMeta: record.isSynthetic,
    isCompactSummary: isSummary(record),
    toolUseResult: record.tool_use_result,
    compactMetadata: compactMetadata(objectField(record.compact_metadata)),
  };
}

/** First words of the user message that holds a compaction's summary; a captured one has no flag. */
const SUMMARY_BEGINS = "This session is being continued from a previous conversation";

function isSummary({ type, message }: JsonObject): boolean {
  if (type !== "user") return false;
  const content = objectField(message)?.content;
  const text = textField(content) ?? textField(objectField(listOf(content)[0])?.text);
  return text?.startsWith(SUMMARY_BEGINS) === true;
}

function compactMetadata(metadata: JsonObject | undefined): JsonObject | undefined {
  if (metadata === undefined) return undefined;
  const segment = objectField(metadata.preserved_segment);
  return {
    trigger: metadata.trigger,
    preTokens: metadata.pre_tokens,
    postTokens: metadata.post_tokens,
    durationMs: metadata.duration_ms,
    preservedSegment: { headUuid: segment?.head_uuid, tailUuid: segment?.tail_uuid },
  };
}

/** Record types of other programs that imitate this stream. */
const IMITATED = new Set(["message", "tool_call", "completion", "tool_use", "tool_result"]);

/**
 * True if the first records are a stream that Claude Code wrote. Imitations differ: Cursor and Droid write calls as records, Qwen Code names its own
 * version, and Amp's thread ids have another format.
 */
export function sniffCaptured(head: readonly JsonObject[]): boolean {
  return head.some(isOwnCaptured) && !head.some(isImitation);
}

function isImitation(record: JsonObject): boolean {
  if (!("session_id" in record)) return false;
  return (
    "qwen_code_version" in record || textOf(record.session_id).startsWith("T-") || IMITATED.has(textOf(record.type))
  );
}

function isOwnCaptured(record: JsonObject): boolean {
  if (!isCaptured(record)) return false;
  const message = objectField(record.message);
  switch (record.type) {
    case "system":
      return record.subtype === "init" && Array.isArray(record.tools);
    case "assistant":
      return textField(message?.model) !== undefined && objectField(message?.usage) !== undefined;
    case "user":
      return "parent_tool_use_id" in record && message?.role === "user";
    case "stream_event":
      return "parent_tool_use_id" in record && objectField(record.event) !== undefined;
    case "result":
      return typeof record.num_turns === "number" && ("total_cost_usd" in record || "cost_usd" in record);
    default:
      return false;
  }
}

/** Usage of a response in a partial message of the stream. */
interface StreamedUsage {
  /** Id of the subagent's call, or an empty text for the session itself. */
  readonly of: string;
  /** Id of the starting message, empty if it has none; absent on later events. */
  readonly id: string | undefined;
  /** Final output of the response, if the event states it. */
  readonly output: unknown;
}

/** Reads a `stream_event`; `undefined` if it holds no usage. */
export function streamedUsage(record: JsonObject): StreamedUsage | undefined {
  const event = objectField(record.event);
  const of = textOf(record.parent_tool_use_id);
  if (event?.type === "message_start") return { of, id: idOf(objectField(event.message)?.id) ?? "", output: undefined };
  if (event?.type !== "message_delta") return undefined;
  return { of, id: undefined, output: objectField(event.usage)?.output_tokens };
}
