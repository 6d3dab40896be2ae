import { flagField, type JsonObject, objectField, textField, textsField } from "@/lib/core/records/fields";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/**
 * The fields that are read. Anthropic does not publish the format, so every field may be missing or have another type, and then counts as absent.
 * Further fields and kinds are ignored. README.md gives the meaning of each field.
 */
export interface Envelope {
  readonly type: string | undefined;
  readonly subtype: string | undefined;
  readonly operation: string | undefined;
  readonly uuid: string | undefined;
  readonly parentUuid: string | undefined;
  readonly logicalParentUuid: string | undefined;
  readonly sessionId: string | undefined;
  readonly timestamp: string | undefined;
  readonly version: string | undefined;
  readonly cwd: string | undefined;
  readonly gitBranch: string | undefined;
  readonly agentId: string | undefined;
  readonly requestId: string | undefined;
  readonly isSidechain: boolean | undefined;
  readonly isMeta: boolean | undefined;
  readonly isCompactSummary: boolean | undefined;
  /** `origin.kind` */
  readonly originKind: string | undefined;
  /** `forkedFrom.sessionId`: the session that a branched session copied this record from. */
  readonly forkedFrom: string | undefined;
  readonly summary: string | undefined;
  readonly leafUuid: string | undefined;
  readonly aiTitle: string | undefined;
  readonly customTitle: string | undefined;
  /** The record itself, for fields of rare kinds. */
  readonly record: JsonObject;
}

/** Reads the fields around a record's content. Never throws: a record is an object, and every field is optional. */
export function envelopeOf(record: JsonObject): Envelope {
  return {
    type: textField(record.type),
    subtype: textField(record.subtype),
    operation: textField(record.operation),
    uuid: textField(record.uuid),
    parentUuid: textField(record.parentUuid),
    logicalParentUuid: textField(record.logicalParentUuid),
    sessionId: textField(record.sessionId),
    timestamp: textField(record.timestamp),
    version: textField(record.version),
    cwd: textField(record.cwd),
    gitBranch: textField(record.gitBranch),
    agentId: textField(record.agentId),
    requestId: textField(record.requestId),
    isSidechain: flagField(record.isSidechain),
    isMeta: flagField(record.isMeta),
    isCompactSummary: flagField(record.isCompactSummary),
    originKind: kindOf(record.origin),
    forkedFrom: textField(objectField(record.forkedFrom)?.sessionId),
    summary: textField(record.summary),
    leafUuid: textField(record.leafUuid),
    aiTitle: textField(record.aiTitle),
    customTitle: textField(record.customTitle),
    record,
  };
}

function kindOf(origin: unknown): string | undefined {
  return textField(objectField(origin)?.kind);
}

/** The kind of a progress record's data or of an attachment. */
export function innerType({ record }: Envelope): string | undefined {
  return textField(objectField(record.data)?.type) ?? textField(objectField(record.attachment)?.type);
}

/** Fields of a queued command. */
interface AttachmentFields {
  readonly type: string | undefined;
  readonly commandMode: string | undefined;
  readonly originKind: string | undefined;
}

export function attachmentOf({ record }: Envelope): AttachmentFields | undefined {
  const attachment = objectField(record.attachment);
  if (attachment === undefined) return undefined;
  return {
    type: textField(attachment.type),
    commandMode: textField(attachment.commandMode),
    originKind: kindOf(attachment.origin),
  };
}

/** Metadata of a `compact_boundary` record. */
interface CompactMetadata {
  readonly trigger: string | undefined;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  /** Milliseconds. */
  readonly durationMs: number | undefined;
  /** First and last record of the kept range. */
  readonly headUuid: string | undefined;
  readonly tailUuid: string | undefined;
  /** Uuids of kept records. */
  readonly preservedUuids: readonly string[];
}

export function compactMetadataOf({ record }: Envelope, numbers: RecordNumbers): CompactMetadata {
  const metadata = objectField(record.compactMetadata);
  const segment = objectField(metadata?.preservedSegment);
  const named = objectField(metadata?.preservedMessages);
  return {
    trigger: textField(metadata?.trigger),
    preTokens: numbers.tokens(metadata?.preTokens, "preTokens"),
    postTokens: numbers.tokens(metadata?.postTokens, "postTokens"),
    durationMs: numbers.sum(metadata?.durationMs, "durationMs"),
    headUuid: textField(segment?.headUuid),
    tailUuid: textField(segment?.tailUuid),
    preservedUuids: [...new Set([...textsField(named?.uuids), ...textsField(named?.allUuids)])],
  };
}

/** Metadata of a `microcompact_boundary` record. */
interface MicrocompactMetadata {
  readonly trigger: string | undefined;
  readonly preTokens: number | undefined;
  readonly compactedToolIds: readonly string[];
}

export function microcompactMetadataOf({ record }: Envelope, numbers: RecordNumbers): MicrocompactMetadata {
  const metadata = objectField(record.microcompactMetadata);
  return {
    trigger: textField(metadata?.trigger),
    preTokens: numbers.tokens(metadata?.preTokens, "preTokens"),
    compactedToolIds: textsField(metadata?.compactedToolIds),
  };
}

/** Usage as in an API message. */
export interface ApiUsage {
  readonly input_tokens: number | undefined;
  readonly output_tokens: number | undefined;
  readonly cache_read_input_tokens: number | undefined;
  readonly cache_creation_input_tokens: number | undefined;
  /** Tokens written to the cache, by TTL; absent if not recorded. */
  readonly cache_creation: TtlWrites | undefined;
  readonly web_searches: number | undefined;
  /** Absent if it has its usual value. */
  readonly speed: string | undefined;
  readonly service_tier: string | undefined;
  readonly inference_geo: string | undefined;
  /** The passes within one response, in order; absent if the record lists none. */
  readonly iterations?: readonly Iteration[];
}

