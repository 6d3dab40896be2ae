import { z } from "zod";
import type { Milliseconds } from "@/lib/core/base/units";

/**
 * The fields that are read, of records whose format is not ours: every one may be missing or of another type, and is then
 * as if it were not there. Further fields and kinds are left alone. README.md says what each means.
 */
const text = z.string().nullish().catch(undefined);
const flag = z.boolean().nullish().catch(undefined);
const count = z.number().int().nonnegative().nullish().catch(undefined);
const texts = z.array(z.string()).catch([]).default([]);

const segment = z.object({ headUuid: text, anchorUuid: text, tailUuid: text }).nullish().catch(undefined);

const compactMetadata = z
  .object({
    trigger: text,
    preTokens: count,
    postTokens: count,
    preservedSegment: segment,
    preservedMessages: z.object({ uuids: texts, allUuids: texts }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);

const microcompactMetadata = z
  .object({ trigger: text, preTokens: count, compactedToolIds: texts })
  .nullish()
  .catch(undefined);

const originKind = z.object({ kind: text }).nullish().catch(undefined);

const envelope = z.object({
  type: text,
  subtype: text,
  operation: text,
  uuid: text,
  parentUuid: text,
  logicalParentUuid: text,
  sessionId: text,
  timestamp: text,
  version: text,
  cwd: text,
  gitBranch: text,
  agentId: text,
  requestId: text,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  origin: originKind,
  data: z.object({ type: text }).nullish().catch(undefined),
  attachment: z.object({ type: text, commandMode: text, origin: originKind }).nullish().catch(undefined),
  compactMetadata,
  microcompactMetadata,
  summary: text,
  leafUuid: text,
  aiTitle: text,
  customTitle: text,
});

export type Envelope = z.infer<typeof envelope>;

const message = z.object({
  id: text,
  model: text,
  content: z.unknown(),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      cache_creation: z
        .object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
        .nullish()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

export type ApiMessage = z.infer<typeof message>;
export type ApiUsage = NonNullable<ApiMessage["usage"]>;

/** The fields around a record's content. Never throws: a record is an object, and every field is optional. */
export function envelopeOf(record: Readonly<Record<string, unknown>>): Envelope {
  return envelope.parse(record);
}

/** The API message in a user or assistant record; `undefined` where that is not an object. */
export function messageOf(record: Readonly<Record<string, unknown>>): ApiMessage | undefined {
  return message.safeParse(record.message).data;
}

/** An id, or none: `REDACTED` was put there by a publisher's tool and names nothing. Source: interfaces.md, MASKED. */
export function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value !== "REDACTED" ? value : undefined;
}

/** ISO 8601 with a date and a time; without a zone it is UTC, so that the answer does not depend on the reader's place. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** A record's own time; `undefined` where it has none that can be read. */
export function timeOf(value: string | null | undefined): Milliseconds | undefined {
  const match = typeof value === "string" ? ISO_TIME.exec(value) : null;
  if (match === null) return undefined;
  const at = Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
  return Number.isNaN(at) ? undefined : at;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
