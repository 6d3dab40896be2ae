import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf } from "@/lib/agents/shared/json";
import { isoTime } from "@/lib/core/base/iso-time";
import type { Milliseconds, Tokens } from "@/lib/core/base/units";
import type { CompactionTrigger, Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** The fields that are read of a record. Each may be missing or have another type, and then counts as absent. README.md describes each. */
export interface Envelope {
  readonly type: string | undefined;
  readonly subtype: string | undefined;
  readonly uuid: string | undefined;
  /** `null` at a root; `undefined` if the record has no parent field. */
  readonly parentUuid: string | null | undefined;
  readonly sessionId: string | undefined;
  readonly at: Milliseconds | undefined;
  readonly cwd: string | undefined;
  readonly version: string | undefined;
  readonly gitBranch: string | undefined;
  readonly provenance: string | undefined;
  readonly sidechain: boolean;
  readonly agentId: string | undefined;
  /** The session that this branch was copied from. */
  readonly forkedFrom: string | undefined;
  /** In a subagent's file: the kind of the text that the parent sent. */
  readonly externalInputKind: string | undefined;
  /** In a subagent's file: the round that a response belongs to. */
  readonly agentRound: number | undefined;
  readonly model: string | undefined;
  readonly payload: JsonObject;
}

export function envelopeOf(record: JsonObject): Envelope {
  return {
    type: stringOf(record.type),
    subtype: stringOf(record.subtype),
    uuid: idOf(record.uuid),
    parentUuid: record.parentUuid === null || record.parentUuid === "" ? null : idOf(record.parentUuid),
    sessionId: idOf(record.sessionId),
    at: isoTime(record.timestamp),
    cwd: nameOf(record.cwd),
    version: stringOf(record.version),
    gitBranch: nameOf(record.gitBranch),
    provenance: stringOf(record.provenance),
    sidechain: record.isSidechain === true,
    agentId: idOf(record.agentId),
    forkedFrom: idOf(record.forkedFrom) ?? idOf(objectOf(record.forkedFrom).sessionId),
    externalInputKind: stringOf(record.externalInputKind),
    agentRound: countOf(record.agentRound),
    model: nameOf(record.model),
    payload: objectOf(record.systemPayload),
  };
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Numbers that are read, and those by kind of content (`…TokensDetails`), whose sums are read. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
  "promptTokensDetails",
  "cacheTokensDetails",
  "candidatesTokensDetails",
  "toolUsePromptTokensDetails",
]);

/**
 * Usage of a response; `undefined` if it does not state the input. Its prompt includes the cached part, ours does not. Thoughts are part of the
 * candidates, unless the total shows that they are separate. Source: docs/interfaces.md, "How inspect counts", input and output.
 */
export function usageOf(value: unknown, numbers: RecordNumbers): Usage | undefined {
  if (!isObject(value)) return undefined;
  numbers.unknownUsage(value, KNOWN_FIELDS);
  const prompt = numbers.tokens(value.promptTokenCount, "promptTokenCount");
  if (prompt === undefined) return undefined;
  const cached = numbers.tokens(value.cachedContentTokenCount, "cachedContentTokenCount");
  // A cache read larger than the prompt is the provider's error: no more than the prompt was sent.
  const cacheRead = cached === undefined ? undefined : Math.min(cached, prompt);
  const candidates = numbers.tokens(value.candidatesTokenCount, "candidatesTokenCount");
  const reasoning = numbers.tokens(value.thoughtsTokenCount, "thoughtsTokenCount");
  const total = numbers.sum(value.totalTokenCount, "totalTokenCount");
  const outside = (reasoning ?? 0) > 0 && total === prompt + (candidates ?? 0) + (reasoning ?? 0);
  const output = candidates === undefined ? undefined : candidates + (outside ? (reasoning ?? 0) : 0);
  return { input: prompt - (cacheRead ?? 0), cacheRead, output, reasoning };
}

/** Facts in the record of a `chat_compression`. */
export interface CompressionInfo {
  readonly tokensBefore: Tokens | undefined;
  readonly tokensAfter: Tokens | undefined;
  readonly trigger: CompactionTrigger;
}

const TRIGGERS: Readonly<Record<string, CompactionTrigger>> = {
  token_limit: "auto",
  image_overflow: "auto",
  manual: "manual",
  payload_overflow: "overflow",
};

export function compressionInfo(payload: JsonObject, numbers: RecordNumbers): CompressionInfo {
  const info = objectOf(payload.info);
  const reason = stringOf(info.triggerReason);
  return {
    tokensBefore: numbers.tokens(info.originalTokenCount, "originalTokenCount"),
    tokensAfter: numbers.tokens(info.newTokenCount, "newTokenCount"),
    // Releases before 0.21 do not state it.
    trigger: reason !== undefined && Object.hasOwn(TRIGGERS, reason) ? (TRIGGERS[reason] ?? "unknown") : "unknown",
  };
}