/** One pass within a response. */
interface Iteration {
  /** True for a pass of the response itself, not of an advisor or of a compaction within the call. */
  readonly isMain: boolean;
  /** True if another model answered because the ones before it refused. */
  readonly isFallback: boolean;
  /** The pass's model, if named. */
  readonly model: string | undefined;
  readonly usage: ApiUsage;
}

/** Tokens written to the cache for five minutes, and for an hour. */
interface TtlWrites {
  readonly short: number | undefined;
  readonly long: number | undefined;
}

/** Field values that say nothing special happened. */
const USUAL = new Set(["", "standard", "not_available"]);

function unusual(value: unknown): string | undefined {
  const text = textField(value);
  return text === undefined || USUAL.has(text) ? undefined : text;
}

/** Fields of `usage` that are read. */
const USED_FIELDS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation.ephemeral_5m_input_tokens",
  "cache_creation.ephemeral_1h_input_tokens",
  "server_tool_use.web_search_requests",
  "iterations",
];
/** Fields of `usage` that are not needed. Reasons: README.md, "Not needed". */
const UNUSED_FIELDS = [
  "output_tokens_details.thinking_tokens",
  "server_tool_use.web_fetch_requests",
  "server_tool_use.code_execution_requests",
  "server_tool_use.tool_search_requests",
  "cache_miss_reason",
];
const KNOWN_FIELDS: KnownUsageFields = new Set([...USED_FIELDS, ...UNUSED_FIELDS]);

export function apiUsageOf(value: unknown, numbers: RecordNumbers): ApiUsage | undefined {
  const usage = objectField(value);
  if (usage === undefined) return undefined;
  numbers.unknownUsage(usage, KNOWN_FIELDS);
  const iterations = iterationsOf(usage.iterations, numbers);
  return {
    ...(iterations.length === 0 ? {} : { iterations }),
    input_tokens: numbers.tokens(usage.input_tokens, "input_tokens"),
    output_tokens: numbers.tokens(usage.output_tokens, "output_tokens"),
    cache_read_input_tokens: numbers.tokens(usage.cache_read_input_tokens, "cache_read_input_tokens"),
    cache_creation_input_tokens: numbers.tokens(usage.cache_creation_input_tokens, "cache_creation_input_tokens"),
    cache_creation: ttlWritesOf(objectField(usage.cache_creation), numbers),
    web_searches: numbers.tokens(objectField(usage.server_tool_use)?.web_search_requests, "web_search_requests"),
    speed: unusual(usage.speed),
    service_tier: unusual(usage.service_tier),
    inference_geo: unusual(usage.inference_geo),
  };
}

/** True if `usage.iterations` is a list of passes, as documented; an absent field counts as an empty list. */
export function listsPasses(usage: unknown): boolean {
  const iterations = objectField(usage)?.iterations ?? [];
  return Array.isArray(iterations) && iterations.every((entry) => objectField(entry) !== undefined);
}

/** The passes of a list, of an object with one value for each pass, or of a single pass object. */
function iterationsOf(value: unknown, numbers: RecordNumbers): readonly Iteration[] {
  const single = objectField(value);
  const isPass = single !== undefined && ["input_tokens", "output_tokens"].some((name) => name in single);
  const entries = Array.isArray(value) ? value : isPass ? [single] : Object.values(single ?? {});
  return entries.flatMap((entry: unknown) => {
    const iteration = objectField(entry);
    if (iteration === undefined) return [];
    const { iterations: _, ...own } = iteration;
    const usage = apiUsageOf(own, numbers);
    if (usage === undefined) return [];
    const type = textField(iteration.type);
    const isFallback = type === "fallback_message";
    const isMain = isFallback || type === undefined || type === "message";
    return [{ isMain, isFallback, model: textField(iteration.model), usage }];
  });
}

function ttlWritesOf(creation: JsonObject | undefined, numbers: RecordNumbers): TtlWrites | undefined {
  const short = numbers.tokens(creation?.ephemeral_5m_input_tokens, "ephemeral_5m_input_tokens");
  const long = numbers.tokens(creation?.ephemeral_1h_input_tokens, "ephemeral_1h_input_tokens");
  return short === undefined && long === undefined ? undefined : { short, long };
}

/** The provider's reason for a cache miss: `message.diagnostics.cache_miss_reason`, a name or an object with one. */
export function missReasonOf(message: JsonObject | undefined): string | undefined {
  const reason = objectField(message?.diagnostics)?.cache_miss_reason ?? objectField(message?.usage)?.cache_miss_reason;
  return textField(reason) ?? textField(objectField(reason)?.type);
}

/** Known record types; records of any other type are also counted as unknown. */
export const KNOWN_TYPES = new Set([
  "user",
  "assistant",
  "system",
  "progress",
  "attachment",
  "summary",
  "file-history-snapshot",
  "queue-operation",
  "turn_end",
  "ai-title",
  "custom-title",
  "pr-link",
  "agent-setting",
  "agent-name",
  "agent-color",
  "last-prompt",
  "mode",
  "permission-mode",
  "worktree-state",
  "frame-link",
  "relocated",
  "bridge-session",
  "atis-latch",
  "cost-state",
  "content-replacement",
  "file-history-delta",
  "history-suppression",
  "tag",
  // Journals of workflows, next to their subagents' files.
  "started",
  "result",
]);

/** Further types of a captured stream. Only `result` and `stream_event` are read. Source: README.md, "Captured output". */
export const CAPTURED_TYPES = new Set(
  `result stream_event rate_limit_event auth_status tool_progress tool_use_summary prompt_suggestion keep_alive
  control_request control_response control_cancel_request`.split(/\s+/),
);
